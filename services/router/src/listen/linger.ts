/**
 * Reads and discards the rest of a body whose request is answered already. Closing a socket with unread bytes
 * resets the connection, and a client that is still writing would then see a broken pipe instead of its
 * answer.
 */
import type { EventEmitter } from 'node:events'

const LINGER_MS = 2000
const LINGER_BYTES = 32 * 1024 * 1024

/**
 * Reads the rest of a body. Calls `end` when that takes too long or is too much, unless `source` emits one of
 * `settled` before.
 */
export function linger(source: EventEmitter, settled: readonly string[], end: () => void): void {
  let left = LINGER_BYTES
  const timer = setTimeout(end, LINGER_MS)
  source.on('data', (chunk: Buffer) => {
    left -= chunk.length
    if (left < 0) end()
  })
  for (const event of settled) source.once(event, () => clearTimeout(timer))
}
