/**
 * Subscribes to subjects of NATS: to messages as they are published, or to those of a JetStream stream.
 *
 * A stream is read by an ordered consumer of the router's own. The server keeps it for the threshold of the
 * directive after the connection was lost, and the client makes it anew from where it was if it is gone: so
 * nothing is lost and nothing comes twice. It begins with what is stored after the subscription.
 */
import type { NatsLink } from '@switchyard/event-log'
import type { EventSource } from '@switchyard/engine'
import type { ConsumerMessages, JetStreamManager } from '@nats-io/jetstream'
import type { BrokerRequest } from './broker-request.ts'

/** An open subscription. */
export interface Messages {
  /** Whether nothing is missing after the connection was lost. */
  readonly isGapless: boolean
  close(): void
}

/** Takes the messages. Nothing is called after `close`. */
export type MessageTaker = {
  readonly message: (data: Uint8Array) => void
  /** Resolves when more messages may come; undefined if they may at once. */
  readonly whenFew: () => Promise<void> | undefined
  readonly failed: (error: unknown) => void
}

type Stream = NonNullable<EventSource['stream']>

/** Opens the subscription of a request. */
export function openMessages(link: NatsLink, request: BrokerRequest, taker: MessageTaker): Messages {
  const { stream } = request.field.source
  return stream === null
    ? new PublishedMessages(link, request.subjects, taker)
    : new StoredMessages(link, { stream, subjects: request.subjects }, taker)
}

/** Messages as they are published. */
class PublishedMessages implements Messages {
  readonly isGapless = false
  readonly #close: () => void

  constructor({ connection }: NatsLink, subjects: readonly string[], taker: MessageTaker) {
    let isOver = false
    const subscriptions = subjects.map((subject) =>
      connection.subscribe(subject, {
        callback: (error, message) => {
          if (isOver) return
          if (error === null) taker.message(message.data)
          else taker.failed(error)
        },
      }),
    )
    this.#close = () => {
      isOver = true
      if (!connection.isClosed()) for (const subscription of subscriptions) subscription.unsubscribe()
    }
  }

  close(): void {
    this.#close()
  }
}

/** Messages that a pull brings: memory for so many is needed at once. */
const MOST_PULLED = 32

/** A pull lasts so long. The client also looks so often whether a stream is there again that was away. */
const PULL_MS = 5000

/** Messages of a stream. */
class StoredMessages implements Messages {
  readonly isGapless = true
  #messages: ConsumerMessages | null = null
  #isOver = false

  constructor(
    link: NatsLink,
    of: { readonly stream: Stream; readonly subjects: readonly string[] },
    taker: MessageTaker,
  ) {
    this.#read(link, of, taker).catch((error: unknown) => {
      if (!this.#isOver) taker.failed(error)
    })
  }

  close(): void {
    this.#isOver = true
    const messages = this.#messages
    // The consumer of the server ends by its threshold, or before if it can be told.
    void messages?.close().catch(() => undefined)
  }

  async #read(
    { connection }: NatsLink,
    { stream, subjects }: { readonly stream: Stream; readonly subjects: readonly string[] },
    taker: MessageTaker,
  ): Promise<void> {
    const { jetstream, jetstreamManager } = await import('@nats-io/jetstream')
    const manager = await jetstreamManager(connection, { checkAPI: false })
    const consumer = await jetstream(connection).consumers.get(stream.name, {
      name_prefix: `${stream.consumer}_${crypto.randomUUID().slice(0, 8)}`,
      // Servers before 2.10 know no lists.
      filter_subjects: subjects.length === 1 ? (subjects[0] ?? '') : [...subjects],
      opt_start_seq: await firstNewOf(manager, stream.name),
      inactive_threshold: stream.inactiveThreshold * 1000,
    })
    if (this.#isOver) return
    const messages = await consumer.consume({ max_messages: MOST_PULLED, expires: PULL_MS })
    this.#messages = messages
    for await (const { data } of messages) {
      if (this.#isOver) break
      taker.message(data)
      await taker.whenFew()
    }
    await consumer.delete().catch(() => undefined)
    if (!this.#isOver) throw new Error(`the consumer of stream ${stream.name} has ended`)
  }
}

/** The sequence of the first message that is not stored yet. */
async function firstNewOf(manager: JetStreamManager, stream: string): Promise<number> {
  const { state } = await manager.streams.info(stream)
  return state.last_seq + 1
}
