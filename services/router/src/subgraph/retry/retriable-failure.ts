/** Which calls may have failed for a reason that is gone a moment later, and when to ask again. */
import { PhaseTimeoutError } from '../phase-limits.ts'
import {
  CallNotTakenError,
  ConnectionClosedError,
  ConnectTimeoutError,
  StreamEndedError,
} from '../http1/connection-errors.ts'

/**
 * Codes of Node.js and undici. What is not listed, such as a refused certificate, fails the next time, too.
 */
const CODES: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EAI_AGAIN',
  // Of Unix sockets: there is none while its server starts again, or its server accepts too slowly.
  'ENOENT',
  'EAGAIN',
  'UND_ERR_SOCKET',
  'UND_ERR_CONNECT_TIMEOUT',
  // Of HTTP/2: the other side has ended the connection with an error.
  'ERR_HTTP2_SESSION_ERROR',
])

/**
 * Of a call to which no answer has begun: there was no connection, it broke, or the answer took too long to
 * begin. null: the next call would fail, too.
 */
export function retriedFailure(error: Error): 'connection' | 'timeout' | null {
  if (error instanceof PhaseTimeoutError) return 'timeout'
  if (error instanceof ConnectionClosedError || error instanceof ConnectTimeoutError) return 'connection'
  if (error instanceof StreamEndedError || error instanceof CallNotTakenError) return 'connection'
  return 'code' in error && typeof error.code === 'string' && CODES.has(error.code) ? 'connection' : null
}

/**
 * Milliseconds to wait by `Retry-After` (RFC 9110, section 10.2.3): seconds or a date. 0: it says nothing.
 * `now`: Unix milliseconds.
 */
export function retryAfter(value: string | readonly string[] | undefined, now: number): number {
  if (typeof value !== 'string') return 0
  const text = value.trim()
  if (/^\d+$/.test(text)) return Number(text) * 1000
  const date = Date.parse(text)
  return Number.isNaN(date) ? 0 : Math.max(0, date - now)
}
