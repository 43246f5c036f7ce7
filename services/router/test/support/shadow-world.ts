/** A router that compares answers, on subgraphs whose answers a test writes. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import {
  ALL_ROUTER_DIFFERENCES,
  type ManifestRollout,
  type RolloutResults,
  RouterDifferences,
} from '@switchyard/contracts'
import { buildArtifact } from './artifacts.ts'
import { ConfigWorld } from './config-world.ts'
import { rollout } from './rollouts.ts'
import { routerOn, type TestRouter, until } from './router.ts'
import { closeServer, listenOnFreePort } from './subgraph.ts'

/** A call that a subgraph received. */
export type Call = { readonly query: string; readonly headers: IncomingHttpHeaders; readonly at: number }

export type WrittenSubgraph = AsyncDisposable & {
  readonly url: string
  readonly calls: Call[]
  /** Returns the data of an answer, or writes an answer itself and returns nothing. */
  answer: (call: Call, response: ServerResponse) => unknown
}

async function writtenSubgraph(data: unknown): Promise<WrittenSubgraph> {
  const calls: Call[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8')
    request.on('data', (text: string) => (body += text))
    request.on('end', () => {
      const call = { query: JSON.parse(body).query, headers: request.headers, at: Date.now() }
      calls.push(call)
      const answer = subgraph.answer(call, response)
      if (answer === undefined) return
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
    })
  })
  const port = await listenOnFreePort(server)
  const subgraph: WrittenSubgraph = {
    url: `http://127.0.0.1:${port}/graphql`,
    calls,
    answer: () => ({ data }),
    [Symbol.asyncDispose]: () => closeServer(server),
  }
  return subgraph
}

export type ShadowWorld = AsyncDisposable & {
  readonly world: ConfigWorld
  readonly router: TestRouter
  readonly products: WrittenSubgraph
  readonly next: WrittenSubgraph
  readonly reviews: WrittenSubgraph
  /** Waits until this many samples have come to an end, and returns the results. */
  results(samples: number): Promise<RolloutResults>
}

/** A rollout that compares every answer. */
export function shadowing(change: Partial<ManifestRollout> = {}): ManifestRollout {
  return rollout({ name: 'compare', mode: 'shadow', percent: 100, key: [], ...change })
}

const PRODUCTS = { topProducts: [{ upc: '1', name: 'Table', price: 5 }], version: 'v' }

/** The subgraph `products`, its successor of the flag `next`, and reviews. */
export async function shadowWorld(
  rollouts: readonly ManifestRollout[] = [shadowing()],
  settings = '',
): Promise<ShadowWorld> {
  await using stack = new AsyncDisposableStack()
  const products = stack.use(await writtenSubgraph(PRODUCTS))
  const next = stack.use(await writtenSubgraph(PRODUCTS))
  const reviews = stack.use(await writtenSubgraph({}))
  const world = stack.use(await ConfigWorld.create())
  const told: RouterDifferences[] = []
  world.announcer.subscribe(ALL_ROUTER_DIFFERENCES, (message) => {
    told.push(RouterDifferences.parse(message))
  })
  const base = buildArtifact('base', { products: products.url, reviews: reviews.url })
  const flags = { next: buildArtifact('next', { products: next.url, reviews: reviews.url }) }
  await world.publish({ revision: 1, base, flags, rollouts })
  const router = stack.use(await routerOn(world, { settings, overrides: { differencesInterval: 20 } }))
  await router.ready
  await until(() => router.logs.some(({ event }) => event === 'flag.built'), 'the flag is compiled')
  const parts = stack.move()
  return {
    world,
    router,
    products,
    next,
    reviews,
    results: (samples) =>
      until(() => {
        const results = told.at(-1)?.rollouts[0]
        return results !== undefined && samplesOf(results) >= samples ? results : null
      }, `${samples} samples are over`),
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  }
}

function samplesOf({ operations, dropped }: RolloutResults): number {
  return operations.reduce(
    (sum, { compared, unanswerable, notComparable }) =>
      sum + compared + unanswerable + Object.values(notComparable).reduce((all, count) => all + count, 0),
    dropped,
  )
}
