/** The findings of a load. Times are in milliseconds. */
import type { Pace } from './pace.ts'

/**
 * The kinds of failures.
 *
 * `connection` means that no connection could be made, or that it ended before an answer began. `timeout`
 * means that no complete answer came in time, and `http-status` that the status was not 200. `graphql-errors`
 * is an answer with errors. `wrong-data` is an answer with unexpected data, or none of GraphQL. `cut-stream`
 * is an answer that began and did not end. `not-sent` is a request that was due when the load stopped, but
 * not sent, since too many others had no answer yet.
 */
export type FailureKind = (typeof FAILURE_KINDS)[number]

export const FAILURE_KINDS = [
  'connection',
  'timeout',
  'http-status',
  'graphql-errors',
  'wrong-data',
  'cut-stream',
  'not-sent',
] as const

export type Failure = {
  readonly kind: FailureKind
  /** Name of the request. */
  readonly request: string
  readonly url: string
  readonly message: string
  /** When it was written to a connection, ISO 8601. Null if no byte of it can have reached anybody. */
  readonly sentAt: string | null
  /** When it failed, ISO 8601. */
  readonly at: string
  /** Milliseconds from when it was due to its failure. */
  readonly after: number
}

export type Percentiles = {
  readonly p50: number
  readonly p90: number
  readonly p99: number
  readonly p999: number
  readonly max: number
}

export type LoadReport = {
  readonly urls: readonly string[]
  readonly pace: Pace
  /** The seconds for which requests were sent. */
  readonly seconds: number
  /** The number of requests that were due, whatever their results. */
  readonly requests: number
  readonly failed: number
  /** Requests sent for each second; less than was wanted means that too many were waiting for answers. */
  readonly perSecond: number
  /** The kinds that there were, with the first few of each. */
  readonly failures: Readonly<
    Partial<Record<FailureKind, { readonly count: number; readonly examples: readonly Failure[] }>>
  >
  /**
   * Times from when a request was due to the end of its answer. They include requests that nobody answered in
   * time, but no other failures.
   */
  readonly latency: Percentiles | null
  /** Times from when a request was due to the first part of its answer. Null if no answer had parts. */
  readonly firstPart: Percentiles | null
  readonly byRequest: readonly RequestReport[]
  readonly generator: GeneratorReport
  readonly routers: readonly RouterReport[]
}

export type RequestReport = {
  readonly name: string
  readonly requests: number
  readonly failed: number
  readonly latency: Percentiles | null
}

/** Measurements that show whether the load generator itself held requests up. */
export type GeneratorReport = {
  /** The delays of its event loop. */
  readonly eventLoopDelay: Percentiles | null
  /** Times from when a request was due to when it was sent. */
  readonly sendDelay: Percentiles | null
  /** Computing time of its process, which may do other things as well. */
  readonly cpuSeconds: number
}

export type RouterReport = {
  /** The URL of its metrics. */
  readonly url: string
  readonly reads: number
  readonly failedReads: number
  /** The longest delay of its event loop. Null if it was never read. */
  readonly longestDelay: number | null
  /** The highest 99th percentile between two readings. */
  readonly highestP99: number | null
}
