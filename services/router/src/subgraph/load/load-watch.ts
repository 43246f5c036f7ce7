/**
 * Observes calls of subgraphs for traces: when a connection was asked for, made or found, and when what was
 * written and read.
 *
 * Pools tell most of this to the handler of a call. Which connection a call got, and for which call a
 * connection is made, our own client says to `sending` and `connecting`.
 *
 * undici says neither. Its diagnostics channel names the socket, in the same breath in which the handler
 * learns that its request starts. It is subscribed to only while there are traced requests: beside one, a
 * call that is not traced costs about 1 µs more (7 % of undici's own part). Whose call a connection is made
 * for is known by the async context, which undici keeps for calls that wait in a pool.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { channel } from 'node:diagnostics_channel'
import { Socket } from 'node:net'
import type { Dispatcher } from 'undici'
import type { CallPool, PoolRequest } from '../call-pool.ts'
import { type Clock, monotonicClock } from './clock.ts'
import { type ConnectionTimes, observeConnecting } from './connection-times.ts'
import { WatchedCall } from './watched-call.ts'

const SEND_HEADERS = channel('undici:client:sendHeaders')

/** Calls of one traced request. */
export interface RequestLoads extends Disposable {
  /** Like the same method of the pool. Throws what that throws. */
  dispatch(pool: CallPool, request: PoolRequest, handler: Dispatcher.DispatchHandler): WatchedCall
}

/** Observes the calls of all traced requests of a router. */
export class LoadWatch {
  readonly now: Clock
  readonly #caller = new AsyncLocalStorage<CallSlot>()
  readonly #connections = new WeakMap<Socket, ConnectionTimes>()
  #requests = 0
  #starting: WatchedCall | null = null

  constructor(now: Clock = monotonicClock) {
    this.now = now
  }

  /** To be disposed when the request is answered; calls in progress may go on. */
  begin(): RequestLoads {
    if (this.#requests++ === 0) SEND_HEADERS.subscribe(this.#onSendHeaders)
    let disposed = false
    return {
      dispatch: (pool, request, handler) => this.#dispatch(pool, request, handler),
      [Symbol.dispose]: () => {
        if (disposed) return
        disposed = true
        if (--this.#requests === 0) SEND_HEADERS.unsubscribe(this.#onSendHeaders)
      },
    }
  }

  /**
   * To be called by whoever makes connections, with each new one. `host`: null for a Unix socket. `handler`:
   * of the call that it is made for, by a client that knows it; absent: the async context tells.
   */
  connecting(socket: unknown, host: string | null, handler?: unknown): void {
    if (this.#requests === 0 || !(socket instanceof Socket)) return
    const times = observeConnecting(socket, host, this.now)
    this.#connections.set(socket, times)
    const call = handler === undefined ? this.#caller.getStore()?.call : handler
    if (call instanceof WatchedCall) call.connecting(times)
  }

  /**
   * To be called by a client that knows the connection of a call, right before the call is written to it.
   * `isFirst`: on this connection; absent: it is the first one if nothing was written to it before.
   */
  sending(socket: Socket, handler: unknown, isFirst?: boolean): void {
    if (!(handler instanceof WatchedCall)) return
    this.#starting = null
    handler.writing(socket, this.#connections.get(socket) ?? null, isFirst)
  }

  #dispatch(pool: CallPool, request: PoolRequest, handler: Dispatcher.DispatchHandler): WatchedCall {
    // A connection keeps the context it was made in for as long as it lives, and must not keep a call and its
    // answer.
    const slot: CallSlot = { call: null }
    const call = new WatchedCall({
      handler,
      now: this.now,
      wereIdle: pool.stats.free > 0,
      starting: (started) => {
        slot.call = null
        // With no traced request left, nothing would take it, and a later one would.
        this.#starting = this.#requests > 0 ? started : null
      },
      notStarting: () => {
        slot.call = null
        this.#starting = null
      },
      ended: () => {
        slot.call = null
      },
    })
    slot.call = call
    this.#caller.run(slot, () => pool.dispatch(request, call))
    return call
  }

  readonly #onSendHeaders = (message: unknown): void => {
    const call = this.#starting
    this.#starting = null
    if (call === null || typeof message !== 'object' || message === null || !('socket' in message)) return
    const { socket } = message
    if (socket instanceof Socket) call.writing(socket, this.#connections.get(socket) ?? null)
  }
}

type CallSlot = { call: WatchedCall | null }
