/** The reasons for which WebSockets end, and the codes that clients are told. */

/** The code of each reason for which the router closes a WebSocket. */
export const CLOSE_CODES = {
  'bad-message': 4400,
  'not-initialised': 4401,
  forbidden: 4403,
  'init-timeout': 4408,
  'id-in-use': 4409,
  'initialised-twice': 4429,
  idle: 1000,
  age: 1001,
  draining: 1001,
  unavailable: 1013,
} as const

/** A reason for which the router closes a WebSocket with a code. */
export type ClosingReason = keyof typeof CLOSE_CODES

/**
 * Any reason for which a WebSocket ends: `client` closed it, the connection was `lost`, a `frame` broke the
 * rules of RFC 6455 or the limits, the client answered no ping, or read too slowly, or began a message and
 * did not end it.
 */
export type EndReason = ClosingReason | 'client' | 'lost' | 'frame' | 'no-pong' | 'stalled' | 'half-message'

/** Bytes of a reason in a close frame: https://www.rfc-editor.org/rfc/rfc6455#section-5.5 */
const MAX_REASON = 123

/** Cuts a reason to what a close frame has room for. */
export function closeReason(text: string): string {
  const bytes = Buffer.from(text)
  if (bytes.length <= MAX_REASON) return text
  let end = MAX_REASON
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--
  return bytes.toString('utf8', 0, end)
}
