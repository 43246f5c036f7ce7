/**
 * Makes the fetches of one client request: each is a call of a subgraph, sent with the headers and the trace
 * of the request, or joins an equal call in flight. All are given up when the client leaves.
 */
import type { IncomingHttpHeaders } from 'node:http'
import type { ExecutionWork, FetchFunction, Plan, SubgraphReply, SubgraphRequest } from '@switchyard/engine'
import type { Propagation } from '@switchyard/service-kit'
import type { ClientLookup } from '../fairness/client.ts'
import type { ErrorRules } from './settings.ts'
import type { Identity } from '../identity/identity.ts'
import type { EndedCall, RequestObserver } from '../observe/request-observer.ts'
import { beginCallSpan, beginJoinedSpan } from '../observe/request-spans.ts'
import type { ActiveSpan } from '../observe/spans.ts'
import { refusesSharing } from '../concerns/sharing/sharing-key.ts'
import type { AnswerIntake } from './in-flight/answer-intake.ts'
import type { AnswerTurns } from './in-flight/answer-turns.ts'
import { resultOfCall } from './call-result.ts'
import { areCounted, Attempts } from './attempts.ts'
import { CallInFlight } from './in-flight/call-in-flight.ts'
import type { CallRecorder } from './in-flight/call-recorder.ts'
import type { AnswerLifetime } from './in-flight/answer-lifetime.ts'
import type { CollectedHeaders } from '../concerns/headers/collected-headers.ts'
import type { Deadlines } from './in-flight/deadlines.ts'
import type { Endpoint, Endpoints } from './endpoints.ts'
import { fetchContext, type FetchSharing, type JoinableCall } from './fetch-sharing.ts'
import type { FilesToSend } from './files-to-send.ts'
import { filterErrors } from './filter-errors.ts'
import { circuitOpen } from './policies/circuit/circuit-open.ts'
import type { CallSlot } from './policies/slots/call-slots.ts'
import type { Outgoing } from './call-to-send.ts'
import { endpointHeaders, outgoingHeaders, OWN_HEADERS } from './outgoing-headers.ts'
import { sendCall, sendFrom } from './send-call.ts'
import { SubgraphCall } from './subgraph-call.ts'

/** The parts of the router that all calls share, whichever request they are made for. */
export type SubgraphClientOptions = {
  readonly deadlines: Deadlines
  readonly intake: AnswerIntake
  readonly turns: AnswerTurns
  readonly maxResponseSize: number
  readonly errors: ErrorRules
  readonly propagation: Propagation
  /** Is told of each call of a mutation that has ended. */
  readonly mutations: { callEnded(): void }
  readonly sharing: FetchSharing
}

/** The request that the calls are made for. */
export type ClientRequest = {
  readonly endpoints: Endpoints
  readonly headers: IncomingHttpHeaders
  readonly span: ActiveSpan
  readonly plan: Plan
  readonly requestId: string
  readonly identity: Identity | null
  /** The client that the calls count for where clients take turns. */
  readonly lookUpClient: ClientLookup
  /** The name of the feature flag whose composition answers. Null if the base composition does. */
  readonly flag: string | null
  /** The name of the client's operation. Null if it has none. */
  readonly operationName: string | null
  readonly observer: Required<Pick<RequestObserver, 'callBegan' | 'callEnded'>>
  /** Makes the calls and records them. Null if the request is not traced, so that calls are made directly. */
  readonly recorder: CallRecorder | null
  readonly work: ExecutionWork
  /** Is told how many bytes more, or less, of answers the request holds. */
  readonly size: { received(bytes: number): void }
  /** Takes headers for the response to the client. Null if no rule names any. */
  readonly responseHeaders: CollectedHeaders | null
  /** Learns how long the answers may be kept. Null if nobody wants to know. */
  readonly lifetime: AnswerLifetime | null
  /** The files that one of the fetches sends on. Null if the request has none, or none is needed. */
  readonly files: FilesToSend | null
}

