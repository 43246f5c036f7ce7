/**
 * The messages of some subjects, for all that select something of them. NATS is subscribed to once, and each
 * message is parsed once.
 *
 * Messages are read in turns, in their order. A broker does not wait: beyond the limits the oldest waiting
 * messages are dropped, and everybody learns that some are missing. A stream is read as fast as its messages
 * are handed on, so that nothing of it is dropped.
 */
import type { BrokerEvents } from '../../../brokers/events.ts'
import type { ConnectionWatcher, NatsProvider } from '../../../brokers/nats/nats-provider.ts'
import { brokenConnection, openedTooLate, type Fault } from '../failures.ts'
import type { UpstreamEvents } from '../events.ts'
import type { EventTurns, WaitingReader } from '../reading/event-turns.ts'
import { readLarge, readSmall, SMALL_MESSAGE } from '../reading/read-message.ts'
import type { UpstreamConfig } from '../settings.ts'
import type { BrokerRequest } from './broker-request.ts'
import { Backlog, type WaitingMessage } from './backlog.ts'
import { type Messages, openMessages } from './open-messages.ts'
import type { UpstreamFailure } from '../upstream.ts'

/** A stream is read on when fewer messages wait. */
const FEW_WAITING = 100
/** The work for a message besides its bytes, in bytes of JSON. */
const WORK_PER_MESSAGE = 256

/** Something that makes events of messages. */
export interface MessageReader {
  /** Returns the work that it was, in bytes of JSON. */
  message(payload: unknown, bytes: number): number
  /** Messages may be missing before the next one. */
  gap(): void
  failed(reason: UpstreamFailure): void
}

export type MessageFeedOptions = {
  readonly request: BrokerRequest
  readonly provider: NatsProvider
  readonly config: UpstreamConfig
  readonly turns: EventTurns
  readonly events: UpstreamEvents
  readonly brokerEvents: BrokerEvents
  /** Called once, when nobody can join any more. */
  readonly onOver: () => void
}

/** The message that readers are being told. */
type Told = {
  readonly number: number
  readonly payload: unknown
  readonly bytes: number
  readonly readers: Iterator<[MessageReader, number]>
}

export class MessageFeed implements WaitingReader, ConnectionWatcher {
  readonly #options: MessageFeedOptions
  /** Each with the number of the last message that came before it joined. */
  readonly #readers = new Map<MessageReader, number>()
  readonly #watched: Disposable
  readonly #connecting: Disposable
  #messages: Messages | null = null
  #deadline: NodeJS.Timeout | undefined
  readonly #backlog = new Backlog()
  #arrived = 0
  /** The message that is being parsed, or that readers are being told. */
  #current: Told | 'parsing' | null = null
  #onFew: (() => void) | null = null
  #isOver = false

