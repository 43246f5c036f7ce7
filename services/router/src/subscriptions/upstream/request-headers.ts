/** The headers with which subscriptions are opened at subgraphs. */

/** Headers that belong to the request of a call or to its connection, in lower case. */
const OWN_NAMES: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'connection',
  'content-length',
  'content-type',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])
const OF_HANDSHAKES = 'sec-websocket-'

/** Returns the headers that rules made, without those that the protocol decides about. */
export function ruledHeaders(headers: readonly string[]): string[] {
  const kept: string[] = []
  for (let index = 0; index + 1 < headers.length; index += 2) {
    const name = headers[index] ?? ''
    const lower = name.toLowerCase()
    if (!OWN_NAMES.has(lower) && !lower.startsWith(OF_HANDSHAKES)) kept.push(name, headers[index + 1] ?? '')
  }
  return kept
}

/**
 * Returns headers as an object. Values of a name that comes several times are joined, which means the same
 * (RFC 9110, section 5.3; RFC 9113, section 8.2.3 for cookies).
 */
export function headersByName(headers: readonly string[]): Record<string, string> {
  const byName = new Map<string, string>()
  for (let index = 0; index + 1 < headers.length; index += 2) {
    const name = (headers[index] ?? '').toLowerCase()
    const value = headers[index + 1] ?? ''
    const before = byName.get(name)
    byName.set(name, before === undefined ? value : `${before}${name === 'cookie' ? '; ' : ', '}${value}`)
  }
  return Object.fromEntries(byName)
}
