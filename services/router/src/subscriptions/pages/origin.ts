/**
 * Which pages may open WebSockets, and event streams by GET. Browsers let every page open a WebSocket to any
 * origin, with cookies and without asking the router first, and let it read what comes: the rules of CORS do
 * not apply to WebSockets
 * (https://www.rfc-editor.org/rfc/rfc6455#section-10.2).
 */
import type { IncomingMessage } from 'node:http'
import { credentialIn } from '../../headers/credentials.ts'

/** The settings that say whose pages may open WebSockets. */
export type OriginRules = {
  readonly cors: { readonly origins: readonly string[]; readonly credentials: boolean }
  readonly csrf: { readonly credentialHeaders: ReadonlySet<string> }
  /** Null if the port is without TLS. A proxy may have ended TLS then. */
  readonly tls: object | null
}

/**
 * Returns the reason why a page must not open a WebSocket or an event stream. Null if it may, or if no page
 * does.
 */
export function originFault(
  { headers, rawHeaders }: Pick<IncomingMessage, 'headers' | 'rawHeaders'>,
  { cors, csrf, tls }: OriginRules,
): string | null {
  const lines = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'origin')
  if (lines.length === 0) return null
  if (lines.length > 1) return 'The request has more than one Origin header. Expected one, or none.'
  const origin = (headers.origin ?? '').toLowerCase()
  if (isOwn(origin, headers.host ?? '', tls !== null)) return null
  const origins = cors.origins.map((one) => one.toLowerCase())
  const isNamed = origins.includes(origin) && origin !== '*'
  if (!isNamed && !origins.includes('*'))
    return 'Pages of this origin may not open WebSockets or event streams to this router. An operator allows it in cors.origins.'
  const credential = credentialIn(headers, csrf.credentialHeaders)
  if (credential === null || (isNamed && cors.credentials)) return null
  return `The request carries ${credential}, which browsers add by themselves, and pages of this origin may not use it. An operator allows it by cors.credentials, for origins that cors.origins names.`
}

/** Whether the page comes from where the router is reached, as far as the router knows. */
function isOwn(origin: string, host: string, hasTls: boolean): boolean {
  const [, scheme, authority] = /^(https?):\/\/([^/?#@\s,]+)$/.exec(origin) ?? []
  if (scheme === undefined || authority === undefined) return false
  if (hasTls && scheme !== 'https') return false
  const defaultPort = scheme === 'https' ? ':443' : ':80'
  const without = (name: string): string =>
    name.endsWith(defaultPort) ? name.slice(0, -defaultPort.length) : name
  return without(authority) === without(host.toLowerCase())
}
