/** The options of a load. */
import type { Answer } from './answer.ts'
import type { Failure } from './load-report.ts'
import type { Pace } from './pace.ts'

export type LoadOptions = {
  /** GraphQL endpoints, which are asked in turn. */
  readonly urls: readonly string[]
  readonly pace: Pace
  /**
   * Asked in turn, by their weights, or one after another as the function says. Default: `DEFAULT_REQUESTS`.
   */
  readonly requests?: readonly LoadRequest[] | (() => LoadRequest)
  /** Headers of every request. Headers of a request itself win. */
  readonly headers?: Readonly<Record<string, string>>
  /** Milliseconds after which the load stops by itself. Default: it goes on until it is stopped. */
  readonly duration?: number
  /** Milliseconds from when a request is sent to the end of its answer. Default: 10,000. */
  readonly timeout?: number
  /**
   * Requests without an answer at a time; what is due beyond that is sent later, and its wait counts.
   * Default: 2,000.
   */
  readonly maxInFlight?: number
  /** The token for traced requests. Without it these requests are left out. */
  readonly traceToken?: string
  /** The setting `tracing.vendor` of the router. Default: `VENDOR`. */
  readonly traceVendor?: string
  /** The URLs of routers' metrics (`http://127.0.0.1:9464/metrics`), which are read every second. */
  readonly metricsUrls?: readonly string[]
  /** Is called with every failure at once. The report keeps only the first few of each kind. */
  readonly onFailure?: (failure: Failure) => void
}

export type LoadRequest = {
  /** Stands in the report. */
  readonly name: string
  readonly query: string
  readonly variables?: Readonly<Record<string, unknown>>
  readonly operationName?: string
  /** The method. Default: POST. */
  readonly method?: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  /** The answer must be a stream of parts, which are read to the end and put together. */
  readonly deferred?: boolean
  /** The answer must have a trace. */
  readonly traced?: boolean
  /** The relative frequency of the request. Default: 1. */
  readonly weight?: number
  /** The answer's data must be equal to one of these. Default: any data, without errors. */
  readonly expected?: readonly unknown[]
  /** Returns what is wrong with a complete answer without errors, or null. It replaces `expected`. */
  readonly judge?: (answer: Answer) => string | null
}
