import { setTimeout as sleep } from 'node:timers/promises'
import { JetStreamApiError } from '@nats-io/jetstream'
import { EventLogUnavailableError, StorageError } from '../errors.ts'
import { type NatsLink, whileConnected } from './connect-nats.ts'

const RETRY_MS = 250

/** How a start that depends on others is steered and watched. */
export type Waiting = {
  /** Ends waiting. */
  readonly signal?: AbortSignal
  /** Told what a start waits for, once per reason, so that it can be logged. */
  readonly onWaiting?: (reason: string) => void
}

/**
 * Repeats a step of the start until it succeeds: the server, its JetStream, or the owner of a stream may still be
 * starting. What waiting cannot repair is thrown.
 */
export async function untilItWorks<Value>(
  link: NatsLink,
  { signal, onWaiting = () => {} }: Waiting,
  step: () => Promise<Value>,
): Promise<Value> {
  let told: string | null = null
  for (;;) {
    await link.whenConnected(signal)
    try {
      return await whileConnected(link, step())
    } catch (error) {
      signal?.throwIfAborted()
      if (!mayPass(error) || link.connection.isClosed()) throw error
      const reason = error instanceof Error ? error.message : String(error)
      if (reason !== told) onWaiting(reason)
      told = reason
    }
    await sleep(RETRY_MS, undefined, { signal })
  }
}

function mayPass(error: unknown): boolean {
  if (error instanceof StorageError) return error instanceof EventLogUnavailableError
  // 4xx: the request itself was refused. 503: not at this moment.
  return !(error instanceof JetStreamApiError) || error.status >= 500
}
