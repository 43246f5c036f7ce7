/** A subgraph of products or of reviews whose answers have the headers that a test wants. */
import { createServer } from 'node:http'
import { closeServer, listenOnFreePort } from './subgraph.ts'

export type TalkingSubgraph = AsyncDisposable & {
  readonly url: string
  /** Names and values in turns, of all further answers. May be asked for what the call has in common. */
  headers: (call: number) => readonly string[]
  /** Answers wait for it. */
  held: Promise<unknown>
  calls: number
}

const PRODUCT = { __typename: 'Product', upc: '1', name: 'Table', reviews: [{ id: 'r', body: 'Good' }] }
const DATA = { product: PRODUCT, topProducts: [PRODUCT], rename: PRODUCT, _entities: [PRODUCT] }

export async function startTalkingSubgraph(): Promise<TalkingSubgraph> {
  const server = createServer((request, response) => {
    const call = ++subgraph.calls
    const { held } = subgraph
    request.resume().on('end', () => {
      void held.then(() => {
        const type = ['content-type', 'application/json']
        response.writeHead(200, [...type, ...subgraph.headers(call)]).end(JSON.stringify({ data: DATA }))
      })
    })
  })
  const port = await listenOnFreePort(server)
  const subgraph: TalkingSubgraph = {
    url: `http://127.0.0.1:${port}/graphql`,
    headers: () => [],
    held: Promise.resolve(),
    calls: 0,
    [Symbol.asyncDispose]: () => closeServer(server),
  }
  return subgraph
}