  constructor(options: MessageFeedOptions) {
    const { provider, config, request } = options
    this.#options = options
    this.#watched = provider.watch(this)
    this.#deadline = setTimeout(
      () => this.#fail(openedTooLate(request.subgraph, config.openTimeout)),
      config.openTimeout,
    )
    this.#connecting = provider.whenConnected((link) => {
      clearTimeout(this.#deadline)
      if (this.#isOver) return
      this.#messages = openMessages(link, request, {
        message: (data) => this.#take(data),
        whenFew: () => this.#whenFew(),
        failed: (error) => this.#fail(brokenConnection(request.subgraph, false, error)),
      })
    })
  }

  join(reader: MessageReader): void {
    this.#readers.set(reader, this.#arrived)
  }

  /** Ends with its last reader. */
  leave(reader: MessageReader): void {
    this.#readers.delete(reader)
    if (this.#readers.size === 0) this.close()
  }

  lost(): void {
    const { request, config, events } = this.#options
    if (this.#messages === null) return
    const fault = brokenConnection(request.subgraph, true, new Error('NATS is away'))
    events.lost(request.subgraph, fault)
    this.#deadline = setTimeout(() => this.#fail(fault), config.reconnectWindow)
  }

  back(): void {
    if (this.#messages === null) return
    const { request, events } = this.#options
    clearTimeout(this.#deadline)
    events.reopened(request.subgraph)
    // A stream goes on where it was.
    if (!this.#messages.isGapless) this.#backlog.gap()
  }

  readNext(): boolean {
    if (this.#isOver || this.#current === 'parsing') return false
    return this.#current === null ? this.#begin() : this.#tellNext(this.#current)
  }

  close(): void {
    if (this.#isOver) return
    this.#isOver = true
    clearTimeout(this.#deadline)
    this.#connecting[Symbol.dispose]()
    this.#watched[Symbol.dispose]()
    this.#messages?.close()
    this.#backlog.clear()
    this.#onFew?.()
    this.#options.turns.forget(this)
    this.#options.onOver()
  }

  #take(data: Uint8Array): void {
    const { request, config, brokerEvents } = this.#options
    if (this.#isOver) return
    this.#arrived++
    if (data.length > config.maxEventSize)
      return brokerEvents.skipped(
        request.subgraph,
        request.field.source.field,
        'too-large',
        `has ${data.length} bytes`,
      )
    const isRead = this.#isIdle && !this.#options.turns.isTaken
    const view = Buffer.from(data.buffer, data.byteOffset, data.length)
    // The client's buffer holds many messages, and would be kept for one that waits.
    const dropped = this.#backlog.add(this.#arrived, isRead ? view : Buffer.from(view))
    if (dropped > 0) brokerEvents.dropped(request.subgraph, dropped)
    this.#advance()
  }

  get #isIdle(): boolean {
    return this.#current === null && this.#backlog.length === 0
  }

  /** Reads at once if nobody has to wait for that. */
  #advance(): void {
    const { turns } = this.#options
    if (this.#current !== null || this.#backlog.length > 1) return
    if (turns.isTaken) return turns.wait(this)
    while (this.readNext()) if (turns.isTaken) return turns.wait(this)
  }

  /** Parses the next message. Returns whether something can be read at once. */
  #begin(): boolean {
    const message = this.#backlog.take()
    if (message === undefined) return false
    if (this.#backlog.length < FEW_WAITING) this.#few()
    const { data } = message
    const { turns, request } = this.#options
    const isExact = () => request.exactNumbers
    turns.did(data.length + WORK_PER_MESSAGE)
    if (data.length <= SMALL_MESSAGE) {
      this.#parsed(message, readSmall(data, isExact))
      return true
    }
    this.#current = 'parsing'
    void readLarge(data, isExact, turns).then((payload) => {
      if (this.#isOver) return
      this.#parsed(message, payload)
      turns.wait(this)
    })
    return false
  }

  /** `payload` is undefined if the message is no JSON. */
  #parsed({ number, data, isAfterGap }: WaitingMessage, payload: unknown): void {
    if (isAfterGap) this.#tell((reader) => reader.gap())
    this.#current = { number, payload, bytes: data.length, readers: this.#readers.entries() }
  }

  /** Tells the next reader. */
  #tellNext({ number, payload, bytes, readers }: Told): boolean {
    const { done, value } = readers.next()
    if (done === true) {
      this.#current = null
      return this.#backlog.length > 0
    }
    const [reader, since] = value
    if (since < number) this.#options.turns.did(reader.message(payload, bytes))
    return true
  }

  #tell(tell: (reader: MessageReader) => void): void {
    for (const reader of this.#readers.keys()) tell(reader)
  }

  #whenFew(): Promise<void> | undefined {
    if (this.#isOver || this.#backlog.length < FEW_WAITING) return undefined
    return new Promise((resolve) => (this.#onFew = resolve))
  }

  #few(): void {
    this.#onFew?.()
    this.#onFew = null
  }

  #fail({ failure, detail }: Fault): void {
    if (this.#isOver) return
    const { events, request } = this.#options
    events.lost(request.subgraph, { failure, detail })
    const readers = [...this.#readers.keys()]
    this.close()
    for (const reader of readers) reader.failed(failure)
  }
}
