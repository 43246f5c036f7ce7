/** The source of a subscription's events: which subgraph sends them, and how it is asked for them. */
import { sourceRequest } from '@switchyard/engine'
import { outgoingHeaders } from '../../call/outgoing-headers.ts'
import type { UpstreamProtocol, UpstreamRequest } from '../../subscriptions/upstream/upstream.ts'
import { subgraphConfigOf } from '../../settings/per-subgraph.ts'
import type { Planned } from './plan-operation.ts'
import type { SubscribingParts } from './subscribing-parts.ts'

/** The source of one subscription. */
export type Source = {
  readonly request: UpstreamRequest
  readonly protocol: UpstreamProtocol
  /** Whether numbers that a double cannot hold are read as `ExactNumber`. */
  readonly exactNumbers: boolean
}

/** Returns the source; null if the plan needs none, since its root field may not be seen. */
export function sourceOf(
  { exchange, plan, variables, held, prepared }: Planned,
  { config, served }: SubscribingParts,
): Source | null {
  const source = sourceRequest(held.generation.graph, plan, variables)
  if (source === null) return null
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

/** Whether both are the same events of the same subgraph. Headers were sent when the source was opened. */
export function areEqualSources(one: Source | null, other: Source | null): boolean {
  if (one === null || other === null) return one === other
  return (
    one.protocol === other.protocol &&
    one.request.subgraph === other.request.subgraph &&
    one.request.url.href === other.request.url.href &&
    one.request.body === other.request.body
  )
}

/** The address of calls serves both protocols, unless the settings name one for subscriptions. */
function urlFor(protocol: UpstreamProtocol, url: URL): URL {
  if (protocol !== 'graphql-transport-ws') return url
  const scheme = url.protocol === 'https:' || url.protocol === 'wss:' ? 'wss:' : 'ws:'
  return new URL(`${scheme}${url.href.slice(url.protocol.length)}`)
}
