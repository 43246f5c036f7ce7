/** Calls of a subgraph whose bytes a test writes itself. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Dispatcher, Pool } from 'undici'
import type { CallHandler, CallPool, PoolRequest } from '../../../src/transport/dispatch/call-pool.ts'
import { ConnectionPool, type PoolOptions } from '../../../src/transport/http1/connection-pool.ts'
import { READ_SIZE } from '../../../src/transport/http1/limits.ts'

/** What became of a call. `error`: of one that failed. */
export type Outcome = { readonly status: number; readonly body: string; readonly error: Error | null }

/** Keeps what a client tells. */
/** Makes the body another one than a comparison expects. */
const PIECE_BESIDE_WHOLE = ' a piece beside the whole body '

export class RecordedAnswer implements CallHandler {
  readonly #done = Promise.withResolvers<Outcome>()
  readonly #started = Promise.withResolvers<Dispatcher.DispatchController>()
  readonly done = this.#done.promise
  /** Resolves when the request is sent. */
  readonly started = this.#started.promise
  status = 0
  headers: Record<string, string | string[] | undefined> = {}
  body = ''
  /** How often the whole body came in one piece. */
  wholes = 0
  /** Called with each piece of the body. */
  onPiece: (controller: Dispatcher.DispatchController) => void = () => {}

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#started.resolve(controller)
  }
  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    this.status = status
    this.headers = headers
  }
  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.wholes > 0) this.body += PIECE_BESIDE_WHOLE
    this.body += chunk.toString('latin1')
    this.onPiece(controller)
  }
  onWholeBody(controller: Dispatcher.DispatchController, bytes: Buffer): void {
    if (this.body !== '') this.body += PIECE_BESIDE_WHOLE
    this.wholes++
    this.body += bytes.toString('latin1')
    this.onPiece(controller)
  }
  onResponseEnd(): void {
    this.#done.resolve({ status: this.status, body: this.body, error: null })
  }
  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    this.#done.resolve({ status: this.status, body: this.body, error })
  }
}

export const REQUEST: PoolRequest = {
  path: '/graphql',
  method: 'POST',
  headers: ['content-type', 'application/json'],
  body: '{"query":"{ a }"}',
}

/** Sends one request. */
export function send(pool: CallPool, request: Partial<PoolRequest> = {}): RecordedAnswer {
  const answer = new RecordedAnswer()
  pool.dispatch({ ...REQUEST, ...request }, answer)
  return answer
}

/** A pool as routers have it, with as few settings as need to be said. */
export function openLean(origin: string, options: Partial<PoolOptions> = {}): ConnectionPool {
  const url = new URL(origin)
  return new ConnectionPool({
    origin: url,
    maxConnections: 10,
    connectTimeout: 5000,
    readBuffer: Buffer.allocUnsafeSlow(READ_SIZE),
    open: (onread) => connect({ host: url.hostname, port: Number(url.port), noDelay: true, onread }),
    sending: () => {},
    ...options,
  })
}

export function openUndici(origin: string, connections = 10): CallPool {
  const options = { connections, pipelining: 1, headersTimeout: 0, bodyTimeout: 0, allowH2: false }
  const pool = new Pool(origin, options)
  return {
    stats: pool.stats,
    isBusy: false,
    dispatch: ({ body, ...request }, handler) => {
      if (typeof body === 'string') pool.dispatch({ ...request, body }, handler)
    },
    close: () => pool.close(),
    destroy: () => pool.destroy(),
  }
}

/** A server that does with each connection what `behave` says, and knows all it was sent. */
export class RawServer implements AsyncDisposable {
  readonly #server: Server
  /** In the order in which they came. */
  readonly sockets: Socket[] = []
  /** What each of them has received so far. */
  readonly received: string[] = []
  port = 0

  private constructor(behave: (socket: Socket, request: number, server: RawServer) => void) {
    this.#server = createServer((socket) => {
      const index = this.sockets.push(socket) - 1
      this.received[index] = ''
      let requests = 0
      socket.setNoDelay(true)
      socket.on('error', () => {})
      socket.on('data', (bytes) => {
        this.received[index] += bytes.toString('latin1')
        const complete = countRequests(this.received[index] ?? '')
        while (requests < complete) behave(socket, ++requests, this)
      })
    })
  }

  /** `behave` is called for each request on a connection, with its number on that connection. */
  static async start(
    behave: (socket: Socket, request: number, server: RawServer) => void,
    port = 0,
  ): Promise<RawServer> {
    const server = new RawServer(behave)
    server.#server.listen(port, '127.0.0.1')
    await once(server.#server, 'listening')
    server.port = (server.#server.address() as AddressInfo).port
    return server
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`
  }

  get open(): number {
    return this.sockets.filter((socket) => !socket.destroyed).length
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.sockets) socket.destroy()
    await new Promise((closed) => this.#server.close(closed))
  }
}

/** Complete requests in what was received. */
function countRequests(text: string): number {
  let count = 0
  let at = 0
  for (;;) {
    const end = text.indexOf('\r\n\r\n', at)
    if (end < 0) return count
    const length = Number(/content-length: (\d+)\r\n/.exec(text.slice(at, end + 2))?.[1] ?? 0)
    at = end + 4 + length
    if (at > text.length) return count
    count++
  }
}

/** What has arrived by now is read by then. */
export async function turns(count = 5): Promise<void> {
  for (let turn = 0; turn < count; turn++) await nextTurn()
}
