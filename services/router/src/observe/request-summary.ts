/** What one request leaves behind. Nothing of its client's data is in it but names. */
import type { RequestedFlag, SelectionReason } from '../flags/requested-flag.ts'
import type { RequestPhases } from './request-phases.ts'
import type { ActiveSpan } from './spans.ts'
import type { WaitingTime } from './waiting-time.ts'

/** By which a log line is found again: those of the request, or of a call that was made for it. */
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

/** The composition that answered, and why. */
export type ChosenComposition = {
  readonly reason: SelectionReason
  /** The configured flag that answered; null: base did. */
  readonly flag: string | null
  readonly generation: { readonly artifact: string }
  readonly config: { readonly version: { readonly revision: number } }
}

/** What an operation costs, where that is measured. */
export type RequestCost = {
  readonly estimated: number
  /** Whose limit that exceeds; null: none. */
  readonly exceeded: 'operation' | 'client' | 'subgraph' | null
  /** Of what was sent. null: it was not executed, or nothing was sent, or it is too large to be counted. */
  readonly actual: number | null
}

/** A time in which a request waited for something else than its subgraphs, by `performance.now()`. */
export type RequestWait = {
  readonly for: 'token' | 'rate-limits' | 'document' | 'flag' | 'turn'
  readonly began: number
  readonly ended: number
}

/** All that is known of a request that has ended. */
export type RequestSummary = {
  readonly method: string
  /** Path and query, as the request line has them. */
  readonly url: string
  readonly span: ActiveSpan
  readonly requestId: string
  /** How the client calls itself, and its version; empty: it does not say so. */
  readonly clientName: string
  readonly clientVersion: string
  /** The identifier by which it names its document; empty: it names none, or the router knows none. */
  readonly document: string
  /** `performance.now()` when it began. */
  readonly started: number
  readonly phases: RequestPhases
  /** HTTP status of the answer; 0: there is none. */
  readonly status: number
  /** Whose token it carried, by the name in the settings; null: none that was verified. */
  readonly provider: string | null
  /** Null: none was chosen. */
  readonly composition: ChosenComposition | null
  readonly requested: RequestedFlag
  /** Name of the operation; null: it has none, or the request did not come that far. */
  readonly operation: string | null
  readonly operationType: 'query' | 'mutation' | null
  /** null: it is not measured, or the request did not come that far. */
  readonly cost: RequestCost | null
  /** What was executed for another request answered it, too. */
  readonly joined: boolean
  /** Why it was refused, or failed. */
  readonly code: string | null
  /** In the answer, with all its parts. */
  readonly errors: number
  /**
   * Of what was executed: a code of the router, or `other` for what a subgraph reported; null: it has no
   * errors.
   */
  readonly errorCode: string | null
  readonly waitedForSubgraphs: WaitingTime
  /** What it waited for before its operation was read, in order. */
  readonly waits: readonly RequestWait[]
  /** Milliseconds; null: the plan was there, or made at once. */
  readonly waitedForPlan: number | null
  /** How many fields of the operation may not be seen by who asks: nothing was fetched for them. */
  readonly denied: number
  /** How many parts the answer had; 0: it was no answer in parts. */
  readonly parts: number
  /** Milliseconds until the first part was written; null: there is none. */
  readonly firstPart: number | null
  /** The client left before its answer was complete. */
  readonly aborted: boolean
  /**
   * The setting by which the router ended the answer, since the client did not read, or too slowly; null: it
   * did not.
   */
  readonly stalled: StallLimit | null
}

/** The flag that the client named, if another composition answered. */
export function flagNamedInVain({ composition, requested }: RequestSummary): string | null {
  return requested.from === 'none' || requested.name === composition?.flag ? null : requested.name
}
