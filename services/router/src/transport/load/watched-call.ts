/** Hands on the events of one call to its handler, and notes when they happen. */
import type { TraceLoadStats } from '@switchyard/request-trace'
import type { Clock } from './clock.ts'
import type { ConnectionTimes } from './connection-times.ts'
import { loadDuration, type LoadTimes, sinceStart } from './load-times.ts'
import type { ReceivedHeaders, CallController, CallHandler } from '../dispatch/call-pool.ts'
import { ForwardingHandler } from '../dispatch/forwarding-handler.ts'

type CallEvent = 'wrote_headers' | 'wrote_request' | 'got_first_response_byte'

/** The handler of a call, and what is known when it is made. */
export type WatchedCallOptions = {
  readonly handler: CallHandler
  readonly now: Clock
  /**
   * True if there were idle connections when the call was made. If the call gets a connection that was used
   * before, it was one of those.
   */
  readonly wereIdle: boolean
}

/** Observes one call while it hands on its events. */
export class WatchedCall extends ForwardingHandler {
  readonly #options: WatchedCallOptions
  readonly #events = new Map<CallEvent, number>()
  readonly #asked: number
  #got: { readonly at: number; readonly reused: boolean; readonly wasIdle: boolean } | null = null
  #connection: ConnectionTimes | null = null
  #ended: number | null = null
  /** The reason why the call failed. Null if it has not failed, as far as is known. */
  failure: string | null = null

  constructor(options: WatchedCallOptions) {
    super(options.handler)
    this.#options = options
    this.#asked = options.now()
  }

  /** Returns the times noted so far, as times since the `start` of the request, by the same clock. */
  times(start: number): LoadTimes {
    const since = (at: number) => sinceStart(at, start)
    // Events of a connection before this call asked for one are not part of the call.
    const connecting = [...(this.#connection ?? [])].filter(([, at]) => at >= this.#asked && this.#isPast(at))
    const got = this.#got
    const load_stats: TraceLoadStats = {
      get_conn: since(this.#asked),
      ...(got !== null && { got_conn: { ...since(got.at), reused: got.reused, was_idle: got.wasIdle } }),
      ...Object.fromEntries([...connecting, ...this.#events].map(([event, at]) => [event, since(at)])),
    }
    return {
      ...since(this.#asked),
      ...loadDuration(this.#asked, this.#ended ?? this.#options.now()),
      load_stats,
    }
  }

  /**
   * Called when the call is over for its maker, by an answer, a timeout or otherwise. Nothing is noted from
   * then on.
   */
  end(): void {
    this.#ended ??= this.#options.now()
  }

  get ended(): boolean {
    return this.#ended !== null
  }

  /** A connection is being made for this call. */
  connecting(times: ConnectionTimes): void {
    if (!this.ended && this.#got === null) this.#connection ??= times
  }

  /**
   * Headers are about to be written to a connection. `times` are null if it was not observed when it was
   * made. `isFirst` says whether this is the first call on it.
   */
  writing(times: ConnectionTimes | null, isFirst: boolean): void {
    if (this.ended) return
    const reused = !isFirst
    this.#got = { at: this.#options.now(), reused, wasIdle: reused && this.#options.wereIdle }
    this.#connection = reused ? null : times
    this.#mark('wrote_headers')
  }

  override onRequestSent(): void {
    this.#mark('wrote_request')
    super.onRequestSent()
  }

  override onResponseStarted(): void {
    this.#mark('got_first_response_byte')
    super.onResponseStarted()
  }

  override onResponseEnd(controller: CallController, trailers: ReceivedHeaders): void {
    this.end()
    super.onResponseEnd(controller, trailers)
  }

  override onResponseError(controller: CallController | null, error: Error): void {
    if (!this.ended) this.failure = error.message
    this.end()
    super.onResponseError(controller, error)
  }

  /** Notes the time of the first event of its kind: an answer may be preceded by informational ones. */
  #mark(event: CallEvent): void {
    if (!this.ended && !this.#events.has(event)) this.#events.set(event, this.#options.now())
  }

  #isPast(at: number): boolean {
    return this.#ended === null || at <= this.#ended
  }
}
