/** Credentials in a request that a browser may have added by itself. */
import type { IncomingHttpHeaders } from 'node:http'
import { CREDENTIAL_HEADERS, isBrowserAuthorization } from './header-origins.ts'

/**
 * Names the first sign of credentials, for a message. Returns null if there is none. `more` are names of
 * further headers with credentials, in lower case.
 */
export function credentialIn(headers: IncomingHttpHeaders, more: Iterable<string>): string | null {
  if (headers.authorization !== undefined && isBrowserAuthorization(headers.authorization)) {
    return 'the credentials of HTTP authentication'
  }
  for (const names of [CREDENTIAL_HEADERS, more]) {
    for (const name of names) {
      if (headers[name] !== undefined) return name === 'cookie' ? 'a Cookie header' : `the header ${name}`
    }
  }
  return null
}
