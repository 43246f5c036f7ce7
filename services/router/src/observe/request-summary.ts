/** The summary of one request, for logs and metrics. It contains none of its client's data but names. */
import type { Operation, OperationKind } from '@switchyard/engine'
import type { FlagChoice } from '../flags/flag-choice.ts'
import type { SelectionReason } from '../flags/requested-flag.ts'
import type { RequestPhases } from './request-phases.ts'
import type { ActiveSpan } from './spans.ts'
import type { WaitingTime } from './waiting-time.ts'

/** The ids by which a log line is found again: those of the request, or of a call that was made for it. */
export type RequestIds = {
  readonly trace_id: string
  readonly span_id: string
  readonly request_id: string
}

/** The ids of a span and of the request that it belongs to, as log lines carry them. */
export function requestIds({ traceId, spanId }: ActiveSpan, requestId: string): RequestIds {
  return { trace_id: traceId, span_id: spanId, request_id: requestId }
}

/** Clients may send other methods, which are refused and counted together. */
export const KNOWN_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'POST'])

/** The settings by which the router ends an answer that its client does not read, or too slowly. */
export type StallLimit = 'traffic.write_timeout' | 'traffic.max_unsent_size'

type Names = { has(name: string): boolean }

/** The composition that answered, and why. */
export type ChosenComposition = {
  readonly reason: SelectionReason
  /** The configured flag that answered; null if base did. */
  readonly flag: string | null
  /** The rollout that decided; null if none did. */
  readonly rollout: string | null
  readonly generation: { readonly artifact: string }
  readonly config: {
    readonly version: { readonly revision: number }
    /** The flags and previews of the config, by their names. */
    readonly featureFlags?: Names
    readonly previews?: Names
  }
}

/** The cost of an operation, if costs are measured. */
export type RequestCost = {
  readonly estimated: number
  /** The kind of the limit that the estimate exceeds; null if it exceeds none. */
  readonly exceeded: 'operation' | 'client' | 'subgraph' | null
  /**
   * The cost of the result that was sent. Null if the operation was not executed, if nothing was sent, or if
   * the result is too large to be counted.
   */
  readonly actual: number | null
}

/** An operation that requests execute. `counted` is what an observer notes of it from request to request. */
export type CountedOperation = {
  readonly document: string
  readonly operation: Operation
  counted: object | null
}

/** The documents that a client may use. */
export type KnownDocuments = { withText(text: string): object | null }

/** A time in which a request waited for something else than its subgraphs, by `performance.now()`. */
export type RequestWait = {
  readonly for: 'token' | 'rate-limits' | 'document' | 'flag' | 'turn'
  readonly began: number
  readonly ended: number
}

/** The facts about a request that has ended. */
export type RequestSummary = {
  readonly method: string
  /** Path and query, as the request line has them. */
  readonly url: string
  /** The path that the router serves, with `{key}` in place of what clients put there. */
  readonly route: string
  readonly span: ActiveSpan
  readonly requestId: string
  /** The name that the client gives itself. Empty if it gives none; likewise its version. */
  readonly clientName: string
  readonly clientVersion: string
  /** The identifier by which it names its document; empty: it names none, or the router knows none. */
  readonly document: string
  /** `performance.now()` when it began. */
  readonly started: number
  readonly phases: RequestPhases
  /** HTTP status of the answer. 0 if there is none. */
  readonly status: number
  /** Name in the settings of the provider whose token the request carried; null if no token was verified. */
  readonly provider: string | null
  /** The composition that answered; null if none was chosen. */
  readonly composition: ChosenComposition | null
  /** The flag that was named, or chosen by a rollout. */
  readonly requested: FlagChoice
  /** Name of the operation; null if it has none, or if the request did not come that far. */
  readonly operation: string | null
  readonly operationType: OperationKind | null
  /**
   * The operation, from when its execution begins. Null before, and once it is answered by events.
   */
  readonly executed: CountedOperation | null
  /** The documents that the client may use; null if there are no manifests. Known with `executed`. */
  readonly list: KnownDocuments | null
  /** The address, or network of IPv6, that the request counts for. Known with `executed`. */
  readonly address: string
  /** The cost; null if it is not measured, or if the request did not come that far. */
  readonly cost: RequestCost | null
  /** Whether the result of another request's execution answered this one, too. */
  readonly joined: boolean
  /** Whether its answers carry a trace. */
  readonly traced: boolean
  /** Code of the refusal or failure. */
  readonly code: string | null
  /** Number of errors in the answer, with all its parts. */
  readonly errors: number
  /**
   * Error code of the execution: a code of the router, or `other` for errors that a subgraph reported. Null
   * if there are no errors.
   */
  readonly errorCode: string | null
  /** The code of the first failure of the execution; see `ErrorSummary`. */
  readonly failure: string | null
  readonly waitedForSubgraphs: WaitingTime
  /** Waits of the request before its operation was read, in order. */
  readonly waits: readonly RequestWait[]
  /**
   * Milliseconds for which the request waited for its plan; null if the plan was there, or was made at once.
   */
  readonly waitedForPlan: number | null
  /** Number of denied fields, which this client may not see and for which nothing was fetched. */
  readonly denied: number
  /** Number of parts of the answer. 0 if it was not sent in parts. */
  readonly parts: number
  /** Milliseconds until the first part was written; null if there is none. */
  readonly firstPart: number | null
  /** Whether the client left before its answer was complete. */
  readonly aborted: boolean
  /**
   * The setting by which the router ended the answer because the client read too slowly or not at all. Null
   * if the router did not end it.
   */
  readonly stalled: StallLimit | null
  /** The subscription that it was answered by; null if it was answered once. */
  readonly subscription: SubscriptionSummary | null
}

/** The subgraph that sends events, and how it sends them. */
export type EventSourceFacts = {
  readonly protocol: 'graphql-transport-ws' | 'sse' | 'nats'
  readonly subgraph: string
}

/** The facts about a subscription that was served. */
export type SubscriptionSummary = {
  /** `performance.now()` when it began. The time of its request ends then. */
  readonly began: number
  /** The source of the events; null if the subscription needs none, since its field may not be seen. */
  readonly source: EventSourceFacts | null
  /** The number of results that were sent, and of those that had errors. */
  readonly events: number
  readonly withErrors: number
  /** The number of events that were dropped since the client read too slowly. */
  readonly dropped: number
  /**
   * Why it ended: `complete` if its source has ended, `client` if the client has left, otherwise the error
   * code that the client was told.
   */
  readonly end: string
}

/** The flag that the client named, if another composition answered. */
export function flagNamedInVain({ composition, requested }: RequestSummary): string | null {
  const isNamed = requested.from === 'header' || requested.from === 'cookie'
  return !isNamed || requested.name === composition?.flag ? null : requested.name
}
