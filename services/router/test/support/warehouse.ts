/**
 * Three real subgraphs that fail in every way there is, on demand, and routers that show what clients get
 * then.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import type { PendingPer } from '@switchyard/engine'
import { freePort, temporaryDirectory } from '@switchyard/testkit'
import { buildSchema, execute, GraphQLError, parse } from 'graphql'
import { start, type TestRouter } from './router.ts'
import { closeServer, listenOnFreePort } from './subgraph.ts'

export type Name = 'shop' | 'stock' | 'stars'
/** The first two concern a field of item B, the others all that a subgraph is asked. */
export const FAULTS = ['null', 'error', 'HTTP 500', 'time-out', 'refused', 'not JSON'] as const
export type Fault = (typeof FAULTS)[number]
export type Trouble = { readonly subgraph: Name; readonly field: string; readonly fault: Fault }

export const FIXTURE = new URL('../fixtures/supergraph-warehouse.graphql', import.meta.url)

/** As the supergraph says, but that any field may be null: a subgraph that does not keep what it promises. */
const SCHEMAS: Readonly<Record<Name, string>> = {
  shop: `type Query { item: Item items: [Item] grid: [[Item]] sure: Item _entities(representations: [_Any]): [Item] }
    type Mutation { order: Item }
    type Item { id: ID name: String color: String }
    scalar _Any`,
  stock: `type Query { _entities(representations: [_Any]): [_Entity] }
    type Item { id: ID count: Int must: Int place: Place }
    type Place { shelf: Int row: Int }
    union _Entity = Item
    scalar _Any`,
  stars: `type Query { _entities(representations: [_Any]): [_Entity] }
    type Item { id: ID stars: Int }
    union _Entity = Item
    scalar _Any`,
}

const ITEMS: Readonly<Record<string, object>> = {
  A: { name: 'a', color: 'red', count: 1, must: 3, place: { shelf: 5, row: 7 }, stars: 9 },
  B: { name: 'b', color: 'blue', count: 2, must: 4, place: { shelf: 6, row: 8 }, stars: 10 },
}

export class Warehouse implements AsyncDisposable {
  /**
   * Since `suffer` was called last: requests by subgraph and how many of them were given up, executions of
   * the mutation.
   */
  calls: Readonly<Record<string, number>> = {}
  givenUp: Readonly<Record<string, number>> = {}
  #trouble: Trouble | null = null
  readonly #held = new Map<Name, PromiseWithResolvers<void>>()
  readonly #routers = new Map<string, Promise<TestRouter>>()
  readonly #ports = new Map<Name, number>()
  readonly #stack = new AsyncDisposableStack()
  readonly #settings: string

  private constructor(settings: string) {
    this.#settings = settings
  }

  /** `settings`: sections of the routers' settings file, beside `engine` and `subgraphs`. */
  static async start(settings = ''): Promise<Warehouse> {
    const warehouse = new Warehouse(settings)
    for (const name of ['shop', 'stock', 'stars'] as const) await warehouse.#serve(name)
    return warehouse
  }

  /** What goes wrong from now on. */
  suffer(trouble: Trouble | null): void {
    this.#trouble = trouble
    this.calls = { shop: 0, stock: 0, stars: 0, order: 0 }
    this.givenUp = { shop: 0, stock: 0, stars: 0 }
  }

  /** A subgraph answers nothing until it is released. */
  hold(name: Name): void {
    this.#held.set(name, Promise.withResolvers())
  }

  release(name: Name): void {
    this.#held.get(name)?.resolve()
    this.#held.delete(name)
  }

  /** One that meets the present trouble: only with a short time limit for a subgraph that never answers. */
  router(pendingPer: PendingPer = 'fragment'): Promise<TestRouter> {
    const { fault, subgraph } = this.#trouble ?? { fault: 'null', subgraph: 'stock' }
    const special = `${pendingPer} ${fault === 'time-out' || fault === 'refused' ? `${fault} ${subgraph}` : ''}`
    let router = this.#routers.get(special)
    if (router === undefined) {
      router = this.#startRouter(fault, subgraph, pendingPer)
      this.#routers.set(special, router)
    }
    return router
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const name of this.#held.keys()) this.release(name)
    for (const router of this.#routers.values()) await (await router)[Symbol.asyncDispose]()
    await this.#stack.disposeAsync()
  }

  async #startRouter(fault: Fault, subgraph: Name, pendingPer: PendingPer): Promise<TestRouter> {
    const directory = this.#stack.use(await temporaryDirectory())
    const path = join(directory.path, 'supergraph.graphql')
    let sdl = await readFile(FIXTURE, 'utf8')
    for (const [name, port] of this.#ports) {
      const target = fault === 'refused' && name === subgraph ? await freePort() : port
      sdl = sdl.replace(`http://${name}.invalid/graphql`, `http://127.0.0.1:${target}/graphql`)
    }
    await writeFile(path, sdl)
    const short = fault === 'time-out' ? `subgraphs: { overrides: { ${subgraph}: { timeout: 100ms } } }` : ''
    const router = await start(
      { kind: 'supergraph', path },
      {
        settings: `engine: { enable_defer: true, defer_pending: ${pendingPer} }\n${short}\n${this.#settings}`,
      },
    )
    await router.ready
    return router
  }

