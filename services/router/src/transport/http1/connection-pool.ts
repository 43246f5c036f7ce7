/**
 * Keeps the connections to one origin, and the requests that wait for one.
 *
 * Requests are sent in the order in which they come, each on a connection of its own for as long as it takes.
 * They are sent at the end of the turn of the event loop in which they come, and an answer frees its
 * connection at the end of the turn, too: by then the router has read what had arrived on idle connections.
 * So it seldom sends a request on a connection that the other side has closed, and what a subgraph sends
 * without being asked is not taken for an answer.
 */
import type { OnReadOpts, Socket } from 'node:net'
import type { CallHandler, CallPool, PoolRequest } from '../dispatch/call-pool.ts'
import { isQueueFull, PoolClosedError } from './connection-errors.ts'
import { Connection, type ConnectionOwner } from './connection.ts'
import { Http1Call } from './exchange.ts'
import { FULL_QUEUE_PAUSE, SWEEP_INTERVAL } from './limits.ts'
import { RequestHeads } from './request-head.ts'
import { WaitingExchanges } from './waiting-exchanges.ts'

/** How a pool makes connections, and the functions that it calls. */
export type PoolOptions = {
  readonly origin: URL
  readonly maxConnections: number
  /** The limit for connecting, in milliseconds. 0 means none. */
  readonly connectTimeout: number
  /** The buffer that all pools of a router read into. */
  readonly readBuffer: Buffer
  /** Begins to connect for a request with this handler. Throws if that is not allowed. */
  readonly open: (onread: OnReadOpts, handler: CallHandler) => Socket
  /** Called right before a request with this handler is written to the socket. */
  readonly sending: (socket: Socket, handler: CallHandler) => void
}

/** Sends requests to one origin by HTTP/1.1. */
export class ConnectionPool implements CallPool, ConnectionOwner {
  readonly #options: PoolOptions
  readonly #heads: RequestHeads
  readonly #waiting = new WaitingExchanges()
  readonly #connections = new Set<Connection>()
  /** Connections that are being made, each with the exchange that it is made for. */
  readonly #connecting = new Map<Connection, Http1Call>()
  /**
   * Idle connections. Those used last are at the end and used again first, so that the others may time out.
   */
  #idle: Connection[] = []
  /** Connections that become idle at the end of this turn. */
  #resting: Connection[] = []
  #isScheduled = false
  /** Prevents new connections until the timer fires. */
  #pause: NodeJS.Timeout | null = null
  #sweeper: NodeJS.Timeout | null = null
  #closing: PromiseWithResolvers<void> | null = null

  constructor(options: PoolOptions) {
    this.#options = options
    this.#heads = new RequestHeads(options.origin.host)
  }

