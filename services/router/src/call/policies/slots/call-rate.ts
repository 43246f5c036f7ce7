/** The seconds of calls that may be made at once after a pause. More would be a second limit of its own. */
const BURST_SECONDS = 0.1

/**
 * Limits how many calls of one subgraph are begun in a second, as a token bucket. It holds the calls of a
 * tenth of a second, and at least one, so no second has more than 1.1 times the limit.
 */
export class CallRate {
  /** Calls for each millisecond. */
  readonly #perMillisecond: number
  readonly #most: number
  /** The calls that may be begun now. Negative after retries, which begin without waiting. */
  #left: number
  /** The time of `#left`, by `performance.now()`. */
  #at = performance.now()

  /** `perSecond` is the limit of calls a second, larger than 0. */
  constructor(perSecond: number) {
    this.#perMillisecond = perSecond / 1000
    this.#most = Math.max(1, perSecond * BURST_SECONDS)
    this.#left = this.#most
  }

  /** The milliseconds until a call may begin, or 0 if one may begin now. */
  get wait(): number {
    this.#refill()
    return this.#left >= 1 ? 0 : (1 - this.#left) / this.#perMillisecond
  }

  /** Counts a call that begins, even if none may begin now: the calls that come later then wait longer. */
  take(): void {
    this.#refill()
    this.#left--
  }

  #refill(): void {
    const now = performance.now()
    this.#left = Math.min(this.#most, this.#left + (now - this.#at) * this.#perMillisecond)
    this.#at = now
  }
}
