import { WorkBudget } from './budget.ts'
import { PlanningError } from './planning-error.ts'

/** Every loop that an operation can make longer takes steps. */
export const DEFAULT_STEP_LIMIT = 500_000

/** Selections of abstract types can unfold per object type at every level; documents must stay sendable. */
const TYPE_CONDITION_LIMIT = 2000

/** Bounds the work one operation may cause, whatever its shape. */
export class Budget extends WorkBudget {
  #typeConditions = 0

  constructor(limit: number) {
    super(limit, () => {
      return new PlanningError(
        'PLANNING_LIMIT',
        `The operation needs more than ${limit} planning steps, so it was not planned. Expected an operation with fewer fields, fragments or nested types.`,
      )
    })
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
