/** What is secret about the value of a hidden header or member, besides all of it: the part that is used by itself. */
import { FLAG_COOKIE, FLAG_HEADER } from '../../flags/requested-flag.ts'
import { GUARD_HEADERS } from '../../http/check-csrf.ts'

const SCHEME = /^[A-Za-z][\w-]*\s+(\S.*)$/s

/** `Bearer <token>`, `Basic <base64 of user:password>`. */
export function credentialsIn(value: string): readonly string[] {
  const trimmed = value.trim()
  const credentials = SCHEME.exec(trimmed)?.[1]
  if (credentials === undefined) return [trimmed]
  if (!/^basic\s/i.test(trimmed)) return [trimmed, credentials]
  const decoded = Buffer.from(credentials, 'base64').toString('utf8')
  return [trimmed, credentials, decoded, decoded.slice(decoded.indexOf(':') + 1)]
}

/** Of `Cookie`, each but the one that asks for a flag; of `Set-Cookie`, the first: attributes follow. */
export function cookiesIn(header: 'cookie' | 'set-cookie', value: string): readonly string[] {
  const pairs = value.split(';')
  return (header === 'cookie' ? pairs : pairs.slice(0, 1)).flatMap((pair) => {
    const equals = pair.indexOf('=')
    if (pair.slice(0, Math.max(0, equals)).trim() === FLAG_COOKIE) return []
    const cookie = pair.slice(equals + 1).trim()
    const bare = cookie.replace(/^"(.*)"$/s, '$1')
    try {
      return [cookie, bare, decodeURIComponent(bare)]
    } catch {
      return [cookie, bare]
    }
  })
}

/**
 * Hidden like the others, but not searched for elsewhere: their values are words of HTTP or the address of the router, and
 * would tear holes into URLs, content types and texts that have nothing to do with them.
 */
const TRANSPORT_HEADERS: ReadonlySet<string> = new Set([
  'accept-charset',
  'accept-encoding',
  'accept-language',
  'accept-ranges',
  'access-control-allow-origin',
  'age',
  'connection',
  'content-encoding',
  'content-language',
  'content-length',
  'content-type',
  'accept',
  'cache-control',
  'date',
  'expires',
  'host',
  'keep-alive',
  'last-modified',
  'origin',
  'pragma',
  'sec-fetch-dest',
  'sec-fetch-mode',
  'sec-fetch-site',
  'server',
  'te',
  'traceparent',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'vary',
  'x-forwarded-host',
  'x-forwarded-proto',
])

/**
 * By these a client asks for something: a flag, the operation that it names, to be taken for no forged request. The router
 * answers in the same words, and hiding them would hide from the reader what was asked for and given.
 */
const REQUEST_HEADERS: ReadonlySet<string> = new Set(
  [FLAG_HEADER, ...GUARD_HEADERS].map((name) => name.toLowerCase()),
)

/** Whether what a hidden header holds is a secret elsewhere too. `name`: in lower case. */
export function mayHoldCredentials(name: string, traceHeader: string): boolean {
  return name !== traceHeader && !TRANSPORT_HEADERS.has(name) && !REQUEST_HEADERS.has(name)
}
