/** Who gets a trace, and what is needed to record one: made once for a router. */
import type { Turns } from '@switchyard/engine'
import type { TracingConfig } from '../../config/router-config.ts'
import type { Admission } from '../../generations/generations.ts'
import type { Exchange } from '../../pipeline/exchange.ts'
import type { GraphQLParams } from '../../pipeline/graphql-params.ts'
import type { LoadWatch } from '../../subgraph/load/load-watch.ts'
import { RecordedJson } from '../recorded-json.ts'
import { type RedactionRules, redactionRules } from '../redaction/redaction.ts'
import { createTraceGate, traceTokenInvalid, type TraceGate, type TraceVerdict } from '../trace-gate.ts'
import { headersOf } from './headers.ts'
import { RequestRecorder } from './request-recorder.ts'
import { RequestTrace } from './request-trace.ts'

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
    })
    this.#watch = watch
    this.#maxSize = config.maxSize
    this.#requestIdHeader = config.requestIdHeader
  }

  /** A promise only while a token is checked. */
  admit(
    { request: { headers } }: Exchange,
    search: string,
    { config: { traceKeys, traceAudience } }: Admission,
  ): TraceVerdict | Promise<TraceVerdict> {
    return this.#gate.admit({ headers, search, keys: traceKeys, audience: traceAudience })
  }

  /** From now on the request is recorded, if that is the verdict. Throws HttpError for a token that is no good. */
  follow(
    verdict: TraceVerdict,
    exchange: Exchange,
    params: GraphQLParams,
    admission: Admission,
    turns: Turns,
  ): void {
    if (verdict.kind === 'refused') throw traceTokenInvalid(verdict)
    if (verdict.kind === 'off' || exchange.closed) return
    const recorder = new RequestRecorder(
      {
        started: Math.round(exchange.started * 1e6),
        startedAt: performance.timeOrigin + exchange.started,
        composition: compositionOf(admission),
        request: requestOf(exchange, params),
        warnings: verdict.warnings,
      },
      this.#watch,
    )
    exchange.trace = new RequestTrace(recorder, {
      arguments: verdict.arguments,
      redaction: this.#redaction,
      maxSize: this.#maxSize,
      requestIdHeader: this.#requestIdHeader,
      turns,
    })
  }
}

function compositionOf({ generation, reason, flag, config }: Admission) {
  return {
    feature_flag: flag,
    reason,
    artifact: generation.artifact,
    revision: config.version.revision,
  }
}

function requestOf({ request }: Exchange, { query, operationName, variables }: GraphQLParams) {
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
