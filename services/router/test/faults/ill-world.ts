/** A router over a subgraph that is well and one that may be ill. */
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { createCertificate, temporaryDirectory } from '@switchyard/testkit'
import { packed } from '../support/artifacts.ts'
import { ConfigWorld } from '../support/config-world.ts'
import { post, type Reply, routerOn, type TestRouter, type LogLine } from '../support/router.ts'
import { closeServer, listenOnFreePort } from '../support/subgraph.ts'
import { IllSubgraph } from './ill-subgraph.ts'
import { startTlsFront } from './tls-front.ts'

/** Of the subgraph that is well: as a client must get them, whatever happens to the other one. */
export const ITEMS = [
  { id: '1', name: 'Table "é" 🦊 \u2028' },
  { id: '2', name: 'Couch \\ \u007f' },
]
const SUPERGRAPH = new URL('../fixtures/supergraph-stock.graphql', import.meta.url)

/** How the subgraph that may be ill is called. */
export const WAYS = ['HTTP', 'HTTPS'] as const
export type Way = (typeof WAYS)[number]

/** The two subgraphs, and the configuration of their graph. */
export type IllGraph = AsyncDisposable & {
  readonly world: ConfigWorld
  /** Settings of a router whose section `subgraphs` has these. Each request makes its own calls. */
  readonly settingsWith: (subgraphs: string) => string
  /** The one that may be ill. */
  readonly stock: IllSubgraph
}

/** `url`: of another subgraph in place of the one that may be ill. */
export async function startIllGraph(way: Way = 'HTTP', url: string | null = null): Promise<IllGraph> {
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
  const front = way === 'HTTPS' ? await startFront(stack, stock) : null
  const base = stockArtifact(`http://127.0.0.1:${port}/graphql`, url ?? front?.url ?? stock.url)
  await world.publish({ revision: 1, base })
  const settingsWith = (subgraphs: string): string => `
engine: { enable_defer: true }
traffic: { share_inflight: false }
subgraphs: { ${subgraphs} ${front?.trust ?? ''} }
`
  const parts = stack.move()
  return { world, stock, settingsWith, [Symbol.asyncDispose]: () => parts.disposeAsync() }
}

/** `trust`: settings, after those of `subgraphs`, by which routers believe its certificate. */
async function startFront(stack: AsyncDisposableStack, stock: IllSubgraph) {
  const certificate = createCertificate({ name: 'test authority', authority: true, hosts: ['127.0.0.1'] })
  const folder = stack.use(await temporaryDirectory())
  const file = join(folder.path, 'ca.pem')
  await writeFile(file, certificate.cert)
  const { port } = stack.use(await startTlsFront(stock.port, certificate))
  return { url: `https://127.0.0.1:${port}/graphql`, trust: `, tls: { ca_file: '${file}' }` }
}

export type IllWorld = AsyncDisposable & {
  readonly router: TestRouter
  readonly stock: IllSubgraph
  ask(query: string): Promise<Reply>
  events(name: string): readonly LogLine[]
}

/** `subgraphs`: settings of this section; the others: see `startIllGraph`. */
export async function startIllWorld(
  subgraphs: string,
  way: Way = 'HTTP',
  url: string | null = null,
): Promise<IllWorld> {
  await using stack = new AsyncDisposableStack()
  const { world, stock, settingsWith } = stack.use(await startIllGraph(way, url))
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
