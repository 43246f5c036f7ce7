import { WorkBudget } from './budget.ts'
import type { Turns } from './slices.ts'

/**
 * The work on the answers of subgraphs to one request. However many answers there are, all of the work draws
 * from one budget.
 */
export type ExecutionWork = {
  readonly turns: Turns
  /** Throws an `ExecutionLimitError`. */
  readonly budget: WorkBudget
  /** Steps in one turn; those of `SLICE_STEPS` unless told otherwise. */
  readonly slice?: number
}

/** Thrown if the answers to a request, or the work on them, are too much. */
export class ExecutionLimitError extends Error {
  override readonly name = 'ExecutionLimitError'
  readonly code = 'EXECUTION_LIMIT_EXCEEDED'
}

/** Makes the work of one request. `maxSteps` is its budget. */
export function executionWork(turns: Turns, maxSteps: number): ExecutionWork {
  return { turns, budget: new WorkBudget(maxSteps, exceeded) }
}

function exceeded(): Error {
  return new ExecutionLimitError(
    'What subgraphs answered to this request, or what is to be made of it, is more than one request may hold (limits.max_execution_steps).',
  )
}

/** Does all work in one slice, for callers that serve nobody else meanwhile. */
export const AT_ONCE: ExecutionWork = {
  turns: { next: () => Promise.resolve() },
  budget: new WorkBudget(Number.MAX_SAFE_INTEGER, exceeded),
  slice: Number.POSITIVE_INFINITY,
}
