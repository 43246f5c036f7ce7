/**
 * The subgraph calls of one client request: sent with its headers and trace, and all given up when the client
 * leaves.
 */
import type { IncomingHttpHeaders } from 'node:http'
import type { ExecutionWork, FetchFunction, Plan, SubgraphReply, SubgraphRequest } from '@switchyard/engine'
import type { Propagation } from '@switchyard/service-kit'
import type { ErrorRules } from '../config/router-config.ts'
import type { RequestObserver } from '../observe/request-observer.ts'
import { beginCallSpan } from '../observe/request-spans.ts'
import type { ActiveSpan } from '../observe/spans.ts'
import type { AnswerIntake } from './answer-intake.ts'
import type { CallRecorder } from './call-recorder.ts'
import type { Deadlines } from './deadlines.ts'
import type { Endpoint, Endpoints } from './endpoints.ts'
import { filterErrors } from './filter-errors.ts'
import { SubgraphCall } from './subgraph-call.ts'

/** What calls share, whichever request they are made for. */
export type SubgraphClientOptions = {
  readonly deadlines: Deadlines
  readonly intake: AnswerIntake
  readonly maxResponseSize: number
  readonly errors: ErrorRules
  readonly propagation: Propagation
  /** Told of each call of a mutation that has ended. */
  readonly mutations: { callEnded(): void }
}

/** What the calls are made for. */
export type ClientRequest = {
  readonly endpoints: Endpoints
  readonly headers: IncomingHttpHeaders
  readonly span: ActiveSpan
  readonly plan: Plan
  readonly requestId: string
  readonly observer: Required<Pick<RequestObserver, 'callBegan' | 'callEnded'>>
  /** Makes the calls; null: the request is not traced, and they are made without ceremony. */
  readonly recorder: CallRecorder | null
  readonly work: ExecutionWork
  /** Told how many bytes more, or less, it holds of answers. */
  readonly size: { received(bytes: number): void }
}

/** Calls subgraphs for one request. */
export class SubgraphClient {
  readonly #options: SubgraphClientOptions
  readonly #request: ClientRequest
  readonly #calls = new Set<SubgraphCall>()
  #cancelled = false

  constructor(options: SubgraphClientOptions, request: ClientRequest) {
    this.#options = options
    this.#request = request
  }

  /** Calls the subgraph of a fetch. `done` is never called before it has returned. */
  readonly fetch: FetchFunction = (request, done) => {
    const endpoint = this.#request.endpoints.get(request.subgraph)
    if (endpoint !== undefined && !this.#cancelled) return this.#call(endpoint, request, done)
    const reply: SubgraphReply = {
      kind: 'failure',
      code: endpoint === undefined ? 'SUBGRAPH_UNREACHABLE' : 'SUBGRAPH_CANCELLED',
      message: `Subgraph "${request.subgraph}" was not called.`,
    }
    setImmediate(done, reply)
  }

  #call(endpoint: Endpoint, request: SubgraphRequest, done: (reply: SubgraphReply) => void): void {
    const { deadlines, intake, maxResponseSize, mutations } = this.#options
    const { observer, plan, requestId, work, size } = this.#request
    const span = beginCallSpan(this.#request.span, request.fetch, plan, endpoint)
    const started = performance.now()
    observer.callBegan(endpoint.name)
    let ticket = 0
    // The executor relies on an answer never coming from inside its own call.
    let starting = true
    const call = new SubgraphCall({
      subgraph: endpoint.name,
      exactNumbers: request.fetch.exactNumbers,
      timeout: endpoint.timeout,
      maxResponseSize,
      work,
      intake,
      size,
      settle: (reply, detail) => {
        deadlines.cancel(call, ticket)
        if (plan.kind === 'mutation') mutations.callEnded()
        this.#calls.delete(call)
        observer.callEnded({
          subgraph: endpoint.name,
          fetch: request.fetch.id,
          failure: reply.kind === 'failure' ? reply : null,
          detail,
          milliseconds: performance.now() - started,
          span,
          requestId,
        })
        endCallSpan(span, reply)
        const filtered = this.#filtered(reply, endpoint)
        if (starting) setImmediate(done, filtered)
        else done(filtered)
      },
    })
    this.#calls.add(call)
    ticket = deadlines.add(call, endpoint.timeout)
    this.#send(call, endpoint, request, span)
    starting = false
  }

  #send(call: SubgraphCall, endpoint: Endpoint, request: SubgraphRequest, span: ActiveSpan): void {
    const { origin, path, lease, rules } = endpoint
    const { recorder } = this.#request
    const headers = ['content-type', 'application/json', 'accept', ACCEPT]
    rules(this.#request.headers, headers, this.#request.requestId)
    this.#options.propagation.inject(span.context, span.parent, headers)
    const sent = { path, method: 'POST' as const, headers, body: request.body }
    if (recorder === null) lease.pool.dispatch(sent, call)
    else recorder.dispatch({ ...sent, fetch: request.fetch.id, origin, pool: lease.pool, handler: call })
  }

  /** Without what clients must not see of errors. */
  #filtered(reply: SubgraphReply, { name }: Endpoint): SubgraphReply {
    if (reply.kind === 'failure') return reply
    return { ...reply, body: filterErrors(reply.body, name, this.#options.errors) }
  }

  /** Gives up every call in progress, and those that would still be started. */
  cancel(): void {
    this.#cancelled = true
    for (const call of this.#calls) call.cancel()
  }
}

function endCallSpan(span: ActiveSpan, reply: SubgraphReply): void {
  if (!span.isRecording) return
  const failure = reply.kind === 'failure' ? reply.code : null
  span.set(
    reply.kind === 'failure' ? { 'error.type': reply.code } : { 'http.response.status_code': reply.status },
  )
  span.end(failure)
}

const ACCEPT = 'application/graphql-response+json, application/json'
