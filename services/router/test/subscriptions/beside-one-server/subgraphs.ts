/** Serves the subgraphs of a generated world, and sends events when a test says so. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type Bench, eventTable } from '@switchyard/corpus/events'
import { createSubgraphs } from '@switchyard/corpus'
import { waitFor } from '@switchyard/testkit'
import { type WebSocket, WebSocketServer } from 'ws'
import { closeServer, listenOnFreePort } from '../../support/subgraph.ts'

/** The ways in which a subgraph can fail all calls. */
export const FAILURES = ['cut', 'status 503', 'no data', 'no JSON'] as const
export type Failure = (typeof FAILURES)[number]

/** A subscription that a router has opened at a subgraph. */
type Source = {
  readonly subgraph: string
  readonly body: string
  /** Sends a result as JSON; null ends the subscription. */
  readonly tell: (json: string | null) => void
}

type Subgraphs = ReturnType<typeof createSubgraphs>

export class WorldSubgraphs implements AsyncDisposable {
  /** The subgraphs that fail, and how. */
  readonly failing = new Map<string, Failure>()
  /** Documents that subgraphs were asked for. */
  readonly documents: string[] = []
  readonly #bench: Bench
  readonly #subgraphs: Subgraphs
  readonly #sources = new Set<Source>()
  readonly #stack = new AsyncDisposableStack()
  #port = 0

  static async serve(bench: Bench): Promise<WorldSubgraphs> {
    const served = new WorldSubgraphs(bench)
    const server = createServer((request, response) => void served.#answer(request, response))
    const sockets = new WebSocketServer({ server })
    sockets.on('connection', (socket, { url }) => served.#serveSocket(socket, nameIn(url)))
    served.#stack.defer(() => {
      for (const socket of sockets.clients) socket.terminate()
    })
    served.#stack.defer(() => closeServer(server))
    served.#port = await listenOnFreePort(server)
    return served
  }

  private constructor(bench: Bench) {
    this.#bench = bench
    this.#subgraphs = createSubgraphs(bench.suite, bench.monolith.world)
  }

  get names(): readonly string[] {
    return [...this.#subgraphs.keys()]
  }

  urlOf(name: string): string {
    return `http://127.0.0.1:${this.#port}/${encodeURIComponent(name)}`
  }

  /** Returns the supergraph with the addresses of these subgraphs. */
  addressed(supergraphSdl: string): string {
    return this.names.reduce(
      (sdl, name) => sdl.replaceAll(`http://${name}.test/`, this.urlOf(name)),
      supergraphSdl,
    )
  }

  /** Waits until routers have opened these subscriptions, and no others: the bodies of their requests. */
  async opened(bodies: ReadonlySet<string>): Promise<void> {
    const open = () => new Set([...this.#sources].map(({ body }) => body))
    await waitFor('the subscriptions at subgraphs', () => [...bodies].every((body) => open().has(body)))
    const other = [...open()].find((body) => !bodies.has(body))
    if (other !== undefined) throw new Error(`A router has opened another subscription: ${other}`)
  }

  /** Sends these events to all subscriptions, as fast as they go. */
  async send(events: readonly number[]): Promise<void> {
    await Promise.all(
      [...this.#sources].map(async ({ subgraph, body, tell }) => {
        const answers = events.map((event) => this.#execute(subgraph, body, eventTable(event)))
        for (const answer of await Promise.all(answers)) tell(JSON.stringify(answer.body))
      }),
    )
  }

  /** Ends all subscriptions. */
  end(): void {
    for (const { tell } of this.#sources) tell(null)
  }

  /** Returns the rules of subgraphs that requests have broken, in words. */
  complaints(): readonly string[] {
    return [...this.#subgraphs].flatMap(([name, subgraph]) => [
      ...subgraph.complaints,
      ...subgraph.surplus().map((complaint) => `${name}: ${complaint}`),
      ...subgraph.server.invalidDocuments.map(
        ({ query, messages }) => `${name}: ${messages.join('; ')}: ${query}`,
      ),
    ])
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#stack.disposeAsync()
  }

  #execute(subgraph: string, body: string, event: ReturnType<typeof eventTable> = {}) {
    const server = this.#subgraphs.get(subgraph)?.server
    if (server === undefined) throw new Error(`There is no subgraph ${subgraph}`)
    return server.execute(body, { ...this.#bench.suite.tables?.(), ...event })
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await textOf(request)
    const subgraph = nameIn(request.url)
    this.documents.push(Object(JSON.parse(body)).query)
    if (request.headers.accept?.includes('text/event-stream') === true)
      return this.#serveStream({ subgraph, body }, response)
    const failure = this.failing.get(subgraph)
    if (failure === 'cut') return void response.destroy()
    const json = { 'content-type': 'application/json' }
    if (failure === 'status 503') return void response.writeHead(503, json).end('{}')
    if (failure === 'no data')
      return void response.writeHead(200, json).end('{"data":null,"errors":[{"message":"No."}]}')
    if (failure === 'no JSON') return void response.writeHead(200, json).end('<html>')
    const answer = await this.#execute(subgraph, body)
    response.writeHead(answer.status, json).end(JSON.stringify(answer.body))
  }

  #serveStream(asked: Pick<Source, 'subgraph' | 'body'>, response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(':\n\n')
    const tell = (json: string | null): void => {
      if (json === null) response.end('event: complete\ndata:\n\n')
      else response.write(`event: next\ndata: ${json}\n\n`)
    }
    const source = { ...asked, tell }
    this.#sources.add(source)
    response.on('close', () => this.#sources.delete(source))
  }

  #serveSocket(socket: WebSocket, subgraph: string): void {
    const own = new Map<string, Source>()
    const say = (message: object): void => socket.send(JSON.stringify(message))
    const close = (id: string): void => {
      const source = own.get(id)
      if (source !== undefined) this.#sources.delete(source)
      own.delete(id)
    }
    socket.on('error', () => {})
    socket.on('close', () => [...own.keys()].forEach(close))
    socket.on('message', (data: Buffer) => {
      const { type, id, payload } = JSON.parse(data.toString())
      if (type === 'connection_init') say({ type: 'connection_ack' })
      if (type === 'ping') say({ type: 'pong' })
      if (type === 'complete') close(id)
      if (type !== 'subscribe') return
      this.documents.push(payload.query)
      const tell = (json: string | null): void => {
        if (json !== null) return socket.send(`{"id":${JSON.stringify(id)},"type":"next","payload":${json}}`)
        say({ id, type: 'complete' })
        close(id)
      }
      const source = { subgraph, body: JSON.stringify(payload), tell }
      own.set(id, source)
      this.#sources.add(source)
    })
  }
}

function nameIn(url = ''): string {
  return decodeURIComponent(url).slice(1)
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}
