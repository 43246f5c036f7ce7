/** The events of a request that the pipeline reports to observers. */
import type { FetchId, Graph, Plan } from '@switchyard/engine'
import type { RequestIds, RequestSummary } from './request-summary.ts'
import type { ActiveSpan } from './spans.ts'

/** A step of preparing an operation, in this order, from its text to its plan. */
export type PreparationStep = 'parse' | 'normalize' | 'validate' | 'planner'

/** The composition that an operation was planned for. */
export type PlannedFor = {
  readonly graph: Graph
  readonly endpoints: { get(subgraph: string): { readonly id: string } | undefined }
}

/**
 * A call of a subgraph that is over for the request, by its answer, a failure, its deadline or because nobody
 * waits for it.
 */
export type EndedCall = {
  readonly subgraph: string
  readonly fetch: FetchId
  /** The failure of the call; null if the call was answered. */
  readonly failure: { readonly code: string; readonly message: string } | null
  /** The reason of the failure, for operators only; null if the failure says all. */
  readonly detail: string | null
  readonly milliseconds: number
  readonly span: ActiveSpan
  readonly requestId: string
  /** Whether it joined the call of another fetch, and waited for its answer. No observer heard it begin. */
  readonly joined: boolean
}

/**
 * Hears what happens to requests, as it happens. The access log, the metrics, the spans and the recorder of
 * traces are observers; each has the methods for what it wants to hear, and nothing is made for one that is
 * not there. Some observe all requests of the router and others a single one. What an observer throws fails
 * the request, so none of them throws.
 */
export interface RequestObserver {
  /**
   * The next step of preparing the operation begins. An operation that is known has its first steps behind
   * it.
   */
  stepBegan?(step: PreparationStep): void
  /** `labels`: those of progressive overrides that are active for it. */
  planned?(plan: Plan, by: PlannedFor, labels: ReadonlySet<string>): void
  /** The result of another request's execution answers this one, too. */
  joined?(): void
  callBegan?(subgraph: string): void
  callEnded?(call: EndedCall): void
  /**
   * A part of an answer in parts was handed to the system. `part` counts from 1, `errors` are those in this
   * part.
   */
  partSent?(part: number, errors: number): void
  /** Events follow, for a long time. */
  eventsBegan?(request: RequestSummary): void
  /** The router itself is at fault. */
  defect?(error: unknown, ids: RequestIds): void
  /**
   * The last byte of the answer is out, or the client is gone. Called once for each request, after everything
   * else.
   */
  ended?(request: RequestSummary): void
}
