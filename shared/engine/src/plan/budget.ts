import { PlanningError } from './planning-error.ts'

export const DEFAULT_STEP_LIMIT = 500_000

/** Bounds the work one operation may cause, whatever its shape. */
export class Budget {
  #left: number
  readonly #limit: number

  /** How many steps were taken. */
  get spent(): number {
    return this.#limit - this.#left
  }

  constructor(limit: number) {
    this.#left = limit
    this.#limit = limit
  }

  step(count = 1): void {
    this.#left -= count
    if (this.#left < 0)
      throw new PlanningError(
        'PLANNING_LIMIT',
        `The operation needs more than ${this.#limit} planning steps, so it was not planned. Expected an operation with fewer fields, fragments or nested types.`,
      )
  }
}
