/** Decides who gets a trace, and holds the parts that record one. Made once for a router. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Turns } from '@switchyard/engine'
import type { TracingConfig } from '../settings.ts'
import type { RequestWait } from '../../observe/request-summary.ts'
import type { Decision } from '../../request/decision.ts'
import type { HeldGeneration } from '../../generations/generations.ts'
import type { LoadWatch } from '../../transport/load/load-watch.ts'
import { RecordedJson } from '../cleaning/recorded-json.ts'
import { type RedactionRules, redactionRules } from '../cleaning/redaction-rules.ts'
import { createTraceGate, type TraceGate, type TraceVerdict } from '../trace-gate.ts'
import { headersOf } from './headers.ts'
import { RequestRecorder, type TracedPolicies } from './request-recorder.ts'
import { RequestTrace } from './request-trace.ts'
import { tracedRollouts } from './traced-rollouts.ts'
import { tracedStandIn } from './traced-stand-in.ts'

/** A request that gets a trace. */
export type TracedRequest = {
  readonly request: Pick<IncomingMessage, 'method' | 'url' | 'headers'>
  readonly params: {
    readonly query: string
    readonly operationName: string | null
    readonly variables: Readonly<Record<string, unknown>> | null
  }
  readonly held: HeldGeneration
  /** The choice of its composition; null if none was made. */
  readonly decision: Decision | null
  readonly policies: () => TracedPolicies
  readonly waits: () => readonly RequestWait[]
  /** `performance.now()` when it began. */
  readonly started: number
  /** Turns of the event loop for traces that take long to be made. */
  readonly turns: Turns
}

export class Tracing {
  readonly #gate: TraceGate
  readonly #redaction: RedactionRules
  readonly #watch: LoadWatch
  readonly #maxSize: number
  readonly #requestIdHeader: string

  constructor(config: TracingConfig, devMode: boolean, watch: LoadWatch) {
    this.#gate = createTraceGate({ ...config, devMode })
    this.#redaction = redactionRules({
      allowedHeaders: [...config.allowedHeaders],
      sensitiveNames: config.sensitiveNames,
      vendor: config.vendor,
      tokenHeaders: config.tokenHeaders,
    })
    this.#watch = watch
    this.#maxSize = config.maxSize
    this.#requestIdHeader = config.requestIdHeader
  }

  /** Whether a request gets a trace. A promise only while a token is checked. */
  admit(
    headers: IncomingHttpHeaders,
    search: string,
    { config: { traceKeys, traceAudience } }: Pick<HeldGeneration, 'config'>,
  ): TraceVerdict | Promise<TraceVerdict> {
    return this.#gate.admit({ headers, search, keys: traceKeys, audience: traceAudience })
  }

  /** The trace of a request that gets one. To be disposed with the request. */
  begin(verdict: Extract<TraceVerdict, { kind: 'trace' }>, traced: TracedRequest): RequestTrace {
    const { started, held, decision, policies, waits, turns } = traced
    const recorder = new RequestRecorder(
      {
        started: Math.round(started * 1e6),
        startedAt: performance.timeOrigin + started,
        composition: compositionOf(held),
        standIn: tracedStandIn(decision),
        rollouts: tracedRollouts(decision, this.#redaction),
        policies,
        waits,
        request: requestOf(traced),
        warnings: verdict.warnings,
        mayShare: !verdict.arguments.predictableTimings,
      },
      this.#watch,
    )
    return new RequestTrace(recorder, {
      arguments: verdict.arguments,
      redaction: this.#redaction,
      maxSize: this.#maxSize,
      requestIdHeader: this.#requestIdHeader,
      turns,
    })
  }
}

function compositionOf({ generation, reason, flag, config }: HeldGeneration) {
  return {
    feature_flag: flag,
    reason,
    artifact: generation.artifact,
    revision: config.version.revision,
  }
}

function requestOf({ request, params: { query, operationName, variables } }: TracedRequest) {
  return {
    method: request.method ?? '',
    url: request.url ?? '',
    headers: headersOf(request.headers),
    body: {
      query,
      operationName,
      variables: variables === null ? null : RecordedJson.ofValue(variables),
    },
  }
}
