/** The WebSockets that are open: how many there are, of whom, and what is due for each. */
import { inTurns } from '@switchyard/service-kit/in-turns'
import type { ClientSocket } from './client-socket.ts'

/** Milliseconds between two looks at all WebSockets. */
const LOOK_EVERY = 250

/** Counts the WebSockets of each client, and looks after them. */
export class OpenSockets implements Disposable {
  readonly #sockets = new Map<ClientSocket, string>()
  readonly #counts = new Map<string, number>()
  readonly #onDefect: (error: unknown) => void
  #timer: NodeJS.Timeout | null = null
  #isLooking = false
  #onEmpty: (() => void) | null = null

  constructor(onDefect: (error: unknown) => void) {
    this.#onDefect = onDefect
  }

  get size(): number {
    return this.#sockets.size
  }

  /** The number of operations in progress on all of them. */
  get operations(): number {
    let sum = 0
    for (const socket of this.#sockets.keys()) sum += socket.operations
    return sum
  }

  countOf(client: string): number {
    return this.#counts.get(client) ?? 0
  }

  add(client: string, socket: ClientSocket): void {
    this.#sockets.set(socket, client)
    this.#counts.set(client, this.countOf(client) + 1)
    this.#timer ??= setInterval(() => void this.#look(), LOOK_EVERY).unref()
  }

  delete(socket: ClientSocket): void {
    const client = this.#sockets.get(socket)
    if (client === undefined) return
    this.#sockets.delete(socket)
    const count = this.countOf(client) - 1
    if (count === 0) this.#counts.delete(client)
    else this.#counts.set(client, count)
    if (this.#sockets.size > 0) return
    this[Symbol.dispose]()
    this.#onEmpty?.()
  }

  /** Does something for each, with others in between. */
  async each(act: (socket: ClientSocket) => void): Promise<void> {
    await inTurns(this.#sockets.keys(), act)
  }

  /** Resolves when none is left, or after so many milliseconds. */
  async empty(milliseconds: number): Promise<void> {
    if (this.#sockets.size === 0) return
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#onEmpty = resolve
    const timer = setTimeout(resolve, milliseconds)
    await promise
    clearTimeout(timer)
  }

  /** Looks no more after them. */
  [Symbol.dispose](): void {
    if (this.#timer !== null) clearInterval(this.#timer)
    this.#timer = null
  }

  async #look(): Promise<void> {
    if (this.#isLooking) return
    this.#isLooking = true
    try {
      const now = performance.now()
      await this.each((socket) => socket.look(now))
    } catch (error) {
      this.#onDefect(error)
    } finally {
      this.#isLooking = false
    }
  }
}
