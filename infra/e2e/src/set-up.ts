/**
 * Brings a constellation to the state that most tests start from: the shop published, the flag `next` created
 * and enabled.
 */
import { waitFor } from '@switchyard/testkit'
import { type Constellation, GRAPH, waitForReady } from './constellation.ts'
import { query, type Shop, variantOf } from './shop.ts'

/** Publishes the shop. `beforeSubgraphs` does what else the graph needs before routers can serve it. */
export async function publishShop(
  system: Constellation,
  shop: Shop,
  beforeSubgraphs: () => Promise<unknown> = async () => {},
): Promise<void> {
  const must = async (method: string, path: string, body: unknown): Promise<void> => {
    const reply = await system.manage(method, path, body)
    if (reply.status >= 300)
      throw new Error(`${method} ${path}: ${reply.status} ${JSON.stringify(reply.body)}\n${system.report()}`)
  }
  await must('POST', '/v1/graphs/default', { name: GRAPH, labelMatchers: ['team=shop'] })
  await beforeSubgraphs()
  for (const name of ['catalogue', 'stock', 'reviews', 'users'] as const) {
    await must('PUT', `/v1/subgraphs/default/${name}/schema`, {
      sdl: shop[name].sdl,
      routingUrl: shop[name].url,
      labels: ['team=shop'],
    })
  }
  for (const [name, subgraph] of [
    ['catalogue', shop.catalogueNext],
    ['stock', shop.stockNext],
  ] as const) {
    await must('POST', '/v1/feature-subgraphs/default', {
      name: `${name}-next`,
      routingUrl: subgraph.url,
      subgraph: name,
    })
    await must('PUT', `/v1/subgraphs/default/${name}-next/schema`, { sdl: subgraph.sdl })
  }
  await must('POST', '/v1/feature-flags/default', {
    name: 'next',
    labels: ['team=shop'],
    featureSubgraphs: ['catalogue-next', 'stock-next'],
    enabled: true,
  })
  for (const url of system.routerUrls) {
    await waitForReady(system, url)
    await waitForVariant(system, url, 'next')
  }
}

/** Waits until the router answers a request that names the flag `next` with this variant. */
export async function waitForVariant(system: Constellation, url: string, variant: string): Promise<void> {
  await waitFor(
    `${url} to answer ${variant}`,
    async () => {
      const got = variantOf(await query(url, { 'X-Feature-Flag': 'next' }))
      if (got !== variant) throw new Error(`${got}\n${system.report()}`)
      return true
    },
    { everyMs: 5 },
  )
}
