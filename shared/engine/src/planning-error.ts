/** Beyond the budget, or an operation that the graph has no root type for. */
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
