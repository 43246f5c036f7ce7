/** The subgraph calls of one client request: sent with its headers and trace, and all given up when the client leaves. */
import type { IncomingHttpHeaders } from 'node:http'
import { SpanKind } from '@opentelemetry/api'
import type { ExecutionWork, FetchFunction, SubgraphReply, SubgraphRequest } from '@switchyard/engine'
import type { RequestEvents } from '../events/request-events.ts'
import type { RequestRecorder } from '../tracing/recorder/request-recorder.ts'
import type { ActiveSpan } from '../tracing/spans.ts'
import type { Deadlines } from './deadlines.ts'
import type { Endpoints } from './endpoints.ts'
import { type ErrorRules, filterErrors } from './filter-errors.ts'
import { SubgraphCall } from './subgraph-call.ts'

export type SubgraphClientOptions = {
  readonly deadlines: Deadlines
  readonly maxResponseSize: number
  readonly errors: ErrorRules
  readonly events: RequestEvents
}

export class SubgraphClient {
  readonly #options: SubgraphClientOptions
  readonly #endpoints: Endpoints
  readonly #headers: IncomingHttpHeaders
  readonly #span: ActiveSpan
  /** null: the request is not traced. */
  readonly #recorder: RequestRecorder | null
  readonly #work: ExecutionWork
  readonly #calls = new Set<SubgraphCall>()
  #cancelled = false

  constructor(
    options: SubgraphClientOptions,
    endpoints: Endpoints,
    headers: IncomingHttpHeaders,
    span: ActiveSpan,
    recorder: RequestRecorder | null,
    work: ExecutionWork,
  ) {
    this.#options = options
    this.#endpoints = endpoints
    this.#headers = headers
    this.#span = span
    this.#recorder = recorder
    this.#work = work
  }

  readonly fetch: FetchFunction = (request, done) => {
    const endpoint = this.#endpoints.get(request.subgraph)
    if (endpoint === undefined || this.#cancelled) {
      const reply: SubgraphReply = {
        kind: 'failure',
        code: endpoint === undefined ? 'SUBGRAPH_UNREACHABLE' : 'SUBGRAPH_CANCELLED',
        message: `Subgraph "${request.subgraph}" was not called.`,
      }
      setImmediate(done, reply)
      return
    }
    const { deadlines, maxResponseSize, errors, events } = this.#options
    const span = this.#span.child(`subgraph ${endpoint.name}`, SpanKind.CLIENT, attributesOf(request))
    const started = performance.now()
    let ticket = 0
    // The executor relies on an answer never coming from inside its own call.
    let starting = true
    const call = new SubgraphCall({
      subgraph: endpoint.name,
      exactNumbers: request.fetch.exactNumbers,
      timeout: endpoint.timeout,
      maxResponseSize,
      work: this.#work,
      settle: (reply, detail) => {
        deadlines.cancel(call, ticket)
        this.#calls.delete(call)
        this.#recorder?.callEnded(request.fetch.id, reply.kind === 'answer')
        const outcome = reply.kind === 'failure' ? reply.code : 'answered'
        events.subgraphCalled(endpoint.name, outcome, performance.now() - started)
        if (reply.kind === 'failure') {
          if (reply.code !== 'SUBGRAPH_CANCELLED')
            events.subgraphFailed(endpoint.name, reply, detail, this.#span.traceId)
          span.end(reply.code)
        } else span.end()
        const filtered =
          reply.kind === 'answer'
            ? { ...reply, body: filterErrors(reply.body, endpoint.name, errors) }
            : reply
        if (starting) setImmediate(done, filtered)
        else done(filtered)
      },
    })
    this.#calls.add(call)
    ticket = deadlines.add(call, endpoint.timeout)
    const headers = ['content-type', 'application/json', 'accept', ACCEPT, 'traceparent', span.traceparent]
    if (span.tracestate !== null) headers.push('tracestate', span.tracestate)
    endpoint.rules(this.#headers, headers)
    const { origin, path, lease } = endpoint
    const sent = { path, method: 'POST' as const, headers, body: request.body }
    if (this.#recorder === null) lease.pool.dispatch(sent, call)
    else
      this.#recorder.dispatch({ ...sent, fetch: request.fetch.id, origin, pool: lease.pool, handler: call })
    starting = false
  }

  /** Gives up every call in progress, and those that would still be started. */
  cancel(): void {
    this.#cancelled = true
    for (const call of this.#calls) call.cancel()
  }
}

const ACCEPT = 'application/graphql-response+json, application/json'

function attributesOf({ fetch, subgraph }: SubgraphRequest) {
  return { 'switchyard.subgraph': subgraph, 'graphql.operation.type': fetch.operation }
}
