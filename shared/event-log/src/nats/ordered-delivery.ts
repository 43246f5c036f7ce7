/**
 * Records of a stream from a sequence on, in order and without gaps, across broken connections and restarted
 * servers.
 *
 * The server forgets such a consumer when it restarts, and may drop messages to a slow connection. So nothing
 * is trusted: each message must be the next of its consumer and must follow, by the expected sequence stored
 * with it, the one delivered before. At any doubt the consumer is thrown away and a new one starts behind the
 * last record delivered.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import {
  AckPolicy,
  type ConsumerMessages,
  DeliverPolicy,
  JetStreamApiCodes,
  JetStreamApiError,
  type JetStreamClient,
  type JetStreamManager,
  type JsMsg,
  ReplayPolicy,
} from '@nats-io/jetstream'
import { nanos } from '@nats-io/transport-node'
import { LogLostError, StreamMissingError } from '../log/errors.ts'
import type { LogEntry } from '../log/event-log.ts'
import { decodeRecord } from '../log/record.ts'
import { type NatsLink, whileConnected } from './connect-nats.ts'

export const EXPECTED_LAST_HEADER = 'Nats-Expected-Last-Subject-Sequence'

const FIRST_RETRY_MS = 50
const LONGEST_RETRY_MS = 1_000
const STALL_CHECK_MS = 5_000

export type Delivery = {
  readonly link: NatsLink
  readonly js: JetStreamClient
  readonly jsm: JetStreamManager
  readonly stream: string
  /** One subject, or null for the whole stream. */
  readonly subject: string | null
  readonly from: number
  readonly signal: AbortSignal
  /** Newest matching sequence, to find out that a quiet consumer is a dead one. */
  readonly newest: () => Promise<number>
}

/** The progress of a delivery, which decides whether the next message follows it. */
type DeliveryProgress = {
  /** Everything up to here was delivered or does not match. */
  through: number
  /** The last one delivered, or 0 at the start of the log; null when reading started in the middle. */
  last: number | null
  /**
   * A message that did not seem to follow. When a fresh consumer brings the same, the stream really is like
   * that.
   */
  doubted: number | null
}

/** Thrown to start again; never leaves this file. */
class DoubtfulDeliveryError extends Error {}

export async function* deliver(delivery: Delivery): AsyncIterable<LogEntry> {
  const { link, signal, from } = delivery
  const position: DeliveryProgress = { through: from - 1, last: from <= 1 ? 0 : null, doubted: null }
  let delay = FIRST_RETRY_MS
  while (!signal.aborted) {
    try {
      await link.whenConnected(signal)
      for await (const message of consume(delivery, position)) {
        yield message
        delay = FIRST_RETRY_MS
      }
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof LogLostError) throw error
      if (link.connection.isClosed()) throw error
      if (isStreamGone(error)) throw new StreamMissingError(delivery.stream)
      await sleep(delay, undefined, { signal }).catch(() => {})
      delay = Math.min(delay * 2, LONGEST_RETRY_MS)
    }
  }
}

async function* consume(delivery: Delivery, position: DeliveryProgress): AsyncIterable<LogEntry> {
  const { link, js, jsm, stream, subject, signal } = delivery
  await checkStillThere(delivery, position)
  const info = await whileConnected(
    link,
    jsm.consumers.add(stream, {
      deliver_policy: DeliverPolicy.StartSequence,
      opt_start_seq: position.through + 1,
      ack_policy: AckPolicy.None,
      replay_policy: ReplayPolicy.Instant,
      ...(subject === null ? {} : { filter_subject: subject }),
      inactive_threshold: nanos(60_000),
      mem_storage: true,
      num_replicas: 1,
    }),
  )
  const messages = await js.consumers
    .getConsumerFromInfo(info)
    .consume({ max_messages: 100, expires: 10_000, idle_heartbeat: 2_000, abort_on_missing_resource: true })
  const { session } = link
  const stop = (): void => messages.stop()
  signal.addEventListener('abort', stop)
  session.addEventListener('abort', stop)
  if (signal.aborted || session.aborted) stop()
  const watch = watchForStall(delivery, position, messages)
  try {
    let delivered = 0
    for await (const message of messages) {
      if (signal.aborted) return
      delivered += 1
      checkFollows(message, delivered, delivery, position)
      watch.busy(true)
      const entry = entryOf(message)
      position.through = message.seq
      position.last = message.seq
      position.doubted = null
      yield entry
      watch.busy(false)
    }
  } finally {
    watch.end()
    signal.removeEventListener('abort', stop)
    session.removeEventListener('abort', stop)
    messages.stop()
    // Best effort: the server removes an unused consumer itself after a minute.
    if (link.connected) jsm.consumers.delete(stream, info.name).catch(() => {})
  }
}

