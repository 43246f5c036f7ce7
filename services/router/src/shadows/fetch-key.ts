/** The key of a fetch: equal for those that would send the same to the same subgraph. */
import type { SubgraphRequest } from '@switchyard/engine'
import type { RuledRequest } from '../concerns/headers/header-rules.ts'
import type { Endpoints } from '../call/endpoints.ts'
import { fetchContext } from '../call/fetch-sharing.ts'
import { outgoingHeaders } from '../call/outgoing-headers.ts'

/** The request that fetches are made for. */
export type KeyedRequest = RuledRequest & {
  /** The `baggage` header of the client, if it is handed on. */
  readonly baggage: string | null
}

/** Returns the key of a fetch; null if its subgraph is unknown. */
export function fetchKey(
  endpoints: Endpoints,
  request: KeyedRequest,
  { subgraph, body, fetch }: SubgraphRequest,
): string | null {
  const endpoint = endpoints.get(subgraph)
  if (endpoint === undefined) return null
  const { headers, from } = outgoingHeaders(endpoint, request)
  const context = fetchContext({ target: endpoint.target, headers, from, baggage: request.baggage })
  // Numbers of one and the same answer are read in two ways.
  return `${fetch.exactNumbers ? 'exact' : 'plain'} ${context}\n${body}`
}
