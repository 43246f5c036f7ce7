/** A subgraph that sends events when it is told to, one that adds to them, and what both compose to. */
import { createServer, type IncomingMessage } from 'node:http'
import { buildSchema, execute, type ExecutionResult, parse } from 'graphql'
import { useServer } from 'graphql-ws/use/ws'
import { WebSocketServer } from 'ws'
import { type BuiltArtifact, composedArtifact } from '../../support/artifacts.ts'
import { ConfigWorld } from '../../support/config-world.ts'
import { closeServer, listenOnFreePort } from '../../support/subgraph.ts'

const LINK = 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key"])'
const EVENTS = `
  type Query { now: Int }
  type Subscription { changed(type: String): Product ticks: Int }
  type Product @key(fields: "upc") { upc: ID! }`
const STOCK = `
  type Query { stocked: Int }
  type Product @key(fields: "upc") { upc: ID! price: Int }`
const FEDERATION = `
  directive @key(fields: String!) repeatable on OBJECT
  scalar _Any
  union _Entity = Product
  extend type Query { _entities(representations: [_Any!]!): [_Entity]! }`

type Value = Readonly<Record<string, unknown>>

/** Sends events to those who have subscribed. */
export class Events {
  /** Subscriptions that are open, with the values of their variables. */
  readonly open: { readonly variables: unknown; tell(value: Value | null): void }[] = []

  /** Sends an event to all; null ends their subscriptions. */
  send(value: Value | null): void {
    for (const subscription of this.open) subscription.tell(value)
  }

  /** No generator: one that waits for an event cannot be told that nobody listens any more. */
  subscribe(variables: unknown): AsyncIterableIterator<Value> {
    const queue: (Value | null)[] = []
    let wake = (): void => {}
    let isOver = false
    const own = {
      variables,
      tell: (value: Value | null): void => {
        queue.push(value)
        wake()
      },
    }
    this.open.push(own)
    const end = (): { readonly done: true; readonly value: undefined } => {
      if (!isOver) this.open.splice(this.open.indexOf(own), 1)
      isOver = true
      wake()
      return { done: true, value: undefined }
    }
    return {
      next: async () => {
        for (;;) {
          const value = isOver ? null : queue.shift()
          if (value === null) return end()
          if (value !== undefined) return { done: false, value }
          await new Promise<void>((resolve) => (wake = resolve))
        }
      },
      return: () => Promise.resolve(end()),
      [Symbol.asyncIterator]() {
        return this
      },
    }
  }
}

/** What the subgraph that adds prices does. */
export type Stock = {
  /** Waits before it answers about these products. */
  wait: (upcs: readonly string[]) => Promise<void>
  /** Returns the price that it tells whoever sent the request. */
  price: (upc: string, request: IncomingMessage) => number
  readonly asked: IncomingMessage[]
}

export type EventGraph = AsyncDisposable & {
  readonly events: Events
  readonly stock: Stock
  readonly config: ConfigWorld
  /** The graph as it is published first. */
  readonly base: BuiltArtifact
  /**
   * Publishes the graph with these fields of `Product` in the subgraph of the stock, besides its key. `depot`
   * are those of another subgraph at the same address.
   */
  publish(
    revision: number,
    fields?: string,
    flags?: Readonly<Record<string, string>>,
    depot?: string,
  ): Promise<void>
}

export async function startEventGraph(): Promise<EventGraph> {
  await using stack = new AsyncDisposableStack()
  const events = new Events()
  const eventsUrl = await serveEvents(events, stack)
  const stock: Stock = { wait: () => Promise.resolve(), price: (upc) => Number(upc) * 10, asked: [] }
  const stockUrl = await serveStock(stock, stack)
  const stockSdl = (fields: string) => `${LINK}\n${STOCK.replace('price: Int', fields)}`
  const artifactWith = (fields: string, depot?: string): BuiltArtifact =>
    composedArtifact([
      { name: 'events', sdl: `${LINK}\n${EVENTS}`, routingUrl: eventsUrl },
      { name: 'stock', sdl: stockSdl(fields), routingUrl: stockUrl },
      ...(depot === undefined
        ? []
        : [{ name: 'depot', sdl: stockSdl(depot).replace('stocked', 'deposited'), routingUrl: stockUrl }]),
    ])
  const config = stack.use(await ConfigWorld.create())
  const publish: EventGraph['publish'] = async (revision, fields = 'price: Int', flags = {}, depot) => {
    const built = Object.entries(flags).map(([flag, own]) => [flag, artifactWith(own)] as const)
    await config.publish({ revision, base: artifactWith(fields, depot), flags: Object.fromEntries(built) })
  }
  await publish(1)
  const parts = stack.move()
  const base = artifactWith('price: Int')
  return { events, stock, config, base, publish, [Symbol.asyncDispose]: () => parts.disposeAsync() }
}

async function serveEvents(events: Events, stack: AsyncDisposableStack): Promise<string> {
  const schema = buildSchema(`${EVENTS}\n${FEDERATION}`)
  const subscription = schema.getSubscriptionType()?.getFields() ?? {}
  for (const field of Object.values(subscription)) {
    field.subscribe = (_root, variables) => events.subscribe(variables)
    field.resolve = (value: Value) => value[field.name] ?? null
  }
  const server = createServer((_request, response) => response.writeHead(404).end())
  const sockets = new WebSocketServer({ server })
  const served = useServer({ schema }, sockets)
  stack.defer(() => closeServer(server))
  stack.defer(async () => served.dispose())
  return `http://127.0.0.1:${await listenOnFreePort(server)}/graphql`
}

async function serveStock(stock: Stock, stack: AsyncDisposableStack): Promise<string> {
  const schema = buildSchema(`${STOCK.replace('price: Int', 'price: Int weight: Int')}\n${FEDERATION}`)
  const answer = async (body: string, request: IncomingMessage): Promise<ExecutionResult> => {
    const { query, variables } = JSON.parse(body)
    const representations: { readonly upc: string }[] = variables?.r0 ?? []
    await stock.wait(representations.map(({ upc }) => upc))
    const entities = representations.map((one) => {
      const price = stock.price(one.upc, request)
      return { ...one, price, weight: 1 }
    })
    const rootValue = { _entities: entities, stocked: 3 }
    return execute({ schema, document: parse(query), variableValues: variables, rootValue })
  }
  const server = createServer((request, response) => {
    stock.asked.push(request)
    let text = ''
    request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
    request.on('end', () => {
      void answer(text, request).then((result) => {
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(result))
      })
    })
  })
  stack.defer(() => closeServer(server))
  return `http://127.0.0.1:${await listenOnFreePort(server)}/graphql`
}
