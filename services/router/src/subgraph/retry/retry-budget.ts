/**
 * How many calls of one subgraph may be made again: a part of the calls that are made of it. When a subgraph
 * fails all calls, each retry is load that it cannot carry, and without a bound there would be several for
 * each call. Second calls beside those that take long (`hedge/`) have such a budget, too.
 */

/** Retries that can be saved up, and those that a router begins with. */
const SAVED = 10
/** So many tenths do not add up to one exactly. */
const ROUNDING = 1e-9

/** A token bucket that calls fill and retries empty. */
export class RetryBudget {
  readonly #share: number
  #saved = SAVED

  /** `share`: what each call earns, in retries. */
  constructor(share: number) {
    this.#share = share
  }

  callBegan(): void {
    this.#saved = Math.min(SAVED, this.#saved + this.#share)
  }

  /** Whether `take` would say yes. */
  get isLeft(): boolean {
    return this.#saved >= 1 - ROUNDING
  }

  /** false: the retry may not be made. */
  take(): boolean {
    if (!this.isLeft) return false
    this.#saved -= 1
    return true
  }
}
