/** A handler of one call that notes when what happens, and hands all of it on. */
import type { Socket } from 'node:net'
import type { TraceLoadStats } from '@switchyard/request-trace'
import type { Dispatcher } from 'undici'
import type { Clock } from './clock.ts'
import type { ConnectionTimes } from './connection-times.ts'
import { loadDuration, type LoadTimes, sinceStart } from './load-times.ts'

type CallEvent = 'wrote_headers' | 'wrote_request' | 'got_first_response_byte'

/** What a call tells while it is made. */
export type WatchedCallOptions = {
  readonly handler: Dispatcher.DispatchHandler
  readonly now: Clock
  /**
   * There were idle connections when the call was made: if it gets one that was used before, it is one of
   * those.
   */
  readonly wereIdle: boolean
  /** Between these two, the next request that writes its headers is this one. */
  readonly starting: (call: WatchedCall) => void
  readonly notStarting: () => void
  readonly ended: () => void
}

/** Observes one call while it hands on what undici tells of it. */
export class WatchedCall implements Dispatcher.DispatchHandler {
  readonly #options: WatchedCallOptions
  readonly #events = new Map<CallEvent, number>()
  readonly #asked: number
  #got: { readonly at: number; readonly reused: boolean; readonly wasIdle: boolean } | null = null
  #connection: ConnectionTimes | null = null
  #ended: number | null = null
  /** Why it failed; null: it has not, as far as is known. */
  failure: string | null = null

  constructor(options: WatchedCallOptions) {
    this.#options = options
    this.#asked = options.now()
  }

  /** What has been seen so far, in time since the start of the request (by the same clock). */
  times(start: number): LoadTimes {
    const since = (at: number) => sinceStart(at, start)
    // What a connection went through before it was asked for is not part of this call.
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
   * Called when the call is over for who made it, by an answer, a time-out or otherwise. Nothing is noted
   * from then on.
   */
  end(): void {
    if (this.ended) return
    this.#ended = this.#options.now()
    this.#options.ended()
  }

  get ended(): boolean {
    return this.#ended !== null
  }

  /** A connection is being made for this call. */
  connecting(times: ConnectionTimes): void {
    if (!this.ended && this.#got === null) this.#connection ??= times
  }

  /**
   * Headers are about to be written to this socket. `times` are unknown of one that was not watched when it
   * connected.
   */
  writing(socket: Socket, times: ConnectionTimes | null, isFirst = socket.bytesWritten === 0): void {
    if (this.ended) return
    const reused = !isFirst
    this.#got = { at: this.#options.now(), reused, wasIdle: reused && this.#options.wereIdle }
    this.#connection = reused ? null : times
    this.#mark('wrote_headers')
  }

  onRequestStart(controller: Dispatcher.DispatchController, context: unknown): void {
    const { handler, starting, notStarting } = this.#options
    let started = false
    try {
      handler.onRequestStart?.(controller, context)
      started = !controller.aborted
    } finally {
      if (started) starting(this)
      else notStarting()
    }
  }

  onBodySent(chunk: Buffer): void {
    this.#options.handler.onBodySent?.(chunk)
  }

  onRequestSent(): void {
    this.#mark('wrote_request')
    this.#options.handler.onRequestSent?.()
  }

  onResponseStarted(): void {
    this.#mark('got_first_response_byte')
    this.#options.handler.onResponseStarted?.()
  }

  onResponseStart(
    ...[controller, status, headers, message]: Parameters<
      Required<Dispatcher.DispatchHandler>['onResponseStart']
    >
  ): void {
    this.#options.handler.onResponseStart?.(controller, status, headers, message)
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#options.handler.onResponseData?.(controller, chunk)
  }

  onResponseEnd(
    ...[controller, trailers]: Parameters<Required<Dispatcher.DispatchHandler>['onResponseEnd']>
  ): void {
    this.end()
    this.#options.handler.onResponseEnd?.(controller, trailers)
  }

  onResponseError(controller: Dispatcher.DispatchController, error: Error): void {
    if (!this.ended) this.failure = error.message
    this.end()
    this.#options.handler.onResponseError?.(controller, error)
  }

  /** The first of its kind: an answer may be preceded by informational ones. */
  #mark(event: CallEvent): void {
    if (!this.ended && !this.#events.has(event)) this.#events.set(event, this.#options.now())
  }

  #isPast(at: number): boolean {
    return this.#ended === null || at <= this.#ended
  }
}
