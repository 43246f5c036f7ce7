import { PlanningError } from './planning-error.ts'

/** A step is about a microsecond of work: every loop that an operation can make longer takes steps. */
export const DEFAULT_STEP_LIMIT = 500_000

/** Selections of abstract types can unfold per object type at every level; documents must stay sendable. */
const TYPE_CONDITION_LIMIT = 2000

/** Bounds the work one operation may cause, whatever its shape. */
export class Budget {
  #left: number
  #typeConditions = 0
  readonly #limit: number

  constructor(limit: number) {
    this.#left = limit
    this.#limit = limit
  }

  /** How many steps were taken. */
  get spent(): number {
    return Math.round(this.#limit - this.#left)
  }

  step(count = 1): void {
    this.#left -= count
    if (this.#left < 0)
      throw new PlanningError(
        'PLANNING_LIMIT',
        `The operation needs more than ${this.#limit} planning steps, so it was not planned. Expected an operation with fewer fields, fragments or nested types.`,
      )
  }

  /** Type conditions in documents for subgraphs. */
  typeConditions(count: number): void {
    this.#typeConditions += count
    if (this.#typeConditions > TYPE_CONDITION_LIMIT)
      throw new PlanningError(
        'PLANNING_LIMIT',
        `The operation needs more than ${TYPE_CONDITION_LIMIT} type conditions in requests to subgraphs, so it was not planned. Expected fewer fields that subgraphs declare only on the object types of an interface or union, or fewer levels of them.`,
      )
  }
}
