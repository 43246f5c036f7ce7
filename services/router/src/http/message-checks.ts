/**
 * Finds what makes a request ambiguous. A proxy in front of the router may have understood such a request
 * differently, which attackers use (request smuggling), and node:http accepts it.
 */
import type { IncomingMessage } from 'node:http'

/** https://www.rfc-editor.org/rfc/rfc3986#section-3.2: a name or an address, and maybe a port. */
const HOST = /^(?:\[[0-9a-fv:.]+\]|[\w.~!$&'()*+,;=%-]+)(?::\d{0,5})?$/i

/** What is wrong with the host; null: nothing. */
export function hostFault({ headers, httpVersion }: IncomingMessage): string | null {
  const { host } = headers
  if (host === undefined) {
    return httpVersion === '1.1' ? 'The request has no Host header, which HTTP/1.1 demands.' : null
  }
  if (!HOST.test(host)) return 'The Host header is no host. Expected a name or an address, and maybe a port.'
  return null
}

/**
 * Headers of which Node.js takes one line and drops the others without a word. A proxy may have taken another
 * one: it checked one token, and the router would go by the other.
 */
const ONCE = new Map(['Host', 'Content-Type', 'Authorization'].map((name) => [name.toLowerCase(), name]))
const ONCE_LENGTHS: ReadonlySet<number> = new Set([...ONCE.keys()].map(({ length }) => length))

/** Which header is there several times and must not be; null: none. */
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

/** What is wrong with how a request of HTTP/1 says what it is and where it ends; null: nothing. */
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
