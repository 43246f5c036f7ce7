/**
 * What the spans of a request say, by OpenTelemetry's conventions for HTTP and GraphQL, as docs/opentelemetry.md lists it.
 * Nothing of headers, variables and the text of the operation.
 */
import type { IncomingMessage } from 'node:http'
import { type Attributes, SpanKind, type Tracer } from '@opentelemetry/api'
import { type Fetch, fetchPaths, type Plan } from '@switchyard/engine'
import type { Propagation } from '@switchyard/service-kit'
import { MAX_LOGGED } from './logged.ts'
import type { RequestPhases } from './request-phases.ts'
import { ActiveSpan } from './spans.ts'

export type RequestSpans = (request: IncomingMessage) => ActiveSpan

/** Clients may send others, which are refused; the name for them is OpenTelemetry's. */
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'POST'])
/** Of the paths at which the entities of one fetch are. */
const MAX_PATHS = 5

/** `route`: the path of the endpoint. */
export function createRequestSpans(
  tracer: Tracer,
  propagation: Propagation,
  { route, scheme }: { readonly route: string; readonly scheme: 'http' | 'https' },
): RequestSpans {
  return ({ headers, method = '', httpVersion }) => {
    const isKnown = METHODS.has(method)
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

export type RequestOutcome = {
  readonly requestId: string
  readonly status: number
  /** Its name, if it has one. */
  readonly operation: string | null
  /** Null: the request did not come that far. */
  readonly operationType: 'query' | 'mutation' | null
  /** Why it was refused, or failed. */
  readonly code: string | null
  /** In the answer. */
  readonly errors: number
  readonly parts: number
  readonly aborted: boolean
  readonly phases: RequestPhases
  /** `performance.now()` when it began. */
  readonly started: number
  readonly selection: Attributes
}

/** The request is over. Its span is an error if the router failed, not if the client asked for something wrong. */
export function endRequestSpan(span: ActiveSpan, outcome: RequestOutcome): void {
  if (!span.isRecording) return
  const { requestId, status, operation, operationType, code, errors, parts, aborted, selection } = outcome
  span.set({
    'http.response.status_code': status,
    'switchyard.request.id': requestId,
    ...(operationType === null ? {} : { 'graphql.operation.type': operationType }),
    ...(operation === null ? {} : { 'graphql.operation.name': operation.slice(0, MAX_LOGGED) }),
    ...(code === null ? {} : { 'error.type': code }),
    ...(errors === 0 ? {} : { 'switchyard.response.errors': errors }),
    ...(parts === 0 ? {} : { 'switchyard.response.parts': parts }),
    ...(aborted ? { 'switchyard.request.aborted': true } : {}),
    ...selection,
  })
  phaseSpans(span, outcome)
  span.end(status >= 500 ? (code ?? String(status)) : null)
}

/** Parsing with validation, and planning: what has a span of its own besides the calls of subgraphs. */
const SPANS_OF_PHASES: Readonly<Record<string, string>> = { prepare: 'parse and validate', plan: 'plan' }

function phaseSpans(span: ActiveSpan, { phases, started }: RequestOutcome): void {
  let start = Date.now() - (performance.now() - started)
  phases.each((phase, milliseconds) => {
    const name = SPANS_OF_PHASES[phase]
    if (name !== undefined) span.past(name, SpanKind.INTERNAL, start, start + milliseconds)
    start += milliseconds
  })
}

/** What is known of a call of a subgraph before it is answered. */
export function fetchAttributes(
  fetch: Fetch,
  plan: Plan,
  { name, origin, path }: { readonly name: string; readonly origin: string; readonly path: string },
): Attributes {
  const { hostname, port, protocol } = new URL(origin)
  const paths = fetchPaths(plan, fetch)
  return {
    'http.request.method': 'POST',
    'server.address': hostname,
    'server.port': port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port),
    // A query may hold a key.
    'url.full': `${origin}${path.split('?', 1)[0]}`,
    'graphql.operation.type': fetch.operation,
    ...(fetch.operationName === null ? {} : { 'graphql.operation.name': fetch.operationName }),
    'switchyard.subgraph': name,
    'switchyard.fetch.id': fetch.id,
    ...(paths.length === 0 ? {} : { 'switchyard.fetch.path': paths.slice(0, MAX_PATHS) }),
    ...(fetch.group === 0 ? {} : { 'switchyard.fetch.deferred': true }),
  }
}
