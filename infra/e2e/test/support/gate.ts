/** Holds back whoever passes while it is closed. */
export class Gate {
  #opened: PromiseWithResolvers<void> | null = null
  #waiting = 0

  /** Those that it holds back. */
  get waiting(): number {
    return this.#waiting
  }

  close(): void {
    this.#opened ??= Promise.withResolvers<void>()
  }

  open(): void {
    this.#opened?.resolve()
    this.#opened = null
    this.#waiting = 0
  }

  pass(): Promise<void> | undefined {
    if (this.#opened === null) return undefined
    this.#waiting++
    return this.#opened.promise
  }
}
