/**
 * One subscription of a client: takes the events of its source, has each completed by what other subgraphs
 * add to it, and sends the results in the order of the events.
 */
import type { EventSink } from '../../request/event-sink.ts'
import { EventQueue, type QueueLimits, type WaitingEvent } from './event-queue.ts'

/** A reason for which a subscription ends, as its client is told. */
export type EndReason = { readonly code: string; readonly message: string }

/** A result as it is sent to the client. */
export type PrintedResult = string | readonly Uint8Array[]

/** Completes one event. `done` is called once, and never before this has returned. */
export type CompleteEvent = (
  event: WaitingEvent,
  done: (result: PrintedResult | null) => void,
) => { abort(): void }

/** The limits of one subscription. */
export type SubscriptionLimits = QueueLimits & {
  /** The number of events that are completed at the same time. */
  readonly parallelEvents: number
}

/** The parts of a subscription. */
export type SubscriptionOptions = {
  readonly sink: EventSink
  readonly limits: SubscriptionLimits
  readonly complete: CompleteEvent
  /** Called when events were dropped, with their number. */
  readonly onDropped: (count: number) => void
  /** Called once, when the client has been told the end. `reason` is null if the source has ended. */
  readonly onEnded: (reason: EndReason | null) => void
}

/** An event that is being completed, or whose result waits for those before it. */
type Completing = {
  /** Undefined while it is being completed; null if it came to nothing. */
  result: PrintedResult | null | undefined
  execution: { abort(): void } | null
}

export class Subscription {
  readonly #options: SubscriptionOptions
  readonly #queue: EventQueue
  /** In the order of the events. */
  #completing: Completing[] = []
  #complete: CompleteEvent
  #isPaused = false
  /** The source has ended, for this reason or by itself. What it has sent is still delivered. */
  #sourceEnd: { readonly reason: EndReason | null } | null = null
  #isOver = false

  constructor(options: SubscriptionOptions) {
    this.#options = options
    this.#complete = options.complete
    this.#queue = new EventQueue(options.limits)
  }

  /** Whether the client has been told the end, or is gone. */
  get isOver(): boolean {
    return this.#isOver
  }

  /** Takes an event of the source. `bytes`: its size as it came. */
  event(body: unknown, bytes: number): void {
    if (this.#isOver || this.#sourceEnd !== null) return
    const dropped = this.#queue.add(body, bytes)
    if (dropped === null) return this.end(QUEUE_FULL)
    if (dropped > 0) this.#options.onDropped(dropped)
    this.#advance()
  }

  /** Notes that the source was lost for a while. */
  reopened(): void {
    this.#queue.lost()
  }

  /** The source has ended by itself. */
  completed(): void {
    this.#sourceEnded(null)
  }

  /** The source has failed. */
  failed(reason: EndReason): void {
    this.#sourceEnded(reason)
  }

  /** Completes events in another way from the next one on. */
  moved(complete: CompleteEvent): void {
    this.#complete = complete
  }

  /** Ends at once for a reason that the client is told. What was not sent is dropped. */
  end(reason: EndReason): void {
    this.#finish(reason, (sink) => sink.fail(errorsOf(reason)))
  }

  /** Ends at once since the router drains. */
  leave(reason: EndReason): void {
    this.#finish(reason, (sink) => sink.leave())
  }

  /** Ends without a word: the client is gone. */
  abandon(): void {
    this.#isOver = true
    this.#queue.clear()
    for (const { execution } of this.#completing) execution?.abort()
    this.#completing = []
  }

  #finish(reason: EndReason | null, tell: (sink: EventSink) => void): void {
    if (this.#isOver) return
    this.abandon()
    const { sink, onEnded } = this.#options
    if (!sink.isOver) tell(sink)
    onEnded(reason)
  }

  #sourceEnded(reason: EndReason | null): void {
    this.#sourceEnd ??= { reason }
    this.#advance()
  }

  #advance(): void {
    const { limits } = this.#options
    while (!this.#isOver && !this.#isPaused && this.#completing.length < limits.parallelEvents) {
      const event = this.#queue.take()
      if (event === null) break
      this.#begin(event)
    }
    const isEmpty = this.#queue.length === 0 && this.#completing.length === 0
    if (!isEmpty || this.#sourceEnd === null) return
    const { reason } = this.#sourceEnd
    if (reason === null) this.#finish(null, (sink) => sink.complete())
    else this.end(reason)
  }

  #begin(event: WaitingEvent): void {
    const own: Completing = { result: undefined, execution: null }
    this.#completing.push(own)
    own.execution = this.#complete(event, (result) => {
      own.result = result
      own.execution = null
      this.#deliver()
    })
  }

  /** Sends the results that no earlier event holds back. */
  #deliver(): void {
    while (!this.#isOver) {
      const [first] = this.#completing
      if (first?.result === undefined) break
      this.#completing.shift()
      if (first.result !== null) this.#send(first.result)
    }
    this.#advance()
  }

  #send(result: PrintedResult): void {
    const { sink } = this.#options
    if (sink.isOver || sink.next(result) || this.#isPaused) return
    this.#isPaused = true
    sink.onceDrained(() => {
      this.#isPaused = false
      this.#advance()
    })
  }
}

/** Returns the errors of a subscription that ends for this reason, as JSON. */
function errorsOf({ code, message }: EndReason): string {
  return JSON.stringify([{ message, extensions: { code } }])
}

const QUEUE_FULL: EndReason = {
  code: 'SUBSCRIPTION_QUEUE_FULL',
  message: 'More events wait for this client than the router keeps. Subscribe again, and read faster.',
}
