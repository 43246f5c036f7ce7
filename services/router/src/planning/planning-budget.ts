/**
 * How much time a process may spend on plans it has never made: a bucket that fills up steadily and that every planning
 * empties by what it took.
 *
 * What a planning takes is known only afterwards, so the bucket may go below zero; nothing is planned until it is filled
 * again. Operations with a plan never ask it.
 */
export class PlanningBudget {
  readonly #perSecond: number
  readonly #now: () => number
  #left: number
  #filledAt: number

  /** `perSecond` and the clock in milliseconds; the clock may start anywhere but never runs backwards. */
  constructor(perSecond: number, now: () => number) {
    this.#perSecond = perSecond
    this.#now = now
    this.#left = perSecond
    this.#filledAt = now()
  }

  /** Milliseconds until something may be planned; 0: at once. */
  get wait(): number {
    this.#fill()
    // A process is a little late rather than a little early: at exactly zero there is nothing to spend.
    return this.#left > 0 ? 0 : Math.floor((-this.#left * 1000) / this.#perSecond) + 1
  }

  charge(milliseconds: number): void {
    this.#fill()
    this.#left -= milliseconds
  }

  #fill(): void {
    const now = this.#now()
    this.#left = Math.min(this.#perSecond, this.#left + ((now - this.#filledAt) * this.#perSecond) / 1000)
    this.#filledAt = now
  }
}
