/**
 * Guards against requests that a page of another origin makes a visitor's browser send (cross-site request
 * forgery).
 *
 * Such a page can cause a GET request, and the browser adds the credentials that it keeps for this router. So
 * a request that carries credentials must also carry something that the page could not have added without
 * asking the router first, by a preflight request. Without such credentials a page learns and causes nothing
 * that its author could not by himself.
 */
import type { IncomingHttpHeaders } from 'node:http'
import type { CsrfConfig } from './settings.ts'
import { HttpError } from '../../errors/http-error.ts'
import { credentialIn } from '../../headers/credentials.ts'
import { headerOrigin, isBrowserAuthorization } from '../../headers/header-origins.ts'

/**
 * Throws HttpError if the request might be forged. `headers` are those of a GET request; a POST request needs
 * a JSON body, which no form sends.
 */
export function checkCsrf(headers: IncomingHttpHeaders, config: CsrfConfig): void {
  if (config.guard === 'never') return
  const credential = credentialIn(headers, config.credentialHeaders)
  if (credential === null && config.guard === 'credentials') return
  if (hasUnusualType(headers) || isGuarded(headers, config)) return
  const carried =
    credential === null ? '' : `carries ${credential}, which browsers add to requests by themselves, and `
  throw new HttpError(
    'CSRF_PREVENTED',
    `This GET request ${carried}could have been caused by any web page. ` +
      'Send the header Apollo-Require-Preflight: true (X-Apollo-Operation-Name, X-Requested-With and ' +
      'GraphQL-Require-Preflight serve as well) or Content-Type: application/json, or send the operation by POST.',
  )
}

/**
 * Throws HttpError if a request with a form might be forged: any page can send one, with the credentials that
 * the browser keeps. So it needs a guard header in every setting of `csrf.guard`.
 */
export function checkFormCsrf(headers: IncomingHttpHeaders, config: CsrfConfig): void {
  if (isGuarded(headers, config)) return
  throw new HttpError(
    'CSRF_PREVENTED',
    'This request with files could have been caused by any web page. Send the header ' +
      'Apollo-Require-Preflight: true (X-Apollo-Operation-Name, X-Requested-With and ' +
      'GraphQL-Require-Preflight serve as well).',
  )
}

function isGuarded(headers: IncomingHttpHeaders, config: CsrfConfig): boolean {
  return GUARD_KEYS.some((name) => isGuardHeader(name, headers)) || hasAcceptedHeader(headers, config)
}

/**
 * Content types that a page may send without a preflight request:
 * https://fetch.spec.whatwg.org/#cors-safelisted-request-header
 */
const SIMPLE_TYPES: ReadonlySet<string> = new Set([
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'text/plain',
])

function hasUnusualType(headers: IncomingHttpHeaders): boolean {
  const type = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  return type.includes('/') && !SIMPLE_TYPES.has(type)
}

/**
 * Headers that clients send in order to pass this check. They count even if the request came through a proxy.
 */
export const GUARD_HEADERS = [
  'Apollo-Require-Preflight',
  'X-Apollo-Operation-Name',
  'X-Requested-With',
  'GraphQL-Require-Preflight',
] as const
const GUARD_KEYS = GUARD_HEADERS.map((name) => name.toLowerCase())

/**
 * The name of an app's package, which Android's WebView adds as `X-Requested-With` to every request of every
 * page.
 */
const APP_PACKAGE = /^[a-z]\w*(?:\.\w+)+$/i

function isGuardHeader(name: string, headers: IncomingHttpHeaders): boolean {
  const value = headers[name]
  if (value === undefined || value === '') return false
  return name !== 'x-requested-with' || !APP_PACKAGE.test(String(value))
}

/**
 * Returns whether a header shows that code sent the request. Normally it is one of those that the settings
 * name. With `any`, it is any header that neither browsers nor proxies are known to add, unless the request
 * came through a proxy. Carriers and proxies add headers that nobody knows, and do not always show that they
 * are there, so an operator has to choose `any`.
 */
function hasAcceptedHeader(headers: IncomingHttpHeaders, { acceptedHeaders }: CsrfConfig): boolean {
  if (acceptedHeaders !== 'any') {
    for (const name of acceptedHeaders) if (isSentByCode(name, headers[name])) return true
    return false
  }
  let found = false
  for (const [name, value] of Object.entries(headers)) {
    const origin = headerOrigin(name)
    if (origin === 'proxy') return false
    if (origin === 'client' && isSentByCode(name, value)) found = true
  }
  return found
}

/**
 * Returns whether code of a page must have set the header. Credentials that a browser remembers prove
 * nothing, but a token does.
 */
function isSentByCode(name: string, value: string | readonly string[] | undefined): boolean {
  if (value === undefined || value === '') return false
  return name !== 'authorization' || !isBrowserAuthorization(String(value))
}
