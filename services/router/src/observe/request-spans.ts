/**
 * The spans of a request, by OpenTelemetry's conventions for HTTP and GraphQL, as docs/opentelemetry.md lists
 * them. They contain nothing of the values of headers or variables, or of the text of the operation.
 */
import type { IncomingMessage } from 'node:http'
import { type Attributes, type SpanContext, SpanKind, type Tracer } from '@opentelemetry/api'
import { type Fetch, fetchPaths, type Plan } from '@switchyard/engine'
import type { Propagation } from '@switchyard/service-kit'
import { SUBGRAPH_ERRORS } from '../errors/subgraph-errors.ts'
import { MAX_LOGGED } from './logged.ts'
import { CLIENT_LEFT } from './event-report.ts'
import type { RequestObserver } from './request-observer.ts'
import {
  type ChosenComposition,
  type EventSourceFacts,
  flagNamedInVain,
  KNOWN_METHODS,
  type RequestSummary,
  type SubscriptionSummary,
} from './request-summary.ts'
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

  /**
   * The span is an error if the router or the source of a subscription failed, not if the client asked for
   * something wrong, or may not go on with what it asked for.
   */
  ended(request: RequestSummary): void {
    const { status, operationType, code, errors, parts, subscription } = request
    this.#span.set({
      'http.response.status_code': status,
      'switchyard.request.id': request.requestId,
      ...(request.provider === null ? {} : { 'switchyard.token.provider': request.provider }),
      ...(operationType === null ? {} : { 'graphql.operation.type': operationType }),
      ...operationName(request),
      ...(request.document === '' ? {} : { 'switchyard.document.id': request.document.slice(0, MAX_LOGGED) }),
      ...(code === null ? {} : { 'error.type': code }),
      ...(errors === 0 ? {} : { 'switchyard.response.errors': errors }),
      ...(parts === 0 ? {} : { 'switchyard.response.parts': parts }),
      ...(request.aborted ? { 'switchyard.request.aborted': true } : {}),
      ...clientOf(request),
      ...costOf(request),
      ...selectionOf(request),
      ...(subscription === null ? {} : subscriptionAttributes(subscription)),
    })
    phaseSpans(this.#span, request)
    if (status >= 500) this.#span.end(code ?? String(status))
    else this.#span.end(subscription === null ? null : failureOf(subscription))
  }
}

/** Ends of subscriptions that no error code stands for. */
const WITHOUT_ERROR: ReadonlySet<string> = new Set(['complete', CLIENT_LEFT])

function subscriptionAttributes(subscription: SubscriptionSummary): Attributes {
  const { source, end, events, withErrors, dropped } = subscription
  return {
    ...sourceAttributes(source),
    'switchyard.subscription.end': end,
    'switchyard.subscription.events': events,
    'switchyard.subscription.events_with_errors': withErrors,
    'switchyard.subscription.events_dropped': dropped,
    ...(WITHOUT_ERROR.has(end) ? {} : { 'error.type': end }),
  }
}

/** Returns the code with which the source of a subscription failed; null if it did not. */
function failureOf({ end }: SubscriptionSummary): string | null {
  return Object.hasOwn(SUBGRAPH_ERRORS, end) ? end : null
}

/** Returns the attributes that say where the events of a subscription come from. */
export function sourceAttributes(source: EventSourceFacts | null): Attributes {
  if (source === null) return {}
  return {
    'switchyard.subscription.subgraph': source.subgraph,
    'switchyard.subscription.protocol': source.protocol,
  }
}

/** Returns the attribute with the name of the operation, if it has one. */
export function operationName({ operation }: Pick<RequestSummary, 'operation'>): Attributes {
  return operation === null ? {} : { 'graphql.operation.name': operation.slice(0, MAX_LOGGED) }
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
    ...compositionAttributes(composition),
    ...(named === null ? {} : { 'switchyard.flag.requested': named.slice(0, MAX_LOGGED) }),
  }
}

/** Returns the attributes that describe a composition, and why it was chosen. */
export function compositionAttributes(composition: ChosenComposition): Attributes {
  return {
    'switchyard.flag.reason': composition.reason,
    'switchyard.artifact': composition.generation.artifact,
    'switchyard.revision': composition.config.version.revision,
    ...(composition.flag === null ? {} : { 'switchyard.flag': composition.flag }),
    ...(composition.rollout === null ? {} : { 'switchyard.rollout': composition.rollout }),
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
