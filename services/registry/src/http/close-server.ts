/**
 * Stops listening, and lets requests in progress finish. Node.js closes only the connections that are idle at
 * this moment, so connections that send nothing, or send a request too slowly, are closed after a time limit.
 */
import type { FastifyInstance } from 'fastify'

/** The milliseconds to wait for requests: longer than any command that waits for no composition. */
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
