/**
 * Keeps the HTTP/2 connections to one origin, and the calls that wait for one. One connection takes as many
 * calls as the other side allows; another one is made when all are full. Calls that the other side says it
 * has not processed, because it goes away or takes no more, are sent again.
 *
 * A server that drains may accept connections only to end them. So each call has a few tries, and a
 * connection on which no call was processed is followed by a pause, which grows from one such connection to
 * the next. One connection is made at a time, and in the end a second after the one before it, however many
 * calls come.
 */
import { Backoff } from '@switchyard/service-kit'
import type { Socket } from 'node:net'
import type { SocketTurns } from '@switchyard/service-kit'
import type { CallHandler, CallPool, PoolRequest } from '../dispatch/call-pool.ts'
import { CallNotTakenError, PoolClosedError } from '../http1/connection-errors.ts'
import { Http1Call } from '../http1/exchange.ts'
import { WaitingExchanges } from '../http1/waiting-exchanges.ts'
import { type ConnectionEnd, type Http2ConnectionOwner, Http2Connection } from './http2-connection.ts'
import { FIRST_PAUSE, LONGEST_PAUSE, MAX_REPEATS } from './limits.ts'
import { type StreamExchange, StreamHeads } from './stream-exchange.ts'

/** How a pool makes connections, and the functions that it calls. */
export type Http2PoolOptions = {
  readonly origin: URL
  readonly maxConnections: number
  /** The turns in which the connections of all origins are read. */
  readonly turns: SocketTurns
  /** The limit for connecting, in milliseconds. 0 means none. */
  readonly connectTimeout: number
  /** Begins to connect for a call with this handler. Throws if that is not allowed. */
  readonly open: (handler: CallHandler) => Socket
  /** Called right before a call with this handler is sent. */
  readonly sending: (socket: Socket, handler: CallHandler, isFirst: boolean) => void
}

export class Http2Pool implements CallPool, Http2ConnectionOwner {
  readonly #options: Http2PoolOptions
  readonly #heads: StreamHeads
  readonly #waiting = new WaitingExchanges<StreamExchange>()
  readonly #connections = new Set<Http2Connection>()
  readonly #backoff = new Backoff(LONGEST_PAUSE, FIRST_PAUSE)
  /** Prevents new connections until the timer fires. */
  #pause: NodeJS.Timeout | null = null
  #isScheduled = false
  #closing: PromiseWithResolvers<void> | null = null

  constructor(options: Http2PoolOptions) {
    this.#options = options
    this.#heads = new StreamHeads(options.origin)
  }

  get stats(): { readonly free: number } {
    let free = 0
    for (const connection of this.#connections) if (connection.isIdle) free++
    return { free }
  }

  get isBusy(): boolean {
    if (this.#connections.size < this.#options.maxConnections) return false
    return [...this.#connections].every(({ isConnecting, room }) => !isConnecting && room === 0)
  }

  dispatch(request: PoolRequest, handler: CallHandler): void {
    let head: readonly string[] = []
    let problem: unknown = this.#closing === null ? null : new PoolClosedError()
    try {
      head = this.#heads.write(request)
    } catch (error) {
      problem ??= error
    }
    const exchange = new Http1Call(head, request.body, handler)
    if (problem !== null) return exchange.failWith(problem)
    this.#waiting.push(exchange)
    this.changed()
  }

  /** Schedules the sending of calls: they are sent together at the end of the turn of the event loop. */
  changed(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    setImmediate(this.#endTurn)
  }

  returned(exchange: StreamExchange): void {
    if (!mayRepeat(exchange)) return
    this.#waiting.putBack(exchange)
    this.changed()
  }

  closed(connection: Http2Connection, { error, tookCall, wasUseful }: ConnectionEnd): void {
    this.#connections.delete(connection)
    if (!wasUseful && this.#waiting.size > 0) {
      // Calls that can wait for room on another connection do not fail.
      const areOthers = [...this.#connections].some(({ mayTakeCalls }) => mayTakeCalls)
      if (error !== null && !areOthers) this.#failAll(error)
      else {
        if (!tookCall && !areOthers) this.#countRepeats()
        this.#pauseConnecting()
      }
    }
    this.changed()
  }

  provedUseful(): void {
    this.#backoff.reset()
  }

  sending(socket: Socket, { handler }: StreamExchange, isFirst: boolean): void {
    this.#options.sending(socket, handler, isFirst)
  }

  close(): Promise<void> {
    this.#closing ??= Promise.withResolvers()
    this.changed()
    return this.#closing.promise
  }

  destroy(): Promise<void> {
    const closed = this.close()
    this.#failAll(new PoolClosedError())
    if (this.#pause !== null) clearTimeout(this.#pause)
    for (const connection of this.#connections) connection.destroy(new PoolClosedError())
    return closed
  }

  readonly #endTurn = (): void => {
    this.#isScheduled = false
    this.#send()
    if (this.#closing === null || this.#waiting.size > 0) return
    for (const connection of this.#connections) connection.close()
    if (this.#connections.size === 0) this.#closing.resolve()
  }

  #send(): void {
    for (const connection of this.#connections) {
      for (let room = connection.room; room > 0 && this.#waiting.size > 0; room = connection.room) {
        const exchange = this.#waiting.take()
        if (exchange !== undefined && !exchange.isOver) connection.start(exchange)
      }
    }
    if (this.#waiting.size > 0) this.#connect()
  }

  /** Makes one connection at a time, because the calls that wait may all have room on it. */
  #connect(): void {
    const { maxConnections, origin, turns, connectTimeout, open } = this.#options
    // A connection on which no call was processed sets the pause when it has ended, which is a turn later.
    const isUnderWay = [...this.#connections].some(
      ({ isConnecting, isEndingUseless }) => isConnecting || isEndingUseless,
    )
    if (isUnderWay || this.#pause !== null || this.#connections.size >= maxConnections) return
    const first = this.#takeWaiting()
    if (first === null) return
    try {
      const connection = new Http2Connection({
        owner: this,
        origin,
        turns,
        connectTimeout,
        open: () => open(first.handler),
      })
      this.#connections.add(connection)
      this.#waiting.putBack(first)
    } catch (error) {
      first.failWith(error)
      this.changed()
    }
  }

  #failAll(error: Error): void {
    for (const exchange of this.#waiting.takeAll()) exchange.fail(error)
  }

  /** Counts a try for the calls that wait: a connection was made for them and has taken none of them. */
  #countRepeats(): void {
    for (const exchange of this.#waiting.takeAll()) if (mayRepeat(exchange)) this.#waiting.push(exchange)
  }

  #pauseConnecting(): void {
    this.#pause ??= setTimeout(() => {
      this.#pause = null
      this.changed()
    }, this.#backoff.pause())
  }

  /** Returns the next call that still waits. Null if all of them have been given up. */
  #takeWaiting(): StreamExchange | null {
    while (this.#waiting.size > 0) {
      const exchange = this.#waiting.take()
      if (exchange !== undefined && !exchange.isOver) return exchange
    }
    return null
  }
}

/** Counts a try of a call that the other side did not process. Returns false if that was its last one. */
function mayRepeat(exchange: StreamExchange): boolean {
  if (exchange.isOver) return false
  if (++exchange.repeats <= MAX_REPEATS) return true
  exchange.fail(new CallNotTakenError(exchange.repeats))
  return false
}