  async #serve(name: Name): Promise<void> {
    const schema = buildSchema(SCHEMAS[name])
    const server = createServer((request, response) => {
      this.#call(name)
      response.on('close', () => {
        if (!response.writableFinished)
          this.givenUp = { ...this.givenUp, [name]: (this.givenUp[name] ?? 0) + 1 }
      })
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        void (async () => {
          await this.#held.get(name)?.promise
          if (this.#isLost(name, response)) return
          const { query, variables } = JSON.parse(Buffer.concat(chunks).toString())
          const document = parse(query)
          const rootValue = this.#root(name)
          const result = await execute({ schema, document, variableValues: variables, rootValue })
          response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(result))
        })()
      })
    })
    this.#ports.set(name, await listenOnFreePort(server))
    this.#stack.defer(() => closeServer(server))
  }

  /** Whether the request as a whole goes wrong. */
  #isLost(name: Name, response: ServerResponse): boolean {
    if (this.#trouble?.subgraph !== name) return false
    switch (this.#trouble.fault) {
      case 'null':
      case 'error':
        return false
      case 'HTTP 500':
        response.writeHead(500, { 'content-type': 'application/json' }).end('{"no":true}')
        return true
      case 'not JSON':
        response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":')
        return true
      case 'time-out':
      case 'refused':
        return true
      default:
        return this.#trouble.fault satisfies never
    }
  }

  #root(name: Name): object {
    const item = (id: string) => this.#item(name, id)
    const orFault = (field: string, value: () => unknown) => () => this.#orFault(name, field, value)
    return {
      item: orFault('item', () => item('B')),
      sure: orFault('sure', () => item('B')),
      items: orFault('items', () => [item('A'), item('B')]),
      grid: orFault('grid', () => [[item('A')], null, [item('B')]]),
      order: () => {
        this.#call('order')
        return this.#orFault(name, 'order', () => item('B'))
      },
      _entities: ({ representations }: { readonly representations: readonly { readonly id: string }[] }) =>
        representations.map(({ id }) => item(id)),
    }
  }

  #item(name: Name, id: string): object {
    const withFaults = (fields: object): object =>
      Object.fromEntries(
        Object.entries(fields).map(([field, value]) => [
          field,
          () => {
            const plain = typeof value === 'object' ? withFaults(value) : value
            return id === 'B' ? this.#orFault(name, field, () => plain) : plain
          },
        ]),
      )
    return { __typename: 'Item', id, ...withFaults(ITEMS[id] ?? {}) }
  }

  #call(name: string): void {
    this.calls = { ...this.calls, [name]: (this.calls[name] ?? 0) + 1 }
  }

  #orFault(name: Name, field: string, value: () => unknown): unknown {
    const trouble = this.#trouble
    if (trouble?.subgraph !== name || trouble.field !== field) return value()
    if (trouble.fault === 'null') return null
    if (trouble.fault !== 'error') return value()
    throw new GraphQLError('The database is down', { extensions: { code: 'DB_DOWN' } })
  }
}

/** The error that clients are told, but for its path. */
export function errorOf({ fault, subgraph }: Trouble): object {
  const [code, message] = ERRORS[fault]
  return {
    message: message.replace('%s', `Subgraph "${subgraph}"`),
    extensions: { code, serviceName: subgraph },
  }
}

const DOWN = ['DB_DOWN', 'The database is down'] as const
const ERRORS: Readonly<Record<Fault, readonly [code: string, message: string]>> = {
  null: DOWN,
  error: DOWN,
  'HTTP 500': ['SUBGRAPH_HTTP_ERROR', '%s answered with HTTP status 500.'],
  'time-out': ['SUBGRAPH_TIMEOUT', '%s did not answer within 100 ms.'],
  refused: ['SUBGRAPH_UNREACHABLE', '%s could not be reached.'],
  'not JSON': ['SUBGRAPH_INVALID_RESPONSE', '%s sent an answer that is not JSON (HTTP status 200).'],
}
