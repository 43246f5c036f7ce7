/** Finds out which hidden headers hold secrets, and which parts of them are used on their own. */

/**
 * Headers and cookies by which a client asks for something. The router answers in the same words, which say
 * what was asked for and given, so these values are no secrets.
 */
export type AskedBy = {
  /**
   * Names of headers in lower case: those that ask for a trace, for a flag, or that prove that the request is
   * not forged.
   */
  readonly headers: ReadonlySet<string>
  readonly cookies: ReadonlySet<string>
}

/**
 * All of the value of a header or member, and the credentials in `Bearer <token>` and `Basic <base64 of
 * user:password>`.
 */
export function credentialsIn(value: string): readonly string[] {
  const trimmed = value.trim()
  const scheme = /^[A-Za-z][\w-]*\s+(?=\S)/.exec(trimmed)?.[0]
  if (scheme === undefined) return [value, trimmed]
  const credentials = trimmed.slice(scheme.length)
  if (scheme.trim().toLowerCase() !== 'basic') return [value, trimmed, credentials]
  const decoded = Buffer.from(credentials, 'base64').toString('utf8')
  return [value, trimmed, credentials, decoded, decoded.slice(decoded.indexOf(':') + 1)]
}

/** Returns the secrets in the value of a hidden header. `name` is in lower case. */
export function secretsOfHeader(name: string, value: string, askedBy: AskedBy): readonly string[] {
  if (TRANSPORT_HEADERS.has(name) || askedBy.headers.has(name)) return []
  const ofCookie = (pair: string) => valuesOfCookie(pair, askedBy)
  if (name === 'cookie') return [value, ...value.split(';').flatMap(ofCookie)]
  // Attributes follow.
  if (name === 'set-cookie') return [value, ...ofCookie(value.split(';', 1)[0] ?? '')]
  return credentialsIn(value)
}

function valuesOfCookie(pair: string, { cookies }: AskedBy): readonly string[] {
  const equals = pair.indexOf('=')
  if (cookies.has(pair.slice(0, Math.max(0, equals)).trim())) return []
  const value = pair.slice(equals + 1).trim()
  const bare = /^"(.*)"$/s.exec(value)?.[1] ?? value
  try {
    return [value, bare, decodeURIComponent(bare)]
  } catch {
    return [value, bare]
  }
}

/**
 * Words of HTTP or the address of the router, which would tear holes into texts that have nothing to do with
 * them.
 */
const TRANSPORT_HEADERS: ReadonlySet<string> = new Set(
  `accept accept-charset accept-encoding accept-language accept-ranges access-control-allow-origin age cache-control
  connection content-encoding content-language content-length content-type date expires host keep-alive last-modified
  origin pragma sec-fetch-dest sec-fetch-mode sec-fetch-site server te traceparent trailer transfer-encoding upgrade vary
  x-forwarded-host x-forwarded-proto`.split(/\s+/),
)
