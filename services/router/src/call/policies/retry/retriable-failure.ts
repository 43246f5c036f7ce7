/** Tells which calls may have failed for a reason that is gone a moment later, and when to retry them. */
import { PhaseTimeoutError } from '../phases/phase-limits.ts'
import {
  CallNotTakenError,
  ConnectionClosedError,
  ConnectTimeoutError,
  StreamEndedError,
} from '../../../transport/http1/connection-errors.ts'

/**
 * Codes of Node.js that are worth a retry. Failures with other codes, such as a refused
 * certificate, would happen the next time, too.
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
  // Unix sockets: the socket is absent while its server restarts, or the server accepts too slowly.
  'ENOENT',
  'EAGAIN',
  // HTTP/2: the other side has ended the connection with an error.
  'ERR_HTTP2_SESSION_ERROR',
])

/**
 * Returns why a call to which no answer has begun is worth a retry: there was no connection, it broke, or the
 * answer took too long to begin. Returns null if a retry would fail, too.
 */
export function retriedFailure(error: Error): 'connection' | 'timeout' | null {
  if (error instanceof PhaseTimeoutError) return 'timeout'
  if (error instanceof ConnectionClosedError || error instanceof ConnectTimeoutError) return 'connection'
  if (error instanceof StreamEndedError || error instanceof CallNotTakenError) return 'connection'
  return 'code' in error && typeof error.code === 'string' && CODES.has(error.code) ? 'connection' : null
}

/**
 * Returns how many milliseconds to wait by `Retry-After` (RFC 9110, section 10.2.3), which has seconds or a
 * date. Returns 0 if there is no such header, or it cannot be read. `now` is in Unix milliseconds.
 */
export function retryAfter(value: string | readonly string[] | undefined, now: number): number {
  if (typeof value !== 'string') return 0
  const text = value.trim()
  if (/^\d+$/.test(text)) return Number(text) * 1000
  const date = Date.parse(text)
  return Number.isNaN(date) ? 0 : Math.max(0, date - now)
}
