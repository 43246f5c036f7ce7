/** Growing pauses between attempts, with jitter so that instances do not knock in step. */
const FIRST_MS = 100
const LONGEST_MS = 5000

export class Backoff {
  readonly #first: number
  readonly #longest: number
  #next: number

  constructor(longestMs: number = LONGEST_MS, firstMs: number = FIRST_MS) {
    this.#first = firstMs
    this.#longest = longestMs
    this.#next = firstMs
  }

  /** Milliseconds to wait before the next attempt. */
  pause(): number {
    const pause = this.#next * (0.5 + Math.random() / 2)
    this.#next = Math.min(this.#next * 2, this.#longest)
    return pause
  }

  reset(): void {
    this.#next = this.#first
  }
}
