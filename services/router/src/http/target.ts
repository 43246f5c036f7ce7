/** The target of a request: what its request line says that it is for. */
import type { IncomingMessage } from 'node:http'

/** The path and the query string of a request; the query string is without its question mark. */
export type Target = { readonly path: string; readonly search: string }

/**
 * The beginning of a request line in absolute form, before the path. Proxies send that form, and RFC 9112
 * §3.2.2 demands that it is accepted.
 */
const ORIGIN = /^https?:\/\/[^/?#]*/i

/** Returns the target of a request. */
export function targetOf({ url = '/' }: Pick<IncomingMessage, 'url'>): Target {
  const target = url.startsWith('/') ? url : url.replace(ORIGIN, '')
  const query = target.indexOf('?')
  return query < 0
    ? { path: target, search: '' }
    : { path: target.slice(0, query), search: target.slice(query + 1) }
}
