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

/** An event that was completed. */
export type CompletedEvent = {
  readonly printed: PrintedResult
  /** The number of errors in the result. */
  readonly errors: number
  /** The actual cost of the result; null if costs are not counted. */
  readonly cost: number | null
}

/** The completion of an event that goes on. */
export type Completing = { abort(): void }

/** Completes one event. `done` is called once, with null if the event came to nothing. */
export type CompleteEvent = (
  event: WaitingEvent,
  done: (completed: CompletedEvent | null) => void,
) => Completing

/** The limits of one subscription. */
export type SubscriptionLimits = QueueLimits & {
  /** The number of events that are completed at the same time. */
  readonly parallelEvents: number
}

/** The parts of a subscription. */
export type SubscriptionOptions = {
  readonly sink: EventSink
  readonly limits: SubscriptionLimits
  /** Completes the next event. It may call `done` at once. */
  complete(event: WaitingEvent, done: (completed: CompletedEvent | null) => void): Completing
  /** Called when events were dropped, with their number. */
  onDropped(count: number): void
  /** Called for each event that the client is sent. */
  onSent(completed: CompletedEvent): void
  /** Called once, when the client has been told the end. `reason` is null if the source has ended. */
  onEnded(reason: EndReason | null): void
}

/** An event that is being completed, or whose result waits for those before it. */
type Begun = {
  /** Undefined while it is being completed; null if it came to nothing. */
  completed: CompletedEvent | null | undefined
  completing: Completing | null
}

export class Subscription {
  readonly #options: SubscriptionOptions
  readonly #queue: EventQueue
  /** In the order of the events. */
  #begun: Begun[] = []
  #isPaused = false
  /** The source has ended, for this reason or by itself. What it has sent is still delivered. */
  #sourceEnd: { readonly reason: EndReason | null } | null = null
  #isOver = false

  constructor(options: SubscriptionOptions) {
    this.#options = options
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
    for (const { completing } of this.#begun) completing?.abort()
    this.#begun = []
  }

  #finish(reason: EndReason | null, tell: (sink: EventSink) => void): void {
    if (this.#isOver) return
    this.abandon()
    const { sink } = this.#options
    if (!sink.isOver) tell(sink)
    this.#options.onEnded(reason)
  }

  #sourceEnded(reason: EndReason | null): void {
    this.#sourceEnd ??= { reason }
    this.#advance()
  }

  /** Sends what is completed, and begins as many events as may be completed at the same time. */
  #advance(): void {
    const { limits } = this.#options
    while (!this.#isOver) {
      this.#deliver()
      if (this.#isPaused || this.#isOver || this.#begun.length >= limits.parallelEvents) break
      const event = this.#queue.take()
      if (event === null) break
      this.#begin(event)
    }
    const isEmpty = this.#queue.length === 0 && this.#begun.length === 0
    if (!isEmpty || this.#sourceEnd === null || this.#isOver) return
    const { reason } = this.#sourceEnd
    if (reason === null) this.#finish(null, (sink) => sink.complete())
    else this.end(reason)
  }

  #begin(event: WaitingEvent): void {
    const own: Begun = { completed: undefined, completing: null }
    this.#begun.push(own)
    let isBeginning = true
    const completing = this.#options.complete(event, (completed) => {
      own.completed = completed
      own.completing = null
      // An event that is completed at once is delivered by who began it.
      if (!isBeginning) this.#advance()
    })
    isBeginning = false
    if (own.completed === undefined) own.completing = completing
  }

  /** Sends the results that no earlier event holds back. */
  #deliver(): void {
    while (!this.#isOver) {
      const [first] = this.#begun
      if (first?.completed === undefined) break
      this.#begun.shift()
      if (first.completed !== null) this.#send(first.completed)
    }
  }

  #send(completed: CompletedEvent): void {
    const { sink } = this.#options
    if (sink.isOver) return
    this.#options.onSent(completed)
    if (sink.next(completed.printed) || this.#isPaused) return
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
