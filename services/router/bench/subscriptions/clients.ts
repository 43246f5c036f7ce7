/** Starts the process with very many clients, and counts the events that they got. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export type ClientsSetUp = {
  readonly port: number
  readonly kind: 'event-streams' | 'sockets'
  /** The number of connections. */
  readonly connections: number
  /** Subscriptions on each WebSocket; an event stream is one. */
  readonly subscriptions: number
  /**
   * Milliseconds within which all connections are begun. Without it, 100 are made at the same time.
   */
  readonly within?: number
  readonly query: string
}

/** Counts of what all clients together have received. */
export type Received = {
  readonly events: number
  /** Events whose number does not follow the one before on the same event stream. */
  readonly strays: number
  /** Events that the router has dropped for event streams, as it says. */
  readonly missed: number
  /** Connections that were closed. */
  readonly closed: number
  /** Errors on event streams, by their codes. */
  readonly ends: Readonly<Record<string, number>>
}

export class Clients implements AsyncDisposable {
  readonly #child: ChildProcess
  readonly #faults: string[] = []

  private constructor(child: ChildProcess) {
    this.#child = child
    child.on('message', (message: { readonly fault?: string }) => {
      if (message.fault !== undefined) this.#faults.push(message.fault)
    })
  }

  /** Resolves when all connections are there, and all subscriptions were asked for. */
  static async open(setUp: ClientsSetUp): Promise<Clients> {
    const main = fileURLToPath(new URL('clients-process.ts', import.meta.url))
    const child = spawn(process.execPath, [main, JSON.stringify(setUp)], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    const clients = new Clients(child)
    const ended = once(child, 'exit').then(([code]) => {
      throw new Error(`The clients ended with ${String(code)}.`)
    })
    ended.catch(() => {})
    const opened = new Promise<void>((resolve) => {
      child.on('message', (message) => {
        if (message === 'opened') resolve()
      })
    })
    await Promise.race([opened, ended])
    return clients
  }

  /** Returns the number of events. Throws an error if a connection is lost. */
  async events(): Promise<number> {
    const { events, closed } = await this.received()
    if (closed > 0) throw new Error(`${closed} clients lost their connections.`)
    return events
  }

  async received(): Promise<Received> {
    const [fault] = this.#faults
    if (fault !== undefined) throw new Error(`${this.#faults.length} clients failed: ${fault}`)
    const received = new Promise<Received>((resolve) => {
      const read = (message: Partial<Received>): void => {
        if (message.events === undefined) return
        this.#child.off('message', read)
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the process sends it as a whole
        resolve(message as Received)
      }
      this.#child.on('message', read)
    })
    this.#child.send('count')
    return await received
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode !== null) return
    const exited = once(this.#child, 'exit')
    this.#child.disconnect()
    await exited
  }
}
