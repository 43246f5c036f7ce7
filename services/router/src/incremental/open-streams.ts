/** The incremental responses in progress, so that a router that stops can end them as they should end. */
export class OpenStreams {
  readonly #ends = new Set<() => void>()
  #idle: (() => void) | null = null

  /** `end` writes the end of the response; dispose when the client has it, or is gone. */
  add(end: () => void): Disposable {
    // A function of its own for each, whatever the caller hands in.
    const entry = () => end()
    this.#ends.add(entry)
    return {
      [Symbol.dispose]: () => {
        this.#ends.delete(entry)
        if (this.#ends.size === 0) this.#idle?.()
      },
    }
  }

  /** Ends all of them, and gives their clients so many milliseconds to read the end. */
  async endAll(milliseconds: number): Promise<void> {
    for (const end of this.#ends) end()
    if (this.#ends.size === 0) return
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#idle = resolve
    const timer = setTimeout(resolve, milliseconds)
    await promise
    clearTimeout(timer)
  }
}
