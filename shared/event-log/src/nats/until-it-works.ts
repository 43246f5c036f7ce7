import { setTimeout as sleep } from 'node:timers/promises'
import { JetStreamApiError } from '@nats-io/jetstream'
import type { ServerProblem } from '@switchyard/service-kit'
import { EventLogUnavailableError, StorageError } from '../log/errors.ts'
import { type NatsLink, whileConnected } from './connect-nats.ts'

const RETRY_MS = 250

/** How a start that depends on others is steered and watched. */
export type StartWait = {
  /** Ends waiting. */
  readonly signal?: AbortSignal
  /** Called with the reason why a start waits; null when that is over. The same reason may come again. */
  readonly onProblem?: (problem: ServerProblem | null) => void
}

/**
 * Repeats a step of the start until it succeeds: the server, its JetStream, or the owner of a stream may
 * still be starting. What waiting cannot repair is thrown.
 */
export async function untilItWorks<Value>(
  link: NatsLink,
  { signal, onProblem = () => {} }: StartWait,
  step: () => Promise<Value>,
): Promise<Value> {
  let waited = false
  for (;;) {
    await link.whenConnected(signal)
    try {
      const value = await whileConnected(link, step())
      if (waited) onProblem(null)
      return value
    } catch (error) {
      signal?.throwIfAborted()
      if (!isTemporary(error) || link.connection.isClosed()) throw error
      // A broken connection is told about by itself.
      if (link.connected) onProblem(link.problemOf(error))
      waited = true
    }
    await sleep(RETRY_MS, undefined, { signal })
  }
}

function isTemporary(error: unknown): boolean {
  if (error instanceof StorageError) return error instanceof EventLogUnavailableError
  // 4xx: the request itself was refused. 503: not at this moment.
  return !(error instanceof JetStreamApiError) || error.status >= 500
}