  get stats(): { readonly free: number } {
    return { free: this.#idle.length + this.#resting.length }
  }

  get isBusy(): boolean {
    return (
      this.#connections.size >= this.#options.maxConnections &&
      this.#connecting.size === 0 &&
      this.stats.free === 0
    )
  }

  dispatch({ path, headers = [], body }: PoolRequest, handler: CallHandler): void {
    let head = ''
    let problem: unknown = this.#closing === null ? null : new PoolClosedError()
    try {
      head = this.#heads.write(path, headers)
    } catch (error) {
      problem ??= error
    }
    const exchange = new Http1Call(head, body, handler)
    if (problem !== null) return exchange.failWith(problem)
    this.#waiting.push(exchange)
    this.#schedule()
  }

  connected(connection: Connection): void {
    const exchange = this.#connecting.get(connection)
    this.#connecting.delete(connection)
    if (exchange === undefined || !connection.start(exchange)) this.released(connection)
  }

  released(connection: Connection): void {
    this.#resting.push(connection)
    this.#schedule()
  }

  closed(connection: Connection, error: Error | null): void {
    const exchange = this.#connecting.get(connection)
    this.#connecting.delete(connection)
    this.#connections.delete(connection)
    this.#idle = this.#idle.filter((other) => other !== connection)
    this.#resting = this.#resting.filter((other) => other !== connection)
    if (error !== null && exchange !== undefined) this.#notConnected(exchange, error)
    this.#schedule()
  }

  sending(socket: Socket, { handler }: Http1Call): void {
    this.#options.sending(socket, handler)
  }

  close(): Promise<void> {
    this.#closing ??= Promise.withResolvers()
    this.#schedule()
    return this.#closing.promise
  }

  destroy(): Promise<void> {
    const closed = this.close()
    for (const exchange of this.#waiting.takeAll()) exchange.fail(new PoolClosedError())
    for (const connection of this.#connections) connection.destroy(new PoolClosedError())
    return closed
  }

  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    setImmediate(this.#endTurn)
  }

  readonly #endTurn = (): void => {
    this.#isScheduled = false
    const now = performance.now()
    this.#send(now)
    for (const connection of this.#resting.splice(0)) {
      if (connection.rest(now)) this.#idle.push(connection)
      else connection.destroy()
    }
    if (this.#idle.length > 0) {
      this.#sweeper ??= setInterval(() => this.#sweep(performance.now()), SWEEP_INTERVAL).unref()
      if (this.#waiting.size > 0) this.#schedule()
    }
    if (this.#closing !== null) this.#end(this.#closing)
  }

  /**
   * Sends waiting exchanges. They wait for a connection that is about to be idle rather than for a new one.
   */
  #send(now: number): void {
    while (this.#waiting.size > 0) {
      const connection = this.#takeIdle(now)
      if (connection === undefined && this.#waiting.size <= this.#resting.length) return
      if (connection === undefined && !this.#mayConnect()) return
      const exchange = this.#waiting.take()
      if (exchange === undefined) return
      if (connection === undefined) this.#connect(exchange)
      else if (!connection.start(exchange)) this.#idle.push(connection)
    }
  }

  #mayConnect(): boolean {
    return this.#pause === null && this.#connections.size < this.#options.maxConnections
  }

  #takeIdle(now: number): Connection | undefined {
    for (;;) {
      const connection = this.#idle.pop()
      if (connection === undefined || (connection.isUsable && connection.keptUntil > now)) return connection
      connection.destroy()
    }
  }

  #connect(exchange: Http1Call): void {
    const { readBuffer, connectTimeout, open } = this.#options
    try {
      const connection = new Connection({
        owner: this,
        open: (onread) => open(onread, exchange.handler),
        readBuffer,
        connectTimeout,
      })
      this.#connections.add(connection)
      this.#connecting.set(connection, exchange)
    } catch (error) {
      exchange.failWith(error)
    }
  }

  /**
   * Fails an exchange whose connection could not be made. A Unix socket whose queue is full refuses
   * connections at once, where TCP would try again, so the exchange waits a moment and tries again, within
   * the time that connecting may take.
   */
  #notConnected(exchange: Http1Call, error: Error): void {
    const { connectTimeout } = this.#options
    const now = performance.now()
    exchange.refusedSince ??= now
    const isTooLate = connectTimeout > 0 && now - exchange.refusedSince >= connectTimeout
    if (!isQueueFull(error) || isTooLate) return exchange.fail(error)
    if (exchange.aborted) return
    this.#waiting.putBack(exchange)
    this.#pause ??= setTimeout(() => {
      this.#pause = null
      this.#schedule()
    }, FULL_QUEUE_PAUSE)
  }

  #sweep(now: number): void {
    const kept = this.#idle.filter((connection) => connection.keptUntil > now)
    const expired = this.#idle.filter((connection) => connection.keptUntil <= now)
    this.#idle = kept
    for (const connection of expired) connection.destroy()
    // Connections are not unreferenced after each request: it takes a twentieth of the time of a call.
    for (const connection of kept) connection.unref()
    if (kept.length === 0) this.#stopSweeping()
  }

  #stopSweeping(): void {
    if (this.#sweeper !== null) clearInterval(this.#sweeper)
    this.#sweeper = null
  }

  /** Closes idle connections, and resolves once no connection and no request is left. */
  #end(closing: PromiseWithResolvers<void>): void {
    if (this.#waiting.size > 0) return
    for (const connection of this.#idle.splice(0)) connection.destroy()
    if (this.#connections.size > 0) return
    this.#stopSweeping()
    closing.resolve()
  }
}
