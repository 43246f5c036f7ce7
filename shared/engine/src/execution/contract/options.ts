/** The options and functions that a caller gives the executor. */
import type { AnswerCost } from '../../cost/operation-costs.ts'
import type { IntrospectionResult } from '../../introspection/introspect.ts'
import type { Plan } from '../../plan/contract/plan.ts'
import type { ExecutionWork } from '../../work/execution-work.ts'
import type { PendingPer } from './incremental-response.ts'
import type { FetchFunction, FetchRecorder } from './subgraph-calls.ts'

/** The arguments of `execute`. */
export type ExecuteOptions = {
  readonly plan: Plan
  /**
   * Coerced values in the form that is sent to subgraphs. A variable without value and default has no entry.
   */
  readonly variables: ReadonlyMap<string, unknown>
  readonly fetch: FetchFunction
  /**
   * The values of `__schema` and `__type`. If absent, they are computed in one turn when everything else is
   * there.
   */
  readonly introspection?: IntrospectionResult | null
  readonly signal?: AbortSignal
  /**
   * How the execution takes turns with other work, and the budget of its steps. Without it, the execution
   * yields to nobody and has no limit. Beyond the budget, `onDefect` is given an `ExecutionLimitError`.
   */
  readonly work?: ExecutionWork
  /**
   * Receives unforeseen errors. One that the fetch function throws fails that fetch only (`isOver: false`).
   * One of the engine itself, or of the callback for results, ends the execution: nothing is called any more.
   * Without `onDefect` such an error is thrown to the caller whose answer led to it.
   */
  readonly onDefect?: (error: unknown, isOver: boolean) => void
  /**
   * Executions of a plan that are interpreted before code is generated for it: 100 unless told otherwise, 0
   * for none. The answer is the same with and without generated code.
   */
  readonly interpretedRuns?: number
  /** Counts what the answer has cost. Without it, nothing is counted. */
  readonly cost?: AnswerCost
  /** Hears of every fetch. Without a recorder, nothing is computed for it. */
  readonly recorder?: FetchRecorder
}

/** The arguments of `executeIncrementally`. */
export type IncrementalOptions = ExecuteOptions & {
  /** `fragment` unless told otherwise. */
  readonly pendingPer?: PendingPer
}
