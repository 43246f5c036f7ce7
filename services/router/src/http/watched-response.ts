/**
 * A response of HTTP/1 that is ended when its client stops reading it. The time limit is that of the socket, which begins
 * anew with every byte that the system takes; it is set while bytes are left over, which most answers never have.
 */
import { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { ClientStalledError } from './client-stalled.ts'

export class WatchedResponse extends ServerResponse {
  /** Milliseconds. */
  writeTimeout = 0
  #isWatched = false
  #stalled: ClientStalledError | null = null

  static {
    // Its types say a property where the class has an accessor.
    Object.defineProperty(this.prototype, 'errored', {
      get(this: WatchedResponse) {
        return this.#stalled
      },
    })
  }

  override write(text: unknown): boolean {
    const mayGoOn = super.write(text)
    this.#watch()
    return mayGoOn
  }

  override end(text?: unknown): this {
    super.end(text)
    this.#watch()
    return this
  }

  /** The response before it on the same connection is done: what was written meanwhile goes out. */
  override assignSocket(socket: Socket): void {
    super.assignSocket(socket)
    if (socket.timeout !== 0) socket.setTimeout(0)
    this.#watch()
  }

  #watch(): void {
    if (this.writableLength === 0 || this.socket === null) return
    this.socket.setTimeout(this.writeTimeout)
    if (this.#isWatched) return
    this.#isWatched = true
    this.on('timeout', () => {
      // All was taken, and the rest is not known yet: it is not the client that keeps anybody waiting.
      if (this.writableLength === 0) return
      this.#stalled = new ClientStalledError(this.writeTimeout)
      this.destroy()
    })
  }
}
