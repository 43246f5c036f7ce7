/** Publishes one event, and waits until NATS has taken it. */
import type { NatsLink } from '@switchyard/event-log'
import { messageOf } from '@switchyard/values'
import { setImmediate as turn, setTimeout as delay } from 'node:timers/promises'
import { type CallFailure, failureOf } from './call-failure.ts'

/** A message to be sent. */
export type PublishedCall = {
  readonly subgraph: string
  readonly subject: string
  /** Null if there is no connection. */
  readonly link: NatsLink | null
  readonly payload: Buffer
  /** Milliseconds. */
  readonly timeout: number
}

/** A call that publishes. */
type PublishingCall = PublishedCall & {
  /** Whether NATS has said that the router may not publish to a subject. */
  readonly isForbidden: (subject: string) => boolean
}

/** The value is true. A failure means that NATS may not have taken the event. */
export async function publish({
  subgraph,
  subject,
  link,
  payload,
  timeout,
  isForbidden,
}: PublishingCall): Promise<{ readonly value: true } | { readonly failure: CallFailure }> {
  if (link === null) return failureOf('SUBGRAPH_UNREACHABLE', subgraph, 'there is no connection to NATS')
  const { connection, session } = link
  const most = connection.info?.max_payload ?? 0
  if (most > 0 && payload.length > most)
    return failureOf('SUBGRAPH_REQUEST_INVALID', subgraph, `NATS takes messages of ${most} bytes at most`)
  const over = new AbortController()
  try {
    connection.publish(subject, payload)
    const isTaken = await Promise.race([
      connection.flush().then(() => true),
      delay(timeout, false, { signal: AbortSignal.any([over.signal, session]) }),
    ])
    // NATS tells what it forbids before it answers, and the client after that.
    await turn()
    if (isForbidden(subject)) return failureOf('SUBGRAPH_UNREACHABLE', subgraph, 'NATS does not permit it')
    return isTaken ? { value: true } : failureOf('SUBGRAPH_TIMEOUT', subgraph, 'NATS did not answer in time')
  } catch (error) {
    return failureOf('SUBGRAPH_UNREACHABLE', subgraph, messageOf(error))
  } finally {
    over.abort()
  }
}
