/**
 * Accepts the connections of clients and hands them to workers in turn.
 *
 * A connection stays open here until its worker says that it has accepted it, which it says before it reads
 * from it. So when a worker comes to its end, what it has not accepted was not read by anybody, and goes to
 * another worker. While there is none, connections wait.
 */
import { createServer, type Server, type Socket } from 'node:net'
import type { RouterConfig } from '../config/router-config.ts'
import { connectionsWithin, maxOpenFiles } from '../listen/open-files.ts'
import { addressOf, bound } from '../listen/server.ts'
import type { Worker } from './worker.ts'

/** Connections that a worker may have been handed without having accepted them yet. */
const AHEAD = 8
/** Connections that may wait for any worker. */
const WAITING = 4096

type Handed = { readonly socket: Socket; readonly worker: Worker }

/** The address at which connections are accepted, and the workers they may be handed to. */
export type AcceptorOptions = {
  readonly config: Pick<RouterConfig, 'host' | 'port' | 'tls'>
  /** The workers that may be given connections, in a stable order. */
  readonly workers: () => readonly Worker[]
  readonly onDropped: () => void
}

/** Accepts connections and hands them to workers. */
export class Acceptor implements Disposable {
  readonly #options: AcceptorOptions
  readonly #server: Server
  readonly #waiting: Socket[] = []
  readonly #handed = new Map<number, Handed>()
  readonly #ahead = new Map<Worker, number>()
  #lastId = 0
  #turn = 0

  /** Makes an acceptor. It listens once `listen` was called. */
  constructor(options: AcceptorOptions) {
    this.#options = options
    this.#server = createServer({ pauseOnConnect: true }, (socket) => {
      // An error of the connection is noticed by the worker that gets it.
      socket.on('error', () => {})
      this.#waiting.push(socket)
      this.distribute()
    })
    this.#server.maxConnections = connectionsWithin(maxOpenFiles(), WAITING)
    this.#server.on('drop', options.onDropped)
  }

  /** Throws PortUnavailableError. */
  async listen(): Promise<void> {
    await bound(this.#server, this.#options.config)
  }

  get address(): { readonly url: string; readonly port: number } {
    return addressOf(this.#server, this.#options.config)
  }

  /** Hands over what waits, as far as workers take it. Called whenever that may have changed. */
  distribute(): void {
    while (this.#waiting.length > 0) {
      const worker = this.#next()
      if (worker === null) return
      const socket = this.#waiting.shift()
      if (socket !== undefined) this.#hand(socket, worker)
    }
  }

  accepted(id: number): void {
    const handed = this.#handed.get(id)
    if (handed === undefined) return
    this.#handed.delete(id)
    this.#ahead.set(handed.worker, (this.#ahead.get(handed.worker) ?? 1) - 1)
    handed.socket.destroy()
    this.distribute()
  }

  /** Gives the connections that this worker has not accepted to other workers. */
  ended(worker: Worker): void {
    for (const [id, handed] of this.#handed) {
      if (handed.worker !== worker) continue
      this.#handed.delete(id)
      this.#waiting.push(handed.socket)
    }
    this.#ahead.delete(worker)
    this.distribute()
  }

  #hand(socket: Socket, worker: Worker): void {
    const id = ++this.#lastId
    this.#handed.set(id, { socket, worker })
    this.#ahead.set(worker, (this.#ahead.get(worker) ?? 0) + 1)
    worker.connect(id, socket)
  }

  #next(): Worker | null {
    const workers = this.#options.workers()
    for (let tried = 0; tried < workers.length; tried++) {
      const worker = workers[this.#turn++ % workers.length]
      if (worker !== undefined && (this.#ahead.get(worker) ?? 0) < AHEAD) return worker
    }
    return null
  }

  /** Does not wait for connections that were handed over; their workers close them. */
  [Symbol.dispose](): void {
    this.#server.close()
    for (const { socket } of this.#handed.values()) socket.destroy()
    for (const socket of this.#waiting) socket.destroy()
  }
}
