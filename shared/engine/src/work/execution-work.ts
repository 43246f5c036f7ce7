import { WorkBudget } from './budget.ts'
import type { Turns } from './slices.ts'

/** What is done with the answers of subgraphs to one request, however many there are: all of it draws from one budget. */
export type ExecutionWork = {
  readonly turns: Turns
  /** Throws an `ExecutionLimitError`. */
  readonly budget: WorkBudget
}

/** The answers to a request, or what is to be made of them, are too many. */
export class ExecutionLimitError extends Error {
  override readonly name = 'ExecutionLimitError'
}

export function executionWork(turns: Turns, maxSteps: number): ExecutionWork {
  return { turns, budget: new WorkBudget(maxSteps, exceeded) }
}

function exceeded(): Error {
  return new ExecutionLimitError('The answers of subgraphs to this request are more than it may hold.')
}
