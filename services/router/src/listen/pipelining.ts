/**
 * Lets the pipelined requests of an HTTP/1 connection wait for each other.
 *
 * node:http hands over requests that arrive while an earlier one is unanswered, and would keep their finished
 * answers in memory. Here only one request of a connection is in progress at a time. The waiting ones count
 * as unread requests, and only a few may wait: beyond that the connection is closed, which RFC 9112 section
 * 9.3.2 tells clients to expect.
 */
import type { IncomingMessage } from 'node:http'
import type { Connections } from './connections.ts'
import type { UnreadRequests } from './unread-requests.ts'
import type { WatchedResponse } from './watched-response.ts'

const MAX_WAITING = 100

/** Lets requests of one HTTP/1 connection wait for the answer to the one before. */
export class Pipelining {
  readonly #connections: Pick<Connections, 'clientOf'>
  readonly #unread: UnreadRequests
  readonly #onRefused: () => void
  readonly #waiting = new WeakMap<object, number>()

  /** `onRefused` is called for a connection that is closed because too many requests wait on it. */
  constructor(connections: Pick<Connections, 'clientOf'>, unread: UnreadRequests, onRefused: () => void) {
    this.#connections = connections
    this.#unread = unread
    this.#onRefused = onRefused
  }

  /**
   * `begin` is called when the requests before this one are answered; never, when the connection is closed
   * before.
   */
  wait(request: IncomingMessage, response: WatchedResponse, begin: () => void): void {
    const { socket } = request
    const waiting = (this.#waiting.get(socket) ?? 0) + 1
    // What came with the request that was one too many is still handed over.
    if (socket.destroyed) return
    if (waiting > MAX_WAITING) {
      this.#onRefused()
      socket.destroy()
      return
    }
    this.#waiting.set(socket, waiting)
    const place = this.#unread.add(this.#connections.clientOf(request), () => socket.destroy())
    const left = (): void => {
      place[Symbol.dispose]()
      this.#waiting.set(socket, (this.#waiting.get(socket) ?? 1) - 1)
    }
    response.once('close', left)
    response.onTurn = () => {
      response.off('close', left)
      left()
      begin()
    }
  }
}
