/**
 * Limits the retries of one subgraph to a part of its calls. When a subgraph fails all calls, each retry is
 * load that it cannot carry, and without a bound there would be several for each call. Hedged attempts
 * (`hedge/`) have such a budget, too.
 */

/** The number of retries that can be saved up, and that a router begins with. */
const SAVED = 10
/** A tolerance, because tenths do not add up to one exactly. */
const ROUNDING = 1e-9

/** A token bucket that calls fill and retries empty. */
export class RetryBudget {
  readonly #share: number
  #saved = SAVED

  /** `share` is the part of a retry that each call earns. */
  constructor(share: number) {
    this.#share = share
  }

  callBegan(): void {
    this.#saved = Math.min(SAVED, this.#saved + this.#share)
  }

  /** True if `take` would return true. */
  get isLeft(): boolean {
    return this.#saved >= 1 - ROUNDING
  }

  /** Takes one retry from the budget. Returns false if the retry may not be made. */
  take(): boolean {
    if (!this.isLeft) return false
    this.#saved -= 1
    return true
  }
}
