/** The headers of a call as its endpoint and the rules of the settings make them. */
import type { RuledRequest } from '../concerns/headers/header-rules.ts'
import type { Outgoing } from './call-to-send.ts'
import type { Endpoint, EndpointHeaders } from './endpoints.ts'

/** The number of names and values that each call begins with, before the id of the request. */
export const OWN_HEADERS = 4
const PREFLIGHT = 'apollo-require-preflight'
const ACCEPT = 'application/graphql-response+json, application/json'

/** Returns the rules for requests that the composition of a flag answers; null for base. */
export function endpointHeaders({ headers, headersByFlag }: Endpoint, flag: string | null): EndpointHeaders {
  return flag === null ? headers : (headersByFlag.get(flag) ?? headers)
}

/** Returns the headers of a call without the trace context, and where those begin that tell calls apart. */
export function outgoingHeaders(
  endpoint: Endpoint,
  request: RuledRequest,
  contentType = 'application/json',
): Pick<Outgoing, 'headers' | 'from'> {
  const { rules } = endpointHeaders(endpoint, request.flag)
  const headers = ['content-type', contentType, 'accept', ACCEPT]
  const from = rules.replaceRequestId ? OWN_HEADERS : OWN_HEADERS + 2
  rules.append(request, headers)
  // Servers that guard against forged requests take no form without such a header.
  if (contentType !== 'application/json' && !headers.includes(PREFLIGHT)) headers.push(PREFLIGHT, 'true')
  if (endpoint.codings.length > 0) headers.push('accept-encoding', endpoint.codings.join(', '))
  return { headers, from }
}
