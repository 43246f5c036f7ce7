/**
 * Headers that a rule may put into answers to clients. The others describe one connection (RFC 9110 section
 * 7.6.1) or one body, say who may read or store an answer, or have a meaning of the router's own.
 */
const NEVER_ANSWERED: ReadonlySet<string> = new Set([
  'age',
  'allow',
  'alt-svc',
  'authentication-info',
  'cache-control',
  'connection',
  'date',
  'etag',
  'expires',
  'http2-settings',
  'keep-alive',
  'last-modified',
  'pragma',
  'proxy-authenticate',
  'proxy-authentication-info',
  'proxy-connection',
  'retry-after',
  'te',
  'traceparent',
  'tracestate',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'vary',
  'www-authenticate',
  'x-accel-buffering',
  'x-feature-flag',
])
const NEVER_BEGINNING = ['access-control-', 'content-', 'x-accel-', 'x-switchyard-', ':']

/** Whether a rule may put a header of this name into answers. */
export function isAnswerable(name: string): boolean {
  const lower = name.toLowerCase()
  return !NEVER_ANSWERED.has(lower) && !NEVER_BEGINNING.some((beginning) => lower.startsWith(beginning))
}

/** The header that never becomes one line with others (RFC 6265 section 3). In lower case. */
export const SET_COOKIE = 'set-cookie'
