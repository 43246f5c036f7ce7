/** Lets writes through, or none while it is closed; closing waits for those that are inside. */
export class WriteGate {
  readonly #refusal: () => Error
  #inside = 0
  #isClosed = false
  #empty = Promise.withResolvers<void>()

  /** Creates a gate. `refusal` makes the error for writers that come while the gate is closed. */
  constructor(refusal: () => Error) {
    this.#refusal = refusal
  }

  async through<Result>(write: () => Promise<Result>): Promise<Result> {
    if (this.#isClosed) throw this.#refusal()
    this.#inside += 1
    try {
      return await write()
    } finally {
      this.#inside -= 1
      if (this.#inside === 0) this.#empty.resolve()
    }
  }

  /** Open again when disposed. */
  async close(): Promise<Disposable> {
    this.#isClosed = true
    this.#empty = Promise.withResolvers<void>()
    if (this.#inside > 0) await this.#empty.promise
    return { [Symbol.dispose]: () => void (this.#isClosed = false) }
  }
}
