/** Properties by which settings tell requests apart: who asks, from where, and what the request carries. */
import type { IncomingHttpHeaders } from 'node:http'
import { type ClaimPath, claimReader, claimText, claimTexts } from '@switchyard/values'
import { cookieValue } from '../flags/cookie.ts'
import { headerKey } from '../headers/header-key.ts'
import type { Asking } from './asking.ts'
import type { Exchange } from './exchange.ts'

/** A property, as settings name it. A claim is one of a verified token. */
export type RequestProperty =
  | 'address'
  | 'client'
  | 'visitor_cookie'
  | { readonly header: string }
  | { readonly cookie: string }
  | { readonly claim: ClaimPath }

/** Reads the value of one property, or null if the request lacks it. */
export type ReadProperty = (asking: Asking) => string | null

/** Reads the values of one property: a text, several, or null if the request lacks it. */
export type ReadValues = (asking: Asking) => string | readonly string[] | null

/** Makes a function that reads a property. */
export function readerOf(property: RequestProperty): ReadProperty {
  if (property === 'address') return ({ address }) => address
  if (property === 'client') return ({ clientName }) => (clientName === '' ? null : clientName)
  if (property === 'visitor_cookie') return ({ visitor }) => visitor
  if ('header' in property) {
    const key = headerKey(property.header)
    return ({ headers }) => {
      const value = headers[key]
      return value === undefined ? null : String(value)
    }
  }
  if ('cookie' in property) return ({ headers }) => cookieValue(headers.cookie, property.cookie)
  const read = claimReader(property.claim)
  return ({ identity }) => (identity === null ? null : claimText(read(identity.claims)))
}

/** Makes a function that reads a claim with all its values. */
export function claimValuesOf(path: ClaimPath): ReadValues {
  const read = claimReader(path)
  return ({ identity }) => (identity === null ? null : claimTexts(read(identity.claims)))
}

/** The part of an exchange that tells requests apart, or what stands in for it. */
export type Sender = Pick<Exchange, 'client' | 'named' | 'identity' | 'decision'> & {
  readonly request: { readonly method?: string | undefined; readonly headers: IncomingHttpHeaders }
}

/** Returns a request as such settings look at it. Its token must have been looked at. */
export function askingOf(
  sender: Sender,
  visitor: string | null = sender.decision?.visitor?.id ?? null,
): Asking {
  const { client, named, request, identity } = sender
  const { name: clientName, version: clientVersion } = named
  return { address: client, clientName, clientVersion, headers: request.headers, identity, visitor }
}

/** Returns a request as the choice of its composition looks at it: somebody may stand in for its sender. */
export function askingToChooseFor(sender: Sender): Asking {
  const standIn = sender.decision?.standIn
  return standIn?.kind === 'used' ? standIn.asking : askingOf(sender)
}
