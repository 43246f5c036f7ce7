/**
 * Observes calls of subgraphs for traces: when a connection was asked for, made or found, and when something
 * was written and read.
 *
 * Pools tell most of this to the handler of a call. They also say for which call a connection is made
 * (`connecting`), and which connection a call got (`sending`).
 */
import type { Socket } from 'node:net'
import type { CallHandler, CallPool, PoolRequest } from '../dispatch/call-pool.ts'
import { type Clock, monotonicClock } from './clock.ts'
import { type ConnectionTimes, observeConnecting } from './connection-times.ts'
import { WatchedCall } from './watched-call.ts'

/** The calls of one traced request. */
export interface RequestLoads extends Disposable {
  /** Sends a request by a pool, and observes it. Throws what the pool throws. */
  dispatch(pool: CallPool, request: PoolRequest, handler: CallHandler): WatchedCall
}

/** Observes the calls of all traced requests of a router. */
export class LoadWatch {
  readonly now: Clock
  readonly #connections = new WeakMap<Socket, ConnectionTimes>()
  #requests = 0

  constructor(now: Clock = monotonicClock) {
    this.now = now
  }

  /**
   * Begins to observe a request. Has to be disposed when the request is answered; calls in progress may go
   * on.
   */
  begin(): RequestLoads {
    this.#requests++
    let disposed = false
    return {
      dispatch: (pool, request, handler) => this.#dispatch(pool, request, handler),
      [Symbol.dispose]: () => {
        if (!disposed) this.#requests--
        disposed = true
      },
    }
  }

  /**
   * Notes a new connection; pools call it for each connection they make. `host` is null for a Unix socket.
   * `handler` is the one of the call that the connection is made for.
   */
  connecting(socket: Socket, host: string | null, handler: CallHandler): void {
    if (this.#requests === 0) return
    const times = observeConnecting(socket, host, this.now)
    this.#connections.set(socket, times)
    if (handler instanceof WatchedCall) handler.connecting(times)
  }

  /**
   * Notes the connection of a call; pools call it right before they write the call to it. `isFirst` says
   * whether it is the first call on the connection; if it is absent, the call is the first one if nothing was
   * written to the socket before.
   */
  sending(socket: Socket, handler: CallHandler, isFirst?: boolean): void {
    if (!(handler instanceof WatchedCall)) return
    handler.writing(this.#connections.get(socket) ?? null, isFirst ?? socket.bytesWritten === 0)
  }

  #dispatch(pool: CallPool, request: PoolRequest, handler: CallHandler): WatchedCall {
    const call = new WatchedCall({ handler, now: this.now, wereIdle: pool.stats.free > 0 })
    pool.dispatch(request, call)
    return call
  }
}
