/**
 * Headers that a rule may send to a subgraph. The others describe one connection (RFC 9110 section 7.6.1) or
 * one body, or are the router's own business; forwarding them would corrupt the request or smuggle a second
 * one.
 */
const NEVER_FORWARDED: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'connection',
  'expect',
  'host',
  'http2-settings',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'traceparent',
  'tracestate',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'x-switchyard-probe',
])

/** Whether a rule may send this request header on to subgraphs. */
export function isForwardable(name: string): boolean {
  const lower = name.toLowerCase()
  return !NEVER_FORWARDED.has(lower) && !lower.startsWith('content-') && !lower.startsWith(':')
}