/** A fetch that has begun. */
type BegunFetch = Pick<EndedCall, 'subgraph' | 'fetch' | 'span' | 'joined'> & {
  /** The time when the fetch began, by `performance.now()`. */
  readonly started: number
}

/** Calls subgraphs for one request. */
export class SubgraphClient {
  readonly #options: SubgraphClientOptions
  readonly #request: ClientRequest
  readonly #calls = new Set<SubgraphCall>()
  readonly #mayShare: boolean
  #cancelled = false

  constructor(options: SubgraphClientOptions, request: ClientRequest) {
    this.#options = options
    this.#request = request
    this.#mayShare =
      options.sharing.isOn &&
      request.plan.kind !== 'mutation' &&
      !refusesSharing(request.headers) &&
      request.recorder?.mayShare !== false
  }

  /** Calls the subgraph of a fetch. `done` is never called before it has returned. */
  readonly fetch: FetchFunction = (request, done) => {
    const named = this.#request.endpoints.get(request.subgraph)
    if (named !== undefined && !this.#cancelled) return this.#call(named, request, done)
    const reply: SubgraphReply = {
      kind: 'failure',
      code: named === undefined ? 'SUBGRAPH_UNREACHABLE' : 'SUBGRAPH_CANCELLED',
      message: `Subgraph "${request.subgraph}" was not called.`,
    }
    setImmediate(done, reply)
  }

  #call(named: Endpoint, request: SubgraphRequest, done: (reply: SubgraphReply) => void): void {
    const { deadlines, maxResponseSize, mutations } = this.#options
    const { plan, work, size } = this.#request
    const files = this.#request.files?.fetch === request.fetch.id ? this.#request.files : null
    const outgoing = files === null ? this.#outgoing(named, request) : this.#form(named, request, files)
    const joined = this.#callToJoin(outgoing, named)
    const areAttemptsCounted = joined === null && areCounted(named)
    const attempts = areAttemptsCounted ? Attempts.begin(named) : null
    if (areAttemptsCounted && attempts === null) {
      const reply: SubgraphReply = { kind: 'failure', ...circuitOpen(named.name) }
      return void setImmediate(done, reply)
    }
    const endpoint = attempts?.endpoint ?? named
    const begun = this.#begin(endpoint, request, joined)
    const slot = joined === null ? (endpoint.slots?.value.slotFor(this.#request.lookUpClient) ?? null) : null
    const call = joined ?? this.#newCall(outgoing, endpoint, begun.span, slot)
    let ticket = 0
    // The client may take long to send its files; the subgraph has its time from then on.
    outgoing.form?.whenSent(() => {
      if (waiting.settled) return
      deadlines.cancel(waiting, ticket)
      ticket = deadlines.add(waiting, endpoint.timeout)
    })
    // The executor relies on an answer never coming from inside its own call.
    let starting = true
    const waiting = new SubgraphCall({
      call,
      subgraph: endpoint.name,
      exactNumbers: request.fetch.exactNumbers,
      timeout: endpoint.timeout,
      maxResponseSize,
      work,
      size,
      settle: (reply, detail) => {
        deadlines.cancel(waiting, ticket)
        if (plan.kind === 'mutation') mutations.callEnded()
        this.#calls.delete(waiting)
        attempts?.ended(resultOfCall(reply, call, slot, endpoint))
        this.#ended(begun, reply, detail)
        if (reply.kind === 'answer') this.#takeHeaders(endpoint, begun, call)
        const filtered = this.#filtered(reply, endpoint)
        if (starting) setImmediate(done, filtered)
        else done(filtered)
      },
    })
    this.#calls.add(waiting)
    ticket = deadlines.add(waiting, endpoint.timeout + (files?.timeout ?? 0))
    if (joined !== null) this.#recordJoined(joined, endpoint, begun, outgoing)
    else {
      const { fetch, span } = begun
      const [options, request] = [this.#options, this.#request]
      const sent = { call, endpoint, slot, attempts, outgoing, fetch, span, options, request }
      if (slot === null) sendCall(sent)
      else sendFrom(slot, sent)
    }
    starting = false
  }

  #takeHeaders(endpoint: Endpoint, { fetch }: BegunFetch, { headers }: CallInFlight): void {
    const { responseRules } = endpointHeaders(endpoint, this.#request.flag)
    if (responseRules !== null) this.#request.responseHeaders?.take(fetch, responseRules, headers)
    this.#request.lifetime?.answered(fetch, headers)
  }

  #outgoing(endpoint: Endpoint, { body }: SubgraphRequest): Outgoing {
    const { target } = endpoint
    const { span, flag } = this.#request
    const { responseRules } = endpointHeaders(endpoint, flag)
    const { headers, from } = outgoingHeaders(endpoint, this.#request)
    // A cookie of the answer is for one client.
    if (!this.#mayShare || responseRules?.hasCookies === true) return { headers, body, from, key: null }
    const context = fetchContext({ target, headers, from, baggage: span.parent.baggage })
    return { headers, body, from, key: { context, text: body } }
  }

  /** Makes the request of a fetch that sends files on. It is for one client and shared with nobody. */
  #form(endpoint: Endpoint, { body: operations }: SubgraphRequest, files: FilesToSend): Outgoing {
    const form = files.formFor(operations)
    const { headers, from } = outgoingHeaders(endpoint, this.#request, form.contentType)
    return { headers, body: form.body, from, key: null, form }
  }

  #callToJoin({ key }: Outgoing, { timeout }: Endpoint): CallInFlight | null {
    return key === null ? null : this.#options.sharing.find(key, timeout)
  }

  #begin(endpoint: Endpoint, { fetch }: SubgraphRequest, joined: CallInFlight | null): BegunFetch {
    const { observer, plan, span: parent } = this.#request
    const started = performance.now()
    if (joined === null) observer.callBegan(endpoint.name)
    const span =
      joined === null
        ? beginCallSpan(parent, fetch, plan, endpoint)
        : beginJoinedSpan(parent, fetch, plan, endpoint, joined.context)
    return { subgraph: endpoint.name, fetch: fetch.id, started, span, joined: joined !== null }
  }

  #newCall(
    { key }: Outgoing,
    { name, codings }: Endpoint,
    { context }: ActiveSpan,
    slot: CallSlot | null,
  ): CallInFlight {
    const { sharing, intake, turns, maxResponseSize } = this.#options
    let joinable: JoinableCall | null = null
    const onOver = () => {
      if (joinable !== null) sharing.remove(joinable)
      slot?.leave()
    }
    const call = new CallInFlight({
      subgraph: name,
      context,
      maxResponseSize,
      codings,
      intake,
      turns,
      onOver,
    })
    if (key !== null) joinable = sharing.add(key, call)
    return call
  }

  #recordJoined(
    call: CallInFlight,
    { origin, path }: Endpoint,
    { fetch }: BegunFetch,
    { headers, from }: Outgoing,
  ): void {
    const inCommon = [...headers.slice(0, OWN_HEADERS), ...headers.slice(from)]
    this.#request.recorder?.fetchJoined({ fetch, origin, path, method: 'POST', headers: inCommon, call })
  }

  #ended({ started, ...begun }: BegunFetch, reply: SubgraphReply, detail: string | null): void {
    const { observer, requestId } = this.#request
    observer.callEnded({
      ...begun,
      failure: reply.kind === 'failure' ? reply : null,
      detail,
      milliseconds: performance.now() - started,
      requestId,
    })
    endCallSpan(begun.span, reply)
  }

  /** Returns the reply without the parts of its errors that clients must not see. */
  #filtered(reply: SubgraphReply, { name }: Endpoint): SubgraphReply {
    if (reply.kind === 'failure') return reply
    return { ...reply, body: filterErrors(reply.body, name, this.#options.errors) }
  }

  /** Gives up every call in progress, and refuses to begin further ones. */
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
