/** Names in the settings that the graph does not have. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { LOCAL_NETWORKS, loadRouterConfig } from '../../src/config/router-config.ts'
import { ConfigWorld } from '../support/config-world.ts'
import { post, routerOn, type TestRouter, until } from '../support/router.ts'
import { type Shop, startShop } from '../support/shop.ts'

const stack = new AsyncDisposableStack()
let shop: Shop
beforeAll(async () => {
  shop = stack.use(await startShop())
})
afterAll(() => stack.disposeAsync())

const RULES = 'request: [{ propagate: x-team }]'
const SETTINGS = `
subgraphs: { overrides: { prodcuts: { timeout: 1s }, reviews: { timeout: 1s } } }
headers: { subgraphs: { reveiws: { ${RULES} } }, flags: { nxet: { ${RULES} } } }
flags: { build_ahead: false }
costs: { mode: measure, subgraphs: { products: { max: 1 }, stok: { max: 1 } } }
`
const OF_FLAGS = ['headers.flags.nxet']
const OF_SUBGRAPHS = ['subgraphs.overrides.prodcuts', 'headers.subgraphs.reveiws', 'costs.subgraphs.stok']
const told = ({ logs }: TestRouter) =>
  logs.filter(({ event }) => event === 'config.settings-unmatched').map(({ settings }) => settings)

it('settings that concern nothing are named, once all compositions are known', async () => {
  await using world = await ConfigWorld.create()
  await world.publish({ revision: 1, base: shop.base, flags: { next: shop.flag } })
  await using router = await routerOn(world, { settings: SETTINGS })
  await router.ready
  // A subgraph of these names may belong to the flag, whose composition nobody has asked for.
  expect(told(router)).toEqual([OF_FLAGS])
  await post(router, { query: '{ version }' }, { 'x-feature-flag': 'next' })
  expect(told(router)).toEqual([OF_FLAGS, [...OF_SUBGRAPHS, ...OF_FLAGS]])
  // Another config changes nothing about it, and is no news.
  await world.publish({ revision: 2, base: shop.base, flags: { nxet: shop.flag } })
  await until(() => told(router).length === 3, 'there is a flag of the name')
  expect(told(router)[2]).toEqual(OF_SUBGRAPHS)
  await world.publish({ revision: 3, base: shop.base, flags: { nxet: shop.flag, more: shop.flag } })
  await until(
    () => router.logs.filter(({ event }) => event === 'config.swapped').length === 3,
    'it is served',
  )
  expect(told(router)).toHaveLength(3)
  const apply = (text: string) =>
    router.apply(loadRouterConfig({ file: { path: 'router.yaml', text }, defaultNetworks: LOCAL_NETWORKS }))
  await apply('subgraphs: { overrides: { reviews: { timeout: 1s } } }')
  expect(told(router)).toHaveLength(3)
  await apply('subgraphs: { overrides: { reviewz: { timeout: 1s } } }')
  expect(told(router)[3]).toEqual(['subgraphs.overrides.reviewz'])
})
