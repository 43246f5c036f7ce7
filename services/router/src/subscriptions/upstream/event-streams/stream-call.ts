/**
 * One request whose answer is an event stream, in the distinct connections mode of GraphQL over SSE:
 * https://github.com/enisdenjo/graphql-sse/blob/master/PROTOCOL.md
 */
import { isJsonObject, type JsonObject } from '@switchyard/engine'
import { StreamParser, type StreamSink } from '@switchyard/event-streams'
import type { CallController, CallHandler, ReceivedHeaders } from '../../../transport/dispatch/call-pool.ts'
import type { Nonsense, UpstreamEvents } from '../events.ts'
import {
  brokenConnection,
  brokenProtocol,
  type Fault,
  notSendable,
  openedTooLate,
  refusedByStatus,
  tooLargeEvent,
} from '../failures.ts'
import { InvalidRequestError } from '../../../transport/http1/connection-errors.ts'
import type { EventTurns } from '../reading/event-turns.ts'
import { MessageQueue } from '../reading/message-queue.ts'
import { MOST_NONSENSE, NonsenseCount } from '../reading/nonsense-count.ts'
import { readLarge, readSmall, SMALL_MESSAGE } from '../reading/read-message.ts'
import type { UpstreamConfig } from '../settings.ts'
import { Refusal } from './refusal.ts'

export const EVENT_STREAM = 'text/event-stream'

/**
 * The codings of an answer that is compressed. Other values mean that it is not: GraphQL Yoga sends `none`.
 */
const CODINGS = /gzip|deflate|compress|br|zstd|dcb|dcz/i

const GIVEN_UP = new Error('Nobody waits for events of this stream any more.')

/** Receives what comes on an event stream. */
export interface StreamOwner {
  /** True if the subscription was open before, so that a failing subgraph may recover. */
  readonly isReopening: boolean
  /** The subgraph has answered whether it accepts the subscription. What it decided follows. */
  answered(status: number): void
  /** The subgraph has accepted the subscription. */
  opened(): void
  event(body: JsonObject, bytes: number): void
  /** The subgraph has ended the subscription. Nothing follows. */
  completed(): void
  /** The stream is over without its subscription being completed. Nothing follows. */
  ended(fault: Fault): void
}

export type StreamCallOptions = {
  readonly subgraph: string
  readonly exactNumbers: boolean
  readonly config: UpstreamConfig
  readonly turns: EventTurns
  readonly events: UpstreamEvents
  readonly owner: StreamOwner
}

/** An event of the stream. */
type StreamEvent = { readonly name: string; readonly data: Buffer }

/** The handler of one request. Its owner is told nothing after `close`. */
export class StreamCall implements CallHandler, StreamSink {
  readonly #options: StreamCallOptions
  readonly #queue: MessageQueue<StreamEvent>
  readonly #parser: StreamParser
  readonly #nonsense: NonsenseCount
  /** The body of an answer that is no event stream. */
  readonly #refusal = new Refusal()
  #controller: CallController | null = null
  #openTimer: NodeJS.Timeout | undefined
  #isOpen = false
  /** True if the owner is told nothing more. */
  #isOver = false
  /** True if nothing more is read from the connection. */
  #isClosed = false
  #status = 0

