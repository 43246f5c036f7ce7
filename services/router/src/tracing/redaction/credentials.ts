/** What is secret about the value of a hidden header or member, besides all of it: the part that is used by itself. */
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

/** Of `Cookie`, each; of `Set-Cookie`, the first: attributes follow. */
export function cookiesIn(header: 'cookie' | 'set-cookie', value: string): readonly string[] {
  const pairs = value.split(';')
  return (header === 'cookie' ? pairs : pairs.slice(0, 1)).flatMap((pair) => {
    const cookie = pair.slice(pair.indexOf('=') + 1).trim()
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
export const NOT_CREDENTIALS: ReadonlySet<string> = new Set([
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
