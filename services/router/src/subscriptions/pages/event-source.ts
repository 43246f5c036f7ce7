/**
 * Which pages may subscribe by GET. The `EventSource` of browsers sends no header by which a page could show
 * that it asked the router first, so its origin decides, as for WebSockets.
 */
import type { IncomingMessage } from 'node:http'
import { HttpError } from '../../errors/http-error.ts'
import { originFault, type OriginRules } from './origin.ts'

/** Values of `Sec-Fetch-Site` with which no other page has caused a request. No page can set that header. */
const OWN_SITES: ReadonlySet<unknown> = new Set(['same-origin', 'none'])

/**
 * Returns true if a GET request for an event stream comes from a page that may send it, and false if no
 * browser says where it comes from: then the request has to pass the check of other GET requests. Throws
 * HttpError, whatever `csrf.guard` is, if it comes from a page that may not.
 */
export function isAllowedPage(
  request: Pick<IncomingMessage, 'headers' | 'rawHeaders'>,
  rules: OriginRules,
): boolean {
  const site = request.headers['sec-fetch-site']
  if (OWN_SITES.has(site)) return true
  if (request.headers.origin === undefined) {
    if (site === undefined) return false
    throw prevented('The request comes from a page of another site that does not say its origin.')
  }
  const fault = originFault(request, rules)
  if (fault !== null) throw prevented(fault)
  return true
}

function prevented(why: string): HttpError {
  return new HttpError('CSRF_PREVENTED', why)
}
