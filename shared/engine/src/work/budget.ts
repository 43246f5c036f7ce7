/**
 * Work that is done for one request, counted. A step stands for about a microsecond, but is never timed: the
 * same input takes the same steps on every machine, so that a request which is refused once is refused
 * always.
 */
export class WorkBudget {
  #left: number
  readonly #limit: number
  readonly #exceeded: () => Error

  /** `exceeded` makes the error that is thrown when the work needs more than `limit` steps. */
  constructor(limit: number, exceeded: () => Error) {
    this.#left = limit
    this.#limit = limit
    this.#exceeded = exceeded
  }

  /** How many steps were taken. */
  get spent(): number {
    return Math.round(this.#limit - this.#left)
  }

  /** Whether `steps` steps are left. */
  hasLeft(steps: number): boolean {
    return this.#left >= steps
  }

  step(count = 1): void {
    this.#left -= count
    if (this.#left < 0) throw this.#exceeded()
  }
}
