/** The headers with which subscriptions are opened at subgraphs. */
import { CONNECTION_HEADERS } from '../../transport/http1/request-head.ts'

/** Headers of the request of a call, in lower case, which a subscription has of its own. */
const OF_CALLS: ReadonlySet<string> = new Set(['accept', 'accept-encoding', 'content-type'])
const OF_HANDSHAKES = 'sec-websocket-'

/** Returns the headers that rules made, without those that the protocol decides about. */
export function ruledHeaders(headers: readonly string[]): string[] {
  const kept: string[] = []
  for (let index = 0; index + 1 < headers.length; index += 2) {
    const name = headers[index] ?? ''
    if (isOwn(name.toLowerCase())) continue
    kept.push(name, headers[index + 1] ?? '')
  }
  return kept
}

/** Whether the protocol of the subscription decides about the header, whose name is in lower case. */
function isOwn(name: string): boolean {
  return OF_CALLS.has(name) || CONNECTION_HEADERS.has(name) || name.startsWith(OF_HANDSHAKES)
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
