/**
 * Stops listening, and answers what was asked already. A connection on which nothing was asked yet, or a
 * request that is still being sent, does not hold the stop up for ever: Node.js ends only those that are idle
 * at the moment of closing.
 */
import type { FastifyInstance } from 'fastify'

/** Longer than any command takes that does not wait for compositions. */
const DRAIN_LIMIT_MS = 15_000
const LOOK_EVERY_MS = 50

export async function closeServer(app: FastifyInstance, limitMs = DRAIN_LIMIT_MS): Promise<void> {
  const idle = setInterval(() => app.server.closeIdleConnections(), LOOK_EVERY_MS)
  const limit = setTimeout(() => app.server.closeAllConnections(), limitMs)
  try {
    await app.close()
  } finally {
    clearInterval(idle)
    clearTimeout(limit)
  }
}
