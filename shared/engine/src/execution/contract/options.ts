/** What a caller gives the executor. */
import type { IntrospectionResult } from '../../introspection/introspect.ts'
import type { Plan } from '../../plan/plan.ts'
import type { ExecutionWork } from '../../work/execution-work.ts'
import type { PendingPer } from './incremental-response.ts'
import type { FetchFunction, FetchRecorder } from './subgraph-calls.ts'

export type ExecuteOptions = {
  readonly plan: Plan
  /** Coerced values, in the wire form that goes to subgraphs. Absent variables are absent here too. */
  readonly variables: ReadonlyMap<string, unknown>
  readonly fetch: FetchFunction
  /** The answer to the introspection that the plan holds. Without it, one is made in one go when everything else is there. */
  readonly introspection?: IntrospectionResult | null
  readonly signal?: AbortSignal
  /** Without it, nobody else is served meanwhile, and nothing is too much. Beyond its budget `onDefect` is told an `ExecutionLimitError`. */
  readonly work?: ExecutionWork
  /**
   * Told of errors that nobody foresaw. What the fetch function throws only fails that call. After one of the engine itself,
   * or of `done`, the execution is over, and `done` is not called any more; without this function such an error is thrown
   * to whoever gave the answer that led to it.
   */
  readonly onDefect?: (error: unknown, isOver: boolean) => void
  /** Nothing is made for it when there is none. */
  readonly recorder?: FetchRecorder
}

export type IncrementalOptions = ExecuteOptions & {
  /** `fragment` unless told otherwise. */
  readonly pendingPer?: PendingPer
}
