/**
 * Finds ambiguous parts of a request. A proxy in front of the router may have understood such a request
 * differently, which attackers use (request smuggling), and node:http accepts it.
 */
import type { IncomingMessage } from 'node:http'

/** A name or an address, and maybe a port: https://www.rfc-editor.org/rfc/rfc3986#section-3.2 */
const HOST = /^(?:\[[0-9a-fv:.]+\]|[\w.~!$&'()*+,;=%-]+)(?::\d{0,5})?$/i

/** Returns what is wrong with the host, or null if it is valid. */
export function hostFault({ headers, httpVersion }: IncomingMessage): string | null {
  const { host } = headers
  if (host === undefined) {
    return httpVersion === '1.1' ? 'The request has no Host header, which HTTP/1.1 demands.' : null
  }
  if (!HOST.test(host)) return 'The Host header is no host. Expected a name or an address, and maybe a port.'
  return null
}

/**
 * Headers that may come only once, because Node.js takes one line and silently drops the others. A proxy may
 * have taken another line: it checked one token, and the router would use the other.
 */
const ONCE = new Map(['Host', 'Content-Type', 'Authorization'].map((name) => [name.toLowerCase(), name]))
const ONCE_LENGTHS: ReadonlySet<number> = new Set([...ONCE.keys()].map(({ length }) => length))

/** Returns the fault of a request with several headers of which only one is allowed. Null if it has none. */
export function repetitionFault({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): string | null {
  const seen: string[] = []
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const written = rawHeaders[index] ?? ''
    if (!ONCE_LENGTHS.has(written.length)) continue
    const key = written.toLowerCase()
    const name = ONCE.get(key)
    if (name === undefined) continue
    if (seen.includes(key))
      return `The request has more than one ${name} header. Expected one: what stands in front of the router may go by another one than the router.`
    seen.push(key)
  }
  return null
}

/**
 * Returns what is wrong with the version or the framing of a request of HTTP/1, or null if both are valid.
 */
export function framingFault({ headers, httpVersion }: IncomingMessage): string | null {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') {
    return `The request says that it is HTTP/${httpVersion}, in the form of HTTP/1. Expected HTTP/1.1 or HTTP/1.0.`
  }
  const coding = headers['transfer-encoding']
  if (coding !== undefined && coding.trim().toLowerCase() !== 'chunked') {
    return 'The Transfer-Encoding is not supported. Expected chunked, once and alone.'
  }
  return null
}
