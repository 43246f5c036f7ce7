/** Names and values of HTTP headers (RFC 9110 section 5), as settings spell them. */
import { z } from 'zod'
import { isForwardable } from './forwardable.ts'

const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
/** The characters that HTTP allows in a value: visible ASCII, space, tab and the upper half of latin1. */
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/

/** Whether a text can be the name of a header. */
export function isHeaderName(text: string): boolean {
  return HEADER_NAME.test(text)
}

/** Whether a text can be the value of a header. */
export function isHeaderValue(text: string): boolean {
  return HEADER_VALUE.test(text)
}

export const HeaderName = z.string().regex(HEADER_NAME, 'expected the name of an HTTP header')
export const HeaderValue = z.string().regex(HEADER_VALUE, 'expected the value of an HTTP header')
/** The name of a header that a rule may send to a subgraph. */
export const ForwardedName = HeaderName.refine(
  isForwardable,
  'this header belongs to one connection or one body (hop-by-hop, host, content-*, accept-encoding, trace context): the router sets it itself and never forwards it',
)
