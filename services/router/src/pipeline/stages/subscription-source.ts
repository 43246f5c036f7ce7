/** The source of a subscription's events: which subgraph sends them, and how it is asked for them. */
import { sourceRequest, type SubgraphRequest } from '@switchyard/engine'
import { eventFieldsOf, isOfEvents } from '../../brokers/fields/event-fields.ts'
import { filterOf } from '../../brokers/fields/filter.ts'
import { subjectsOf } from '../../brokers/fields/subjects.ts'
import { outgoingHeaders } from '../../call/outgoing-headers.ts'
import { type BrokerRequest, sourceKeyOf } from '../../subscriptions/upstream/brokers/broker-request.ts'
import { digest } from '../../subscriptions/upstream/sharing/shared-sources.ts'
import type { UpstreamProtocol, UpstreamRequest } from '../../subscriptions/upstream/upstream.ts'
import { subgraphConfigOf } from '../../settings/per-subgraph.ts'
import type { Planned } from './plan-operation.ts'
import type { SubscribingParts } from './subscribing-parts.ts'

/** The source of one subscription. */
export type Source = SubgraphSource | BrokerSource

type BrokerSource = {
  readonly kind: 'broker'
  readonly request: BrokerRequest
  readonly protocol: 'nats'
}

type SubgraphSource = {
  readonly kind: 'subgraph'
  readonly request: UpstreamRequest
  readonly protocol: UpstreamProtocol
  /** Whether numbers that a double cannot hold are read as `ExactNumber`. */
  readonly exactNumbers: boolean
}

/** The facts about a subscription that its source follows from. */
type OfSource = Pick<Planned, 'exchange' | 'plan' | 'variables' | 'held' | 'prepared'>

/**
 * Returns the source; null if the plan needs none, since its root field may not be seen. Throws a
 * RequestError if the subject of its events cannot be made of the arguments.
 */
export function sourceOf(planned: OfSource, parts: SubscribingParts): Source | null {
  const { plan, variables, held } = planned
  const { graph } = held.generation
  const source = sourceRequest(graph, plan, variables)
  if (source === null) return null
  if (!isOfEvents(graph, source.fetch)) return subgraphSource(planned, source, parts)
  const [field] = eventFieldsOf(graph, source.fetch)
  if (field === undefined) throw new RangeError('A subscription has no root field.')
  const { fetch, subgraph } = source
  const values = field.argumentsFor(variables)
  return {
    kind: 'broker',
    protocol: 'nats',
    request: {
      subgraph,
      field,
      subjects: subjectsOf(field, values),
      filter: filterOf(field.source.filter, values),
      exactNumbers: fetch.exactNumbers,
      document: fetch.document,
    },
  }
}

function subgraphSource(
  { exchange, plan, held, prepared }: OfSource,
  source: SubgraphRequest,
  { config, served }: SubscribingParts,
): SubgraphSource {
  const endpoint = served.of(held.generation).endpoints.get(source.subgraph)
  if (endpoint === undefined) throw new RangeError(`There is no endpoint for "${source.subgraph}".`)
  const { request, requestId, identity } = exchange
  const { headers, from } = outgoingHeaders(endpoint, {
    headers: request.headers,
    requestId,
    identity,
    flag: held.flag,
    operationName: prepared.operation.name,
    plan,
  })
  const { protocol, url } = subgraphConfigOf(config.subgraphs, endpoint.name).subscriptions
  return {
    kind: 'subgraph',
    request: {
      subgraph: endpoint.name,
      url: urlFor(protocol, new URL(url ?? endpoint.url)),
      // Others may share the source: it has neither the id of this request nor its trace context.
      headers: headers.slice(from),
      initPayload: null,
      body: source.body,
    },
    protocol,
    exactNumbers: source.fetch.exactNumbers,
  }
}

/**
 * Returns a short text that is equal for the same events of the same subgraph. Headers do not count: they
 * were sent when the source was opened.
 */
export function eventsKeyOf(source: Source | null): string | null {
  if (source === null) return null
  if (source.kind === 'broker') return sourceKeyOf(source.request)
  const { subgraph, url, body } = source.request
  return digest([source.protocol, subgraph, url.href, body])
}

/** The address of calls serves both protocols, unless the settings name one for subscriptions. */
function urlFor(protocol: UpstreamProtocol, url: URL): URL {
  if (protocol !== 'graphql-transport-ws') return url
  const scheme = url.protocol === 'https:' || url.protocol === 'wss:' ? 'wss:' : 'ws:'
  return new URL(`${scheme}${url.href.slice(url.protocol.length)}`)
}
