/**
 * The shop with very many flags: each replaces the catalogue, the stock or both by feature subgraphs of its
 * own or shared with other flags. What answered a field shows in it, so a request that named a flag must read
 * exactly the pair of that flag, or of base.
 */
import { type HttpSubgraph, serveSubgraph } from '@switchyard/testkit'
import { type Constellation, GRAPH, waitForReady } from './constellation.ts'
import {
  CATALOGUE_SDL,
  catalogueResolvers,
  type GraphQLAnswer,
  openShop,
  type Shop,
  STOCK_SDL,
  stockResolvers,
} from './shop.ts'

export type ShopFlag = {
  readonly name: string
  /** Names of feature subgraphs. */
  readonly members: readonly string[]
  /** The pair of subgraphs that its requests read, in the form of `pairOf`. */
  readonly pair: string
}

export type FlaggedShop = AsyncDisposable & {
  readonly shop: Shop
  readonly features: ReadonlyMap<string, { readonly base: string; readonly subgraph: HttpSubgraph }>
  readonly flags: readonly ShopFlag[]
}

const CATALOGUES = 25
const STOCKS = 10
export const BASE = 'base+base'

/**
 * Opens a shop with flags. The first half of the flags have a catalogue of their own, the others share both
 * members. Two flags are alike.
 */
export async function openFlaggedShop(count: number): Promise<FlaggedShop> {
  const shop = await openShop()
  const features = new Map<string, { base: string; subgraph: HttpSubgraph }>()
  for (let index = 0; index < CATALOGUES; index++) {
    const name = `c${index}`
    const sdl = CATALOGUE_SDL.replace('price: Int!', `price: Int! added${index}: Int`)
    const subgraph = await serveSubgraph({ sdl, resolvers: catalogueResolvers(name) })
    features.set(name, { base: 'catalogue', subgraph })
  }
  for (let index = 0; index < STOCKS; index++) {
    const name = `s${index}`
    const subgraph = await serveSubgraph({ sdl: STOCK_SDL, resolvers: stockResolvers(name) })
    features.set(name, { base: 'stock', subgraph })
  }
  return {
    shop,
    features,
    flags: Array.from({ length: count }, (_, index) => flagOf(index)),
    async [Symbol.asyncDispose]() {
      await Promise.all([...features.values()].map(({ subgraph }) => subgraph[Symbol.asyncDispose]()))
      await shop[Symbol.asyncDispose]()
    },
  }
}

/** Names with all that names may have, which has to be encoded in paths and cookies. */
function flagOf(index: number): ShopFlag {
  const name = index % 3 === 0 ? `team/f${index}@v.1` : `f${index}`
  if (index < CATALOGUES) {
    const stock = index % 2 === 0 ? null : `s${index % STOCKS}`
    return flag(name, `c${index}`, stock)
  }
  return flag(name, `c${(index * 7) % CATALOGUES}`, `s${(index * 3) % STOCKS}`)
}

function flag(name: string, catalogue: string, stock: string | null): ShopFlag {
  return {
    name,
    members: stock === null ? [catalogue] : [catalogue, stock],
    pair: `${catalogue}+${stock ?? 'base'}`,
  }
}

/** Publishes everything and enables every second flag. Resolves when every router serves the graph. */
export async function publishFlaggedShop(
  system: Constellation,
  { shop, features, flags }: FlaggedShop,
): Promise<void> {
  const must = async (method: string, path: string, body: unknown): Promise<void> => {
    const reply = await system.manage(method, path, body)
    if (reply.status >= 300)
      throw new Error(`${method} ${path}: ${reply.status} ${JSON.stringify(reply.body)}\n${system.report()}`)
  }
  for (const name of ['catalogue', 'stock', 'reviews', 'users'] as const) {
    const { sdl, url } = shop[name]
    await must('PUT', `/v1/subgraphs/default/${name}/schema`, { sdl, routingUrl: url, labels: ['team=shop'] })
  }
  for (const [name, { base, subgraph }] of features) {
    await must('POST', '/v1/feature-subgraphs/default', { name, routingUrl: subgraph.url, subgraph: base })
    await must('PUT', `/v1/subgraphs/default/${name}/schema`, { sdl: subgraph.sdl })
  }
  for (const [index, { name, members }] of flags.entries()) {
    const enabled = index % 2 === 0
    await must('POST', '/v1/feature-flags/default', {
      name,
      labels: ['team=shop'],
      featureSubgraphs: members,
      enabled,
    })
  }
  await must('POST', '/v1/graphs/default', { name: GRAPH, labelMatchers: ['team=shop'] })
  for (const url of system.routerUrls) await waitForReady(system, url)
}

/** `<catalogue>+<stock>` of an answer to the shop's query, or what is wrong with it. */
export function pairOf(answer: GraphQLAnswer): string {
  const text = JSON.stringify(answer.body).slice(0, 300)
  const body = answer.body as {
    errors?: unknown
    data?: { products: readonly { nameVariant: string; stockVariant: string }[] } | null
  }
  if (answer.status !== 200) return `status ${answer.status}: ${text}`
  if (body.errors !== undefined || body.data === null || body.data === undefined) return `failed: ${text}`
  const pairs = new Set(
    body.data.products.map(({ nameVariant, stockVariant }) => `${nameVariant}+${stockVariant}`),
  )
  return pairs.size === 1 ? ([...pairs][0] ?? 'empty') : `mixed: ${text}`
}
