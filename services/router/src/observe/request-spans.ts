/**
 * The spans of a request, by OpenTelemetry's conventions for HTTP and GraphQL, as docs/opentelemetry.md lists
 * them. They contain nothing of the values of headers or variables, or of the text of the operation.
 */
import type { IncomingMessage } from 'node:http'
import { type Attributes, type SpanContext, SpanKind, type Tracer } from '@opentelemetry/api'
import { type Fetch, fetchPaths, type Plan } from '@switchyard/engine'
import type { Propagation } from '@switchyard/service-kit'
import { MAX_LOGGED } from './logged.ts'
import type { RequestObserver } from './request-observer.ts'
import { flagNamedInVain, KNOWN_METHODS, type RequestSummary } from './request-summary.ts'
import { ActiveSpan } from './spans.ts'

/** Begins the span of a request, below the one that its client names. */
export type RequestSpans = (
  request: Pick<IncomingMessage, 'headers' | 'method' | 'httpVersion'>,
) => ActiveSpan

/** Most paths that a span lists, of those at which the entities of one fetch are. */
const MAX_PATHS = 5

/** Makes the spans of requests. `route` is the path of the endpoint. */
export function createRequestSpans(
  tracer: Tracer,
  propagation: Propagation,
  { route, scheme }: { readonly route: string; readonly scheme: 'http' | 'https' },
): RequestSpans {
  return ({ headers, method = '', httpVersion }) => {
    const isKnown = KNOWN_METHODS.has(method)
    const span = ActiveSpan.begin(
      tracer,
      `${isKnown ? method : 'HTTP'} ${route}`,
      SpanKind.SERVER,
      propagation.extract(headers),
      { 'http.request.method': isKnown ? method : '_OTHER', 'http.route': route },
    )
    if (span.isRecording) {
      span.set({
        'url.path': route,
        'url.scheme': scheme,
        'network.protocol.name': 'http',
        'network.protocol.version': httpVersion.replace(/\.0$/, ''),
      })
    }
    return span
  }
}

/** Says in the span of one request what becomes of it. To be added only where the span is recorded. */
export class RequestSpan implements RequestObserver {
  readonly #span: ActiveSpan

  constructor(span: ActiveSpan) {
    this.#span = span
  }

  partSent(part: number, errors: number): void {
    this.#span.event('part', { 'switchyard.part': part, 'switchyard.part.errors': errors })
  }

  /** The span is an error if the router failed, not if the client asked for something wrong. */
  ended(request: RequestSummary): void {
    const { status, operation, operationType, code, errors, parts } = request
    this.#span.set({
      'http.response.status_code': status,
      'switchyard.request.id': request.requestId,
      ...(request.provider === null ? {} : { 'switchyard.token.provider': request.provider }),
      ...(operationType === null ? {} : { 'graphql.operation.type': operationType }),
      ...(operation === null ? {} : { 'graphql.operation.name': operation.slice(0, MAX_LOGGED) }),
      ...(request.document === '' ? {} : { 'switchyard.document.id': request.document.slice(0, MAX_LOGGED) }),
      ...(code === null ? {} : { 'error.type': code }),
      ...(errors === 0 ? {} : { 'switchyard.response.errors': errors }),
      ...(parts === 0 ? {} : { 'switchyard.response.parts': parts }),
      ...(request.aborted ? { 'switchyard.request.aborted': true } : {}),
      ...clientOf(request),
      ...costOf(request),
      ...selectionOf(request),
    })
    phaseSpans(this.#span, request)
    this.#span.end(status >= 500 ? (code ?? String(status)) : null)
  }
}

function clientOf({ clientName, clientVersion }: RequestSummary): Attributes {
  if (clientName === '') return {}
  return {
    'switchyard.client.name': clientName,
    ...(clientVersion === '' ? {} : { 'switchyard.client.version': clientVersion }),
  }
}

