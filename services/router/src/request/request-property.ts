/** Properties by which settings tell requests apart: who asks, from where, and what the request carries. */
import type { IncomingHttpHeaders } from 'node:http'
import { cookieValue } from '../flags/cookie.ts'
import { headerKey } from '../headers/header-key.ts'
import { type ClaimPath, claimReader } from '../identity/claim-path.ts'
import type { Identity } from '../identity/identity.ts'
import type { Exchange } from './exchange.ts'

/** A request, as far as such settings look at it. */
export type Asking = {
  /** An address, or a network of IPv6 (`/64`). Behind trusted proxies, that of their client. */
  readonly address: string
  /** The name that the client gives itself. Empty if it gives none. */
  readonly clientName: string
  readonly headers: IncomingHttpHeaders
  readonly identity: Identity | null
}

/** A property, as settings name it. A claim is one of a verified token. */
export type RequestProperty =
  | 'address'
  | 'client'
  | { readonly header: string }
  | { readonly cookie: string }
  | { readonly claim: ClaimPath }

/** Reads the value of one property, or null if the request lacks it. */
export type ReadProperty = (asking: Asking) => string | null

/** Makes a function that reads a property. */
export function readerOf(property: RequestProperty): ReadProperty {
  if (property === 'address') return ({ address }) => address
  if (property === 'client') return ({ clientName }) => (clientName === '' ? null : clientName)
  if ('header' in property) {
    const key = headerKey(property.header)
    return ({ headers }) => {
      const value = headers[key]
      return value === undefined ? null : String(value)
    }
  }
  if ('cookie' in property) return ({ headers }) => cookieValue(headers.cookie, property.cookie)
  const read = claimReader(property.claim)
  return ({ identity }) => (identity === null ? null : textOf(read(identity.claims)))
}

/** Returns a request as such settings look at it. Its token must have been looked at. */
export function askingOf({
  client,
  named,
  request,
  identity,
}: Pick<Exchange, 'client' | 'named' | 'request' | 'identity'>): Asking {
  return { address: client, clientName: named.name, headers: request.headers, identity }
}

/** Returns a plain value as text, or null for other values. */
function textOf(value: unknown): string | null {
  const isPlain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
  return isPlain ? String(value) : null
}
