/** A router does not keep the settings of before in memory, nor what was made for them. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { LOCAL_NETWORKS, loadRouterConfig } from '../../src/config/router-config.ts'
import { ConfigWorld } from '../support/config-world.ts'
import { heldBytes } from '../support/heap.ts'
import { createManifestFolder, manifestOf } from '../support/manifests.ts'
import { post, routerOn, until } from '../support/router.ts'
import { type Shop, startShop } from '../support/shop.ts'

const stack = new AsyncDisposableStack()
let shop: Shop
let world: ConfigWorld
beforeAll(async () => {
  shop = stack.use(await startShop())
  world = stack.use(await ConfigWorld.create())
  await world.publish({ revision: 1, base: shop.base, flags: { next: shop.flag } })
})
afterAll(() => stack.disposeAsync())

const ORIGINS = 1000
const DOCUMENTS = 300
const MB = 1_000_000

it('a hundred reloads leave less than a quarter of what they brought, which is 40 MB', async () => {
  const texts = Array.from({ length: DOCUMENTS }, (_, index) => `{ a${index}: version }`)
  await using folder = await createManifestFolder({ 'm.json': manifestOf('{ version }', ...texts) })
  await using router = await routerOn(world)
  await router.ready
  /** Each about 300 KB, none of them like another. */
  const settings = (count: number) => `
cors: { origins: [${Array.from({ length: ORIGINS }, (_, index) => `"https://o${index}.v${count}.example"`).join()}] }
documents: { mode: log_unknown, warm_up: 0, reload_interval: ${1000 + count}s, manifests: [{ file: ${folder.path('m.json')} }] }
limits: { max_depth: ${10 + count} }
rate_limits: { max_keys: ${100 + count}, rules: [{ name: many, limit: 1000000, per: 1s }] }
headers: { request: [{ propagate_matching: "x-v${count}-.*" }] }
traffic: { max_event_loop_delay: ${1000 + count}ms }
subgraphs:
  max_connections: ${10 + count}
  max_calls: ${10 + count}
  circuit_breaker: { enabled: true, min_calls: ${10 + count} }
`
  const change = async (count: number) => {
    const text = settings(count)
    await router.apply(
      loadRouterConfig({ file: { path: 'router.yaml', text }, defaultNetworks: LOCAL_NETWORKS }),
    )
    expect((await post(router, { query: '{ version }' })).status).toBe(200)
    expect((await post(router, { query: '{ version }' }, { 'x-feature-flag': 'next' })).status).toBe(200)
    await until(() => router.versions() === 1, 'those before have ended')
    router.logs.length = 0
  }
  for (let count = 0; count < 20; count++) await change(count)
  const before = await heldBytes()
  for (let count = 20; count < 120; count++) await change(count)
  const grown = (await heldBytes()) - before
  // What V8 keeps of code and of small objects comes and goes by some megabytes, however many reloads there
  // are.
  expect(grown).toBeLessThan(10 * MB)
})
