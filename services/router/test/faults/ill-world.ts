/** A router over a subgraph that is well and one that may be ill. */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { packed } from '../support/artifacts.ts'
import { ConfigWorld } from '../support/config-world.ts'
import { post, type Reply, routerOn, type TestRouter, type LogLine } from '../support/router.ts'
import { closeServer, listenOnFreePort } from '../support/subgraph.ts'
import { IllSubgraph } from './ill-subgraph.ts'

/** Of the subgraph that is well: as a client must get them, whatever happens to the other one. */
export const ITEMS = [
  { id: '1', name: 'Table "é" 🦊 \u2028' },
  { id: '2', name: 'Couch \\ \u007f' },
]
const SUPERGRAPH = new URL('../fixtures/supergraph-stock.graphql', import.meta.url)

/** The two subgraphs, and the configuration of their graph. */
export type IllGraph = AsyncDisposable & {
  readonly world: ConfigWorld
  /** The one that may be ill. */
  readonly stock: IllSubgraph
}

/** `url`: of another subgraph in place of the one that may be ill. */
export async function startIllGraph(url: string | null = null): Promise<IllGraph> {
  await using stack = new AsyncDisposableStack()
  const catalogue = createServer((request, response) => {
    const text = JSON.stringify({ data: { items: ITEMS.map((item) => ({ __typename: 'Item', ...item })) } })
    request.resume().on('end', () => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(text)
    })
  })
  const port = await listenOnFreePort(catalogue)
  stack.defer(() => closeServer(catalogue))
  const stock = stack.use(await IllSubgraph.start())
  const world = stack.use(await ConfigWorld.create())
  const base = stockArtifact(`http://127.0.0.1:${port}/graphql`, url ?? stock.url)
  await world.publish({ revision: 1, base })
  const parts = stack.move()
  return { world, stock, [Symbol.asyncDispose]: () => parts.disposeAsync() }
}

export type IllWorld = AsyncDisposable & {
  readonly router: TestRouter
  readonly stock: IllSubgraph
  ask(query: string): Promise<Reply>
  events(name: string): readonly LogLine[]
}

/** Settings of a router whose section `subgraphs` has these. Each request makes its own calls. */
export const settingsWith = (subgraphs: string): string => `
engine: { enable_defer: true }
traffic: { share_inflight: false }
subgraphs: { ${subgraphs} }
`

/** `subgraphs`: settings of this section; `url`: see `startIllGraph`. */
export async function startIllWorld(subgraphs: string, url: string | null = null): Promise<IllWorld> {
  await using stack = new AsyncDisposableStack()
  const { world, stock } = stack.use(await startIllGraph(url))
  const router = stack.use(await routerOn(world, { settings: settingsWith(subgraphs) }))
  await router.ready
  const parts = stack.move()
  return {
    router,
    stock,
    ask: (query) => post(router, { query }),
    events: (name) => router.logs.filter(({ event }) => event === name),
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  }
}

function stockArtifact(catalogue: string, stock: string) {
  return packed({
    formatVersion: 1,
    supergraphSdl: readFileSync(SUPERGRAPH, 'utf8'),
    subgraphs: [
      { name: 'catalogue', routingUrl: catalogue },
      { name: 'stock', routingUrl: stock },
    ],
    compatibilityVersion: 'join/v0.3',
  })
}