  constructor(options: StreamCallOptions) {
    const { subgraph, turns, config, events } = options
    this.#options = options
    this.#nonsense = new NonsenseCount(subgraph, events)
    this.#parser = new StreamParser(this, config.maxEventSize)
    this.#queue = new MessageQueue({
      turns,
      sizeOf: ({ data }) => data.length,
      read: (event) => this.#read(event),
      pause: () => this.#controller?.pause(),
      resume: () => this.#resume(),
    })
    this.#openTimer = setTimeout(
      () => this.#fail(openedTooLate(subgraph, config.openTimeout)),
      config.openTimeout,
    )
  }

  /** True if the request has had a connection. */
  get hasBegun(): boolean {
    return this.#controller !== null
  }

  /** True if nothing is sent or read any more. */
  get isClosed(): boolean {
    return this.#isClosed
  }

  /** Gives the request up. The owner is told nothing more. */
  close(): void {
    this.#isOver = true
    this.#queue[Symbol.dispose]()
    this.#stopReading()
  }

  onRequestStart(controller: CallController): void {
    this.#controller = controller
    if (this.#isClosed) controller.abort(GIVEN_UP)
  }

  onResponseStart(_controller: CallController, status: number, headers: ReceivedHeaders): void {
    if (this.#isClosed) return
    const { subgraph, events, owner } = this.#options
    this.#status = status
    const [type = ''] = String(headers['content-type'] ?? '').split(';')
    if (type.trim().toLowerCase() !== EVENT_STREAM) return
    owner.answered(status)
    // Some servers send their GraphQL errors as a stream with a status such as 500.
    const refusal = status === 200 ? null : refusedByStatus(subgraph, status)
    if (refusal?.mayRecover === true && owner.isReopening) return this.#fail(refusal)
    if (CODINGS.test(String(headers['content-encoding'] ?? '')))
      return this.#fail(
        brokenProtocol(subgraph, 'compressed its event stream, which was not asked for', false),
      )
    clearTimeout(this.#openTimer)
    this.#isOpen = true
    events.connected('sse')
    owner.opened()
  }

  onResponseData(_controller: CallController, chunk: Buffer): void {
    if (this.#isClosed) return
    this.#queue.arrived(chunk.length)
    if (this.#isOpen) this.#parser.read(chunk)
    else if (!this.#refusal.add(chunk)) this.#refused()
  }

  onResponseEnd(): void {
    if (this.#isClosed) return
    const { subgraph } = this.#options
    if (!this.#isOpen) this.#refused()
    else if (this.#status !== 200) this.#fail(refusedByStatus(subgraph, this.#status))
    else this.#fail(brokenConnection(subgraph, true, 'the event stream ended early'))
  }

  onResponseError(_controller: CallController | null, error: Error): void {
    const { subgraph } = this.#options
    if (error instanceof InvalidRequestError) this.#fail(notSendable(subgraph, error))
    else this.#fail(brokenConnection(subgraph, this.#isOpen, error))
  }

  event(name: string, { buffer, byteOffset, length }: Uint8Array<ArrayBuffer>): void {
    if (!this.#isClosed) this.#queue.push({ name, data: Buffer.from(buffer, byteOffset, length) })
  }

  tooLarge(): void {
    this.#fail(tooLargeEvent(this.#options.subgraph, this.#options.config.maxEventSize))
  }

  /** Reads on after this turn of the event loop: the caller may be in the middle of what it has read. */
  #resume(): void {
    setImmediate(() => {
      if (!this.#isClosed && !this.#queue.isPaused) this.#controller?.resume()
    })
  }

  #read({ name, data }: StreamEvent): Promise<void> | undefined {
    if (name === 'complete') {
      this.#complete()
      return undefined
    }
    // Some servers leave the name of the most frequent event out.
    if (name !== 'next' && name !== '') {
      this.#skip('no-message')
      return undefined
    }
    if (data.length > SMALL_MESSAGE) return this.#readInTurns(data)
    this.#take(readSmall(data, this.#isExact), data.length)
    return undefined
  }

  async #readInTurns(data: Buffer): Promise<void> {
    this.#take(await readLarge(data, this.#isExact, this.#options.turns), data.length)
  }

  readonly #isExact = (value: unknown): boolean =>
    this.#options.exactNumbers || (isJsonObject(value) && 'errors' in value)

  #take(value: unknown, bytes: number): void {
    if (this.#isOver) return
    if (isJsonObject(value)) this.#options.owner.event(value, bytes)
    else this.#skip(value === undefined ? 'not-json' : 'no-message')
  }

  #skip(kind: Nonsense): void {
    if (!this.#nonsense.isTooMuch(kind)) return
    const problem = `sent ${MOST_NONSENSE} events that are none of GraphQL over SSE`
    this.#fail(brokenProtocol(this.#options.subgraph, problem, true))
  }

  /**
   * Ends a subscription that was answered with something else than an event stream. GraphQL errors are told
   * as an event, because they are filtered like those of any answer.
   */
  #refused(): void {
    const { subgraph, owner } = this.#options
    owner.answered(this.#status)
    const fault =
      this.#status === 200
        ? brokenProtocol(subgraph, `did not answer the subscription with ${EVENT_STREAM}`, false)
        : refusedByStatus(subgraph, this.#status)
    const isPassing = fault.mayRecover && owner.isReopening
    const refusal = isPassing ? null : this.#refusal.errors()
    if (refusal === null) return this.#fail(fault)
    owner.event({ errors: refusal.errors }, refusal.bytes)
    this.#complete()
  }

  #complete(): void {
    if (this.#isOver) return
    this.close()
    this.#options.owner.completed()
  }

  /** Ends the stream when what has come is read. */
  #fail(fault: Fault): void {
    if (this.#isClosed) return
    this.#stopReading()
    this.#queue.end(() => {
      if (this.#isOver) return
      this.#isOver = true
      this.#options.owner.ended(fault)
    })
  }

  #stopReading(): void {
    clearTimeout(this.#openTimer)
    if (this.#isClosed) return
    this.#isClosed = true
    this.#parser.stop()
    if (this.#isOpen) this.#options.events.disconnected('sse')
    this.#controller?.abort(GIVEN_UP)
  }
}
