/** Something that may happen very often, of which the log tells now and then how often it did. */
const EVERY_MS = 10_000

/** Counts events of which only some are logged. */
export class Repeated {
  #untold = 0
  /** Time of `performance.now()`. */
  #told = Number.NEGATIVE_INFINITY

  /**
   * Counts an event. Returns how often it happened since it was last reported if it is time to report it
   * again, or null.
   */
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
