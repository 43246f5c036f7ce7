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
  readonly query: string
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

  /** Throws an error if the router has closed a connection. */
  async events(): Promise<number> {
    const [fault] = this.#faults
    if (fault !== undefined)
      throw new Error(`${this.#faults.length} clients lost their connections: ${fault}`)
    const counted = new Promise<number>((resolve) => {
      const read = (message: { readonly events?: number }): void => {
        if (message.events === undefined) return
        this.#child.off('message', read)
        resolve(message.events)
      }
      this.#child.on('message', read)
    })
    this.#child.send('count')
    return await counted
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode !== null) return
    const exited = once(this.#child, 'exit')
    this.#child.disconnect()
    await exited
  }
}
