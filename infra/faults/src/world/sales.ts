/**
 * A subgraph whose subscription tells a sale every few milliseconds, behind a network that can be broken, and
 * clients that listen to it at each router.
 */
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type Constellation, LINK } from '@switchyard/e2e'
import { startTcpProxy, type TcpProxy, waitFor } from '@switchyard/testkit'

export const SALES = 'sales'
/** Settings of routers that serve subscriptions, and ask this subgraph for them by an event stream. */
export const SALES_SETTINGS = `subscriptions: { enabled: true, move_window: 1s }
subgraphs: { overrides: { ${SALES}: { subscriptions: { protocol: sse } } } }
`
const SDL = `${LINK}
type Query { lastSale: ID }
type Subscription { sold: Product! }
type Product @key(fields: "id", resolvable: false) { id: ID! }`
const EVERY_MS = 20

/** The result of one event. */
type SaleEvent = {
  readonly data: { readonly sold: { readonly id: string; readonly inStock: number } } | null
  readonly errors?: unknown
  readonly extensions?: { readonly missed?: unknown }
}

/** A client of one router. Each sale has its number as the id of the product, and as the stock of it. */
export class SalesClient {
  /** The numbers of the sales, in the order in which they came. */
  readonly sales: number[] = []
  /** Mistakes in what came. */
  readonly complaints: string[] = []
  /** How often the router said that sales may be missing. */
  gaps = 0
  isOver = false
  readonly #stop = new AbortController()
  readonly #read: Promise<void>

  constructor(url: string) {
    this.#read = this.#listen(url).catch((error: unknown) => {
      if (!this.#stop.signal.aborted) this.complaints.push(String(error))
    })
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    await this.#read
  }

  async #listen(url: string): Promise<void> {
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
      body: JSON.stringify({ query: 'subscription { sold { id inStock } }' }),
      signal: this.#stop.signal,
    })
    if (response.status !== 200 || response.body === null)
      throw new Error(`subscribing was answered by ${response.status}: ${await response.text()}`)
    let text = ''
    for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {
      const events = (text + piece).split('\n\n')
      text = events.pop() ?? ''
      for (const event of events) this.#take(event)
    }
    this.isOver = true
    throw new Error('the router ended the subscription')
  }

  #take(event: string): void {
    const data = /^event: next\ndata: (.*)$/.exec(event)?.[1]
    if (data === undefined) return
    const { data: result, errors, extensions }: SaleEvent = JSON.parse(data)
    if (errors !== undefined || result === null) return void this.complaints.push(`an event failed: ${data}`)
    const number = Number(result.sold.id)
    if (result.sold.inStock !== number) this.complaints.push(`another product's stock: ${data}`)
    const isGap = extensions?.missed !== undefined
    if (isGap) this.gaps++
    const last = this.sales.at(-1)
    if (last !== undefined && (isGap ? number <= last : number !== last + 1))
      this.complaints.push(`sale ${number} came after ${last}`)
    this.sales.push(number)
  }
}

export class Sales implements AsyncDisposable {
  readonly network: TcpProxy
  readonly #system: Constellation
  readonly #resources: AsyncDisposableStack

  private constructor(system: Constellation, network: TcpProxy, resources: AsyncDisposableStack) {
    this.#system = system
    this.network = network
    this.#resources = resources
  }

  /** Starts the subgraph and publishes it. */
  static async open(system: Constellation): Promise<Sales> {
    await using resources = new AsyncDisposableStack()
    const listeners = new Set<ServerResponse>()
    let number = 0
    const server = createServer((request, response) => {
      request.resume()
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
      listeners.add(response)
      response.on('close', () => listeners.delete(response))
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const timer = setInterval(() => {
      number++
      const data = JSON.stringify({ data: { sold: { __typename: 'Product', id: String(number) } } })
      for (const listener of listeners) listener.write(`event: next\ndata: ${data}\n\n`)
    }, EVERY_MS)
    resources.defer(() => {
      clearInterval(timer)
      server.closeAllConnections()
      server.close()
    })
    const address = server.address()
    const port = typeof address === 'object' ? (address?.port ?? 0) : 0
    const network = resources.use(await startTcpProxy({ host: '127.0.0.1', port }))
    const routingUrl = `http://127.0.0.1:${network.port}/graphql`
    const reply = await system.manage('PUT', `/v1/subgraphs/default/${SALES}/schema`, {
      sdl: SDL,
      routingUrl,
      labels: ['team=shop'],
    })
    if (reply.status >= 300)
      throw new Error(`publishing the sales was refused: ${JSON.stringify(reply.body)}`)
    return new Sales(system, network, resources.move())
  }

  /** Subscribes at each router, and waits until each client gets sales. */
  async listen(): Promise<readonly SalesClient[]> {
    return await Promise.all(
      this.#system.routerUrls.map(async (url) => {
        let client = new SalesClient(url)
        await waitFor(`${url} to tell sales`, async () => {
          if (client.sales.length > 0) return true
          // The router may not have the subgraph yet.
          if (client.complaints.length > 0) client = new SalesClient(url)
          return undefined
        })
        return client
      }),
    )
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#resources.disposeAsync()
  }
}
