import { PlanningError } from './planning-error.ts'

/** Bounds the work one operation may cause, whatever its shape. */
export class Budget {
  #left: number
  readonly #limit: number

  constructor(limit: number) {
    this.#left = limit
    this.#limit = limit
  }

  step(): void {
    this.#left -= 1
    if (this.#left < 0)
      throw new PlanningError(
        'PLANNING_LIMIT',
        `The operation needs more than ${this.#limit} planning steps, so it was not planned. Expected an operation with fewer fields, fragments or nested types.`,
      )
  }
}
