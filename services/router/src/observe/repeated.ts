/** Something that may happen very often, of which the log tells now and then how often it did. */
const EVERY_MS = 10_000

/** Counts events of which only some are logged. */
export class Repeated {
  #untold = 0
  /** Of `performance.now()`. */
  #told = Number.NEGATIVE_INFINITY

  /** How often it happened since it was told last, when it is time to tell again; null: it is not. */
  count(): number | null {
    this.#untold++
    const now = performance.now()
    if (now - this.#told < EVERY_MS) return null
    const count = this.#untold
    this.#told = now
    this.#untold = 0
    return count
  }
}
