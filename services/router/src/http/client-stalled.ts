/** `errored` of a response that was ended because its client did not read it. */
export class ClientStalledError extends Error {
  override readonly name = 'ClientStalledError'
  constructor(milliseconds: number) {
    super(`The client read nothing of its answer for ${milliseconds} ms.`)
  }
}
