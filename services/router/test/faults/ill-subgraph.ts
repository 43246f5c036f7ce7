/**
 * A subgraph that is ill in a way of the test's choice, down to the bytes that it sends, and well again when
 * the test says so. It counts what it was asked and how much it could send.
 */
import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { until } from '../support/router.ts'
import { turns } from '../transport/http1/support.ts'
import { listenOnFreePort } from '../support/subgraph.ts'

/** One request that an ill subgraph has received. */
export type IllCall = {
  readonly socket: Socket
  readonly body: string
  /** Of requests on its connection, from 1. */
  readonly number: number
  readonly subgraph: IllSubgraph
}

export type Symptoms = {
  /** Does something with a connection before anything is asked on it. */
  readonly connected?: (socket: Socket) => void
  readonly asked?: (call: IllCall) => void
}

/** What the subgraph knows beside counts of items. It sends all of it, whatever it is asked for. */
export const REPORT = { title: 'Stock — "été" 🦊' }
const COUNTS: Readonly<Record<string, number>> = { '1': 3, '2': 5 }

export class IllSubgraph implements AsyncDisposable {
  /** Complete requests, since it fell ill or recovered. */
  requests = 0
  /** Since it is there. */
  requestsEver = 0
  /** Complete requests with a mutation, since it is there. */
  mutations = 0
  connections = 0
  /** Bytes of endless answers that the system has taken. */
  flooded = 0
  readonly open = new Set<Socket>()
  readonly #server: Server
  #port = 0
  /** null: it is well. */
  #symptoms: Symptoms | null = null

  private constructor() {
    this.#server = createServer((socket) => this.#serve(socket))
  }

  static async start(): Promise<IllSubgraph> {
    const subgraph = new IllSubgraph()
    subgraph.#port = await listenOnFreePort(subgraph.#server)
    return subgraph
  }

  get port(): number {
    return this.#port
  }

  get origin(): string {
    return `http://127.0.0.1:${this.#port}`
  }

  get url(): string {
    return `${this.origin}/graphql`
  }

  /** It is ill from now on, and counts from 0. What it does to new connections it does to those it has. */
  fallIll(symptoms: Symptoms): void {
    this.#begin(symptoms)
    for (const socket of this.open) symptoms.connected?.(socket)
  }

  /** It is well from now on, and counts from 0. */
  recover(): void {
    this.#begin(null)
  }

  #begin(symptoms: Symptoms | null): void {
    this.#symptoms = symptoms
    this.requests = 0
    this.connections = 0
    this.flooded = 0
  }

  #serve(socket: Socket): void {
    this.connections++
    this.open.add(socket)
    socket.setNoDelay(true)
    socket.on('error', () => {}).on('close', () => this.open.delete(socket))
    this.#symptoms?.connected?.(socket)
    let received = Buffer.alloc(0)
    let number = 0
    socket.on('data', (bytes: Buffer) => {
      received = Buffer.concat([received, bytes])
      for (let read = firstRequest(received); read !== null; read = firstRequest(received)) {
        received = received.subarray(read.size)
        this.requests++
        this.requestsEver++
        if (read.body.includes('mutation')) this.mutations++
        const call = { socket, body: read.body, number: ++number, subgraph: this }
        const asked = this.#symptoms?.asked ?? answerWell
        asked(call)
      }
    })
  }

  /** Reads all that was sent to it by now: connections are accepted in the order in which they came. */
  async caughtUp(): Promise<void> {
    const last = connect(this.#port, '127.0.0.1').on('error', () => {})
    await once(last, 'connect')
    await until(
      () => [...this.open].some(({ remotePort }) => remotePort === last.localPort),
      'all are accepted',
    )
    await turns()
    last.destroy()
  }

  /** Sends `piece` again and again, as fast as it is read, until so many bytes are sent or nobody reads. */
  flood(socket: Socket, piece: Buffer, bytes: number): void {
    let left = bytes
    const next = (): void => {
      if (socket.destroyed || left <= 0) return
      left -= piece.length
      socket.write(piece, (error) => {
        if (error) return
        this.flooded += piece.length
        next()
      })
    }
    next()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.open) socket.destroy()
    await new Promise((closed) => this.#server.close(closed))
  }
}

function firstRequest(received: Buffer): { readonly body: string; readonly size: number } | null {
  const end = received.indexOf('\r\n\r\n')
  if (end < 0) return null
  const length = Number(/content-length: (\d+)/i.exec(received.toString('latin1', 0, end))?.[1] ?? 0)
  const size = end + 4 + length
  return received.length < size ? null : { body: received.toString('utf8', end + 4, size), size }
}

export function wellAnswer(body: string): string {
  const lists = Object.values(JSON.parse(body).variables ?? {}).filter(Array.isArray)
  const entities = (lists.flat() as { id: string }[]).map(({ id }) => ({
    __typename: 'Item',
    id,
    count: COUNTS[id] ?? null,
  }))
  return JSON.stringify({ data: { report: REPORT, restock: 7, _entities: entities } })
}

/** A whole answer of HTTP; `headers` are whole lines. */
export function httpAnswer(
  body: string | Buffer,
  status = '200 OK',
  headers = 'content-type: application/json\r\n',
): Buffer {
  const bytes = Buffer.from(body)
  return Buffer.concat([
    Buffer.from(`HTTP/1.1 ${status}\r\n${headers}content-length: ${bytes.length}\r\n\r\n`),
    bytes,
  ])
}

export function answerWell({ socket, body }: IllCall): void {
  socket.write(httpAnswer(wellAnswer(body)))
}
