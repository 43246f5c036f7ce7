/** The header `traceparent` of W3C Trace Context: https://www.w3.org/TR/trace-context/#traceparent-header */
import { randomBytes } from 'node:crypto'
import type { SpanContext } from '@opentelemetry/api'

const SAMPLED = 1
const ALL_ZEROS = /^0+$/

/**
 * Null for anything that is not a usable W3C `traceparent`. Later versions are read by the rules of version
 * 00.
 */
export function parseTraceparent(text: string | undefined): SpanContext | null {
  const match = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/.exec(text ?? '')
  if (match === null) return null
  const [, version, traceId = '', spanId = '', flags = '', rest] = match
  if (version === 'ff' || (version === '00' && rest !== undefined)) return null
  if (ALL_ZEROS.test(traceId) || ALL_ZEROS.test(spanId)) return null
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true }
}

export function traceparentText({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-${(traceFlags & 0xff).toString(16).padStart(2, '0')}`
}

/**
 * Makes a `traceparent` for programs that keep no span: a new trace, or a new span of the trace that the
 * given one names, if that is usable.
 */
export function newTraceparent(outer?: string): string {
  const traceId = parseTraceparent(outer)?.traceId ?? randomBytes(16).toString('hex')
  return traceparentText({ traceId, spanId: randomBytes(8).toString('hex'), traceFlags: SAMPLED })
}
