/** Real subgraphs: graphql-js behind node:http, executing the SDL of the fixtures. */
import { readFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import type { Server } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { buildSchema, execute, GraphQLError, parse } from 'graphql'

export type ReceivedRequest = {
  readonly headers: IncomingHttpHeaders
  readonly body: string
  /** The connection was cut before the answer was written. */
  aborted: boolean
}

export type TestSubgraph = AsyncDisposable & {
  readonly name: string
  readonly url: string
  readonly port: number
  readonly requests: ReceivedRequest[]
}

type SubgraphName = 'products' | 'products-next' | 'reviews'

const FEDERATION = `
  directive @key(fields: String!) repeatable on OBJECT
  scalar _Any
  union _Entity = Product
  extend type Query { _entities(representations: [_Any!]!): [_Entity]! }
`

export async function startSubgraph(name: SubgraphName, version: string = name): Promise<TestSubgraph> {
  const sdl = readFileSync(new URL(`../fixtures/${name}.graphql`, import.meta.url), 'utf8')
  const schema = buildSchema(`${sdl.replace(/^extend schema.*$/m, '')}\n${FEDERATION}`)
  const requests: ReceivedRequest[] = []
  const server = createServer((request, response) => {
    const received: ReceivedRequest = { headers: request.headers, body: '', aborted: false }
    requests.push(received)
    response.on('close', () => {
      received.aborted = !response.writableFinished
    })
    void read(request).then(async (body) => {
      Object.assign(received, { body })
      const { query, variables } = JSON.parse(body)
      const result = await execute({
        schema,
        document: parse(query),
        variableValues: variables,
        rootValue: resolvers(version, request.headers),
      })
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(result))
    })
  })
  const port = await listenOnFreePort(server)
  return {
    name,
    port,
    url: `http://127.0.0.1:${port}/graphql`,
    requests,
    [Symbol.asyncDispose]: () => closeServer(server),
  }
}

export function listenOnFreePort(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : 0)
    })
  })
}

export async function closeServer(server: ReturnType<typeof createServer>): Promise<void> {
  server.closeAllConnections()
  await new Promise((resolve) => {
    server.close(resolve)
  })
}

const PRODUCTS = [
  { upc: '1', name: 'Table', price: 899, discount: 5 },
  { upc: '2', name: 'Couch', price: 1299, discount: 10 },
]

function product(upc: string) {
  return {
    __typename: 'Product',
    ...PRODUCTS.find((known) => known.upc === upc),
    reviews: [{ id: `r${upc}`, body: `Review of ${upc}` }],
  }
}

function resolvers(version: string, headers: IncomingHttpHeaders) {
  const header = ({ name }: { name: string }) => headers[name] ?? null
  return {
    topProducts: ({ first }: { first: number }) => PRODUCTS.slice(0, first).map(({ upc }) => product(upc)),
    product: ({ upc }: { upc: string }) => product(upc),
    header,
    reviewHeader: header,
    slow: async ({ milliseconds }: { milliseconds: number }) => {
      await delay(milliseconds)
      return version
    },
    fails: () => {
      throw new GraphQLError('The database said no', {
        extensions: { code: 'DB_DOWN', stacktrace: ['at secret.ts:1'], hint: 'retry' },
      })
    },
    version: () => version,
    rename: ({ upc, name }: { upc: string; name: string }) => ({ ...product(upc), name }),
    _entities: ({ representations }: { representations: readonly { upc: string }[] }) =>
      representations.map(({ upc }) => product(upc)),
  }
}

async function read(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text
}
