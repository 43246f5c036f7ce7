/**
 * The reason why an operation cannot be planned: it needs more than the budget, or the graph lacks its root
 * type.
 */
export type PlanningErrorCode = 'PLANNING_LIMIT' | 'PLANNING_UNSUPPORTED'

/** No plan was made. The operation itself may be valid. */
export class PlanningError extends Error {
  readonly code: PlanningErrorCode

  constructor(code: PlanningErrorCode, message: string) {
    super(message)
    this.name = 'PlanningError'
    this.code = code
  }
}
