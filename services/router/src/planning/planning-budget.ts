/**
 * How much computing time a process may spend on plans it has never made: a bucket that fills up steadily and that every
 * planning empties by what it took.
 *
 * What is not spent is saved up for a while: a router that has just started meets all operations of its clients for the
 * first time. What a planning takes is known only afterwards, so the bucket may go below zero; nothing is planned
 * until it is filled again. Operations with a plan never ask it.
 */
const SAVED_SECONDS = 10

export class PlanningBudget {
  readonly #perSecond: number
  readonly #now: () => number
  #left: number
  #filledAt: number

  /** `perSecond` and the clock in milliseconds; the clock may start anywhere but never runs backwards. */
  constructor(perSecond: number, now: () => number) {
    this.#perSecond = perSecond
    this.#now = now
    this.#left = perSecond * SAVED_SECONDS
    this.#filledAt = now()
  }

  /** Milliseconds until something may be planned; 0: at once. */
  get wait(): number {
    this.#fill()
    // At exactly zero there is nothing to spend yet.
    return this.#left > 0 ? 0 : Math.floor((-this.#left * 1000) / this.#perSecond) + 1
  }

  charge(milliseconds: number): void {
    this.#fill()
    this.#left -= milliseconds
  }

  #fill(): void {
    const now = this.#now()
    const filled = this.#left + ((now - this.#filledAt) * this.#perSecond) / 1000
    this.#left = Math.min(this.#perSecond * SAVED_SECONDS, filled)
    this.#filledAt = now
  }
}
