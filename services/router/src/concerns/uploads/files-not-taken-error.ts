/** A subgraph takes nothing more of the files. */
export class FilesNotTakenError extends Error {
  override readonly name = 'FilesNotTakenError'
  readonly milliseconds: number

  constructor(milliseconds: number) {
    super(`nothing more of the files was taken for ${milliseconds} ms (uploads.idle_timeout)`)
    this.milliseconds = milliseconds
  }
}