/** A stream that ends before what was read, or no longer has its start, is not the log it was. */
async function checkStillThere({ link, jsm, stream }: Delivery, position: DeliveryProgress): Promise<void> {
  const { state } = await whileConnected(link, jsm.streams.info(stream))
  // Whoever reads from the middle on has read what is before.
  const readUpTo = position.through
  const loss = { log: stream, readUpTo, end: state.last_seq }
  if (readUpTo > state.last_seq) {
    throw new LogLostError(
      loss,
      `it ends at sequence ${state.last_seq}, and was read up to ${readUpTo} before`,
    )
  }
  if (state.messages > 0 && state.first_seq > position.through + 1) {
    throw new LogLostError(
      loss,
      `it starts at sequence ${state.first_seq}, and the records from ${position.through + 1} on should be there`,
    )
  }
}

function checkFollows(
  message: JsMsg,
  delivered: number,
  delivery: Delivery,
  position: DeliveryProgress,
): void {
  if (message.seq <= position.through || message.info.deliverySequence !== delivered) {
    throw new DoubtfulDeliveryError(`message ${message.seq} came out of turn`)
  }
  const gap =
    delivery.subject === null
      ? message.seq !== position.through + 1
      : position.last !== null && (expectedLast(message) ?? position.last) !== position.last
  if (!gap) return
  if (position.doubted !== message.seq) {
    position.doubted = message.seq
    throw new DoubtfulDeliveryError(`message ${message.seq} does not follow ${position.last}`)
  }
  // Within one subject the record itself is enough: a reducer skips what was decided on another state.
  if (delivery.subject === null) {
    throw new LogLostError(
      { log: delivery.stream, readUpTo: position.through, end: message.seq },
      `records ${position.through + 1} to ${message.seq - 1} are missing`,
    )
  }
}

function expectedLast(message: JsMsg): number | null {
  const text = message.headers?.get(EXPECTED_LAST_HEADER) ?? ''
  return text === '' ? null : Number.parseInt(text, 10)
}

function entryOf(message: JsMsg): LogEntry {
  return {
    subject: message.subject,
    sequence: message.seq,
    record: decodeRecord(Buffer.from(message.data).toString('utf8')),
  }
}

/** Asks the stream now and then whether there is something that a waiting consumer should have brought. */
function watchForStall(
  { link, newest }: Delivery,
  position: DeliveryProgress,
  messages: ConsumerMessages,
): { readonly busy: (value: boolean) => void; readonly end: () => void } {
  let readerBusy = false
  const timer = setInterval(() => {
    const before = position.through
    newest().then(
      (sequence) => {
        if (link.connected && !readerBusy && sequence > before && position.through === before) messages.stop()
      },
      (error: unknown) => {
        if (isStreamGone(error)) messages.stop()
      },
    )
  }, STALL_CHECK_MS)
  return {
    busy: (value) => {
      readerBusy = value
    },
    end: () => clearInterval(timer),
  }
}

/** NATS answers, and has no such stream. */
export function isStreamGone(error: unknown): boolean {
  return error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamNotFound
}