function costOf({ cost }: RequestSummary): Attributes {
  if (cost === null) return {}
  return {
    'switchyard.cost.estimated': cost.estimated,
    ...(cost.actual === null ? {} : { 'switchyard.cost.actual': cost.actual }),
    ...(cost.exceeded === null ? {} : { 'switchyard.cost.exceeded': cost.exceeded }),
  }
}

/** Which composition answered and why. */
function selectionOf(request: RequestSummary): Attributes {
  const { composition } = request
  if (composition === null) return {}
  const named = flagNamedInVain(request)
  return {
    'switchyard.flag.reason': composition.reason,
    'switchyard.artifact': composition.generation.artifact,
    'switchyard.revision': composition.config.version.revision,
    ...(composition.flag === null ? {} : { 'switchyard.flag': composition.flag }),
    ...(composition.rollout === null ? {} : { 'switchyard.rollout': composition.rollout }),
    ...(named === null ? {} : { 'switchyard.flag.requested': named.slice(0, MAX_LOGGED) }),
  }
}

/** Parsing with validation, and planning: what has a span of its own besides the calls of subgraphs. */
const SPANS_OF_PHASES: Readonly<Record<string, string>> = { prepare: 'parse and validate', plan: 'plan' }

function phaseSpans(span: ActiveSpan, { phases, started }: RequestSummary): void {
  let start = Date.now() - (performance.now() - started)
  phases.each((phase, milliseconds) => {
    const name = SPANS_OF_PHASES[phase]
    if (name !== undefined) span.past(name, SpanKind.INTERNAL, start, start + milliseconds)
    start += milliseconds
  })
}

/** A call of a subgraph, as its span shows it. */
export type CalledSubgraph = {
  readonly name: string
  readonly origin: string
  readonly path: string
  /** The path of the socket; null if the subgraph is called over TCP. */
  readonly socketPath: string | null
}

/**
 * The span of a call that is made for the request of `parent`. One that nobody records has an identity and
 * nothing else.
 */
export function beginCallSpan(
  parent: ActiveSpan,
  fetch: Fetch,
  plan: Plan,
  subgraph: CalledSubgraph,
): ActiveSpan {
  if (!parent.isRecording) return parent.unrecordedChild()
  return parent.child(`subgraph ${subgraph.name}`, SpanKind.CLIENT, callAttributes(fetch, plan, subgraph))
}

/**
 * The span of a fetch that waits for the call which another one began, whose span has the identity `call`.
 * One that nobody records is that of its request.
 */
export function beginJoinedSpan(
  parent: ActiveSpan,
  fetch: Fetch,
  plan: Plan,
  { name }: CalledSubgraph,
  call: SpanContext,
): ActiveSpan {
  if (!parent.isRecording) return parent
  const attributes = { ...planAttributes(fetch, plan, name), 'switchyard.fetch.joined': true }
  return parent.child(`subgraph ${name}`, SpanKind.INTERNAL, attributes, [{ context: call }])
}

/** Returns the attributes of a call that are known before it is answered. */
function callAttributes(
  fetch: Fetch,
  plan: Plan,
  { name, origin, path, socketPath }: CalledSubgraph,
): Attributes {
  const { hostname, port, protocol } = new URL(origin)
  return {
    'http.request.method': 'POST',
    'server.address': hostname,
    'server.port': port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port),
    // A query may hold a key.
    'url.full': `${origin}${path.split('?', 1)[0]}`,
    ...(socketPath === null ? {} : { 'network.transport': 'unix', 'network.peer.address': socketPath }),
    ...planAttributes(fetch, plan, name),
  }
}

function planAttributes(fetch: Fetch, plan: Plan, name: string): Attributes {
  const paths = fetchPaths(plan, fetch)
  return {
    'graphql.operation.type': fetch.operation,
    ...(fetch.operationName === null ? {} : { 'graphql.operation.name': fetch.operationName }),
    'switchyard.subgraph': name,
    'switchyard.fetch.id': fetch.id,
    ...(paths.length === 0 ? {} : { 'switchyard.fetch.path': paths.slice(0, MAX_PATHS) }),
    ...(fetch.group === 0 ? {} : { 'switchyard.fetch.deferred': true }),
  }
}
