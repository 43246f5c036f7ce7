/** What a router without a last-known-good copy serves when something in the config store is damaged. */
import { gzipSync } from 'node:zlib'
import type { ConfigStore } from '@switchyard/config-store'
import { openConfigStore } from '@switchyard/config-store'
import { createMemoryAnnouncer } from '@switchyard/event-log'
import { redisServerAvailable, startRedisServer } from '@switchyard/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BuiltArtifact, buildArtifact } from '../support/artifacts.ts'
import { ConfigWorld, GRAPH } from '../support/config-world.ts'
import { type MeasuredRouter, startMeasuredRouter } from '../support/measured-router.ts'
import { post, routerOn, send, type TestRouter, until } from '../support/router.ts'
import { type Shop, startShop } from '../support/shop.ts'

if (!redisServerAvailable())
  process.stderr.write('Without redis-server nothing is damaged in a real config store.\n')

let shop: Shop
beforeAll(async () => {
  shop = await startShop()
})
afterAll(() => shop[Symbol.asyncDispose]())

const flagOf = (name: string): BuiltArtifact =>
  buildArtifact('next', { products: `${shop.next.url}?${name}`, reviews: shop.reviews.url })
const asked = (router: TestRouter, flag?: string) =>
  post(router, { query: '{ version }' }, flag === undefined ? {} : { 'x-feature-flag': flag })
const versionOf = async (router: TestRouter, flag?: string) =>
  (await asked(router, flag)).json.data?.['version']
const health = async ({ url }: TestRouter): Promise<{ status?: string; warning?: string }> =>
  JSON.parse((await send(`${url}/health/ready`)).text)
const eventsOf = ({ logs }: TestRouter, name: string) => logs.filter(({ event }) => event === name)

/** What somebody has put in its place; null: nothing. */
async function damage({ store }: ConfigWorld, { sha256 }: BuiltArtifact, bytes: Uint8Array | null) {
  await store.deleteArtifact(GRAPH, sha256)
  if (bytes !== null) await store.putArtifact(GRAPH, sha256, bytes)
}
async function mend({ store }: ConfigWorld, { sha256, gzipped }: BuiltArtifact) {
  await store.deleteArtifact(GRAPH, sha256)
  await store.putArtifact(GRAPH, sha256, gzipped)
}

async function onRedis(use: AsyncDisposableStack): Promise<ConfigWorld> {
  const redis = use.use(await startRedisServer())
  const store = await openConfigStore({ kind: 'redis', url: redis.url }, { name: 'test' })
  return use.use(await ConfigWorld.create({ store, announcer: createMemoryAnnouncer() }))
}

describe.each([
  ['a directory', false, async (use: AsyncDisposableStack) => use.use(await ConfigWorld.create())],
  ['Redis', !redisServerAvailable(), onRedis],
] as const)('an artifact of a flag in %s', (_, isMissing, open) => {
  it.skipIf(isMissing).each([
    ['is damaged', gzipSync('something else')],
    ['is cut off', gzipSync('something else').subarray(0, 12)],
    ['is missing', null],
  ] as const)(
    '%s: the flag alone is not served, which is told, until the store is mended',
    async (_, bytes) => {
      await using use = new AsyncDisposableStack()
      const world = await open(use)
      const broken = flagOf('broken')
      await world.publish({ revision: 1, base: shop.base, flags: { next: shop.flag, broken } })
      await damage(world, broken, bytes)
      const router = use.use(await routerOn(world))
      await router.ready

      expect(await versionOf(router)).toBe('products')
      expect(await versionOf(router, 'next')).toBe('products-next')
      const refused = await asked(router, 'broken')
      expect([refused.status, refused.json.errors?.[0]?.extensions['code'], refused.json.data]).toEqual([
        503,
        'FLAG_NOT_AVAILABLE',
        undefined,
      ])
      expect(refused.headers['retry-after']).toBe('10')
      expect(await versionOf(router, 'unknown')).toBe('products')
      expect(await health(router)).toMatchObject({
        status: 'ok',
        warning: expect.stringContaining('feature flag "broken" is not served'),
      })
      await until(
        () => world.heartbeats.at(-1)?.leftOut?.flags.join() === 'broken',
        'the heartbeat says what is left out',
      )
      expect(world.heartbeats.at(-1)).toMatchObject({
        state: 'serving',
        revision: 1,
        flags: ['next'],
        leftOut: { flags: ['broken'], documents: [] },
      })
      expect(world.heartbeats.at(-1)?.rejected).toBeUndefined()

      await mend(world, broken)
      await until(async () => (await versionOf(router, 'broken')) === 'products-next', 'the flag is served')
      expect((await health(router)).warning).toBeUndefined()
      await until(
        () => world.heartbeats.at(-1)?.leftOut === undefined,
        'the heartbeat says that all is served',
      )
      expect(world.heartbeats.at(-1)?.flags).toEqual(['broken', 'next'])
      expect(eventsOf(router, 'config.damaged')).toHaveLength(1)
      expect(eventsOf(router, 'config.rejected')).toHaveLength(0)
    },
  )

  it.skipIf(isMissing)('is damaged as that of base is: nothing is served', async () => {
    await using use = new AsyncDisposableStack()
    const world = await open(use)
    const broken = flagOf('broken')
    await world.publish({ revision: 1, base: shop.base, flags: { broken } })
    await damage(world, broken, null)
    await damage(world, shop.base, gzipSync('something else'))
    const router = use.use(await routerOn(world))
    await until(() => eventsOf(router, 'config.rejected').length > 0, 'the config is rejected')
    expect((await asked(router)).status).toBe(503)
    await mend(world, shop.base)
    await until(async () => (await versionOf(router)) === 'products', 'base is served')
    expect((await asked(router, 'broken')).json.errors?.[0]?.extensions['code']).toBe('FLAG_NOT_AVAILABLE')
  })
})

describe('a router that serves a config without a damaged flag', () => {
  const [one, two] = ['one', 'two']

  async function withTwoDamaged(use: AsyncDisposableStack, store?: (store: ConfigStore) => ConfigStore) {
    const world = use.use(await ConfigWorld.create())
    const artifacts = { one: flagOf(one), two: flagOf(two) }
    await world.publish({ revision: 1, base: shop.base, flags: artifacts })
    for (const artifact of Object.values(artifacts)) await damage(world, artifact, null)
    const source = { store: store?.(world.store) ?? world.store }
    const router = use.use(await routerOn(world, { source }))
    await router.ready
    return { world, artifacts, router }
  }

  it('takes what is mended, while something else is still damaged', async () => {
    await using use = new AsyncDisposableStack()
    const { world, artifacts, router } = await withTwoDamaged(use)
    await mend(world, artifacts.one)
    await until(async () => (await versionOf(router, one)) === 'products-next', 'the first flag is served')
    expect((await asked(router, two)).status).toBe(503)
    expect((await health(router)).warning).not.toContain('"one"')
    await mend(world, artifacts.two)
    await until(async () => (await versionOf(router, two)) === 'products-next', 'the second flag is served')
  })

  it('takes the next revision, in which the flag is still damaged', async () => {
    await using use = new AsyncDisposableStack()
    const { world, artifacts, router } = await withTwoDamaged(use)
    await world.publish({ revision: 2, base: shop.flag, flags: artifacts, withoutArtifacts: true })
    await world.store.putArtifact(GRAPH, shop.flag.sha256, shop.flag.gzipped)
    await until(async () => (await versionOf(router)) === 'products-next', 'the next base is served')
    expect((await asked(router, one)).status).toBe(503)
    // What is damaged is the same, and was told.
    expect(eventsOf(router, 'config.damaged')).toHaveLength(1)
  })

  it('reads what is damaged again after growing pauses, however many notices come', async () => {
    await using use = new AsyncDisposableStack()
    const [manifests, artifacts] = [{ read: 0 }, { read: 0 }]
    const counted = { getManifest: manifests, getArtifact: artifacts }
    const counting = (store: ConfigStore): ConfigStore =>
      new Proxy(store, {
        get(target, name) {
          if (name === 'getManifest' || name === 'getArtifact') counted[name].read++
          const found: unknown = Reflect.get(target, name)
          return typeof found === 'function' ? found.bind(target) : found
        },
      })
    const { world } = await withTwoDamaged(use, counting)
    const atStart = { manifests: manifests.read, artifacts: artifacts.read }
    await until(() => {
      world.announcer.announce('config.default.shop', { epoch: 1, revision: 1 })
      return manifests.read - atStart.manifests >= 40
    }, 'many looks at the store')
    // Each look would read both.
    expect(artifacts.read - atStart.artifacts).toBeLessThan(40)
  })
})

describe('a router that serves a whole config', () => {
  it('takes a revision of which a new flag is damaged, but none that would cost a flag that is served', async () => {
    await using use = new AsyncDisposableStack()
    const world = use.use(await ConfigWorld.create())
    await world.publish({ revision: 1, base: shop.base, flags: { next: shop.flag } })
    const router = use.use(await routerOn(world))
    await router.ready
    const added = flagOf('added')
    const damaged = { ...added, gzipped: gzipSync('something else') }
    await world.publish({ revision: 2, base: shop.base, flags: { next: shop.flag, added: damaged } })
    await until(() => world.heartbeats.at(-1)?.revision === 2, 'the revision is served')
    expect((await asked(router, 'added')).json.errors?.[0]?.extensions['code']).toBe('FLAG_NOT_AVAILABLE')
    expect(await versionOf(router, 'next')).toBe('products-next')

    const changed = { ...flagOf('changed'), gzipped: gzipSync('something else') }
    await world.publish({ revision: 3, base: shop.flag, flags: { next: changed } })
    await until(
      () => world.heartbeats.at(-1)?.rejected?.code === 'MANIFEST_ARTIFACT_INVALID',
      'the revision is rejected',
    )
    expect(world.heartbeats.at(-1)?.revision).toBe(2)
    expect(await versionOf(router, 'next')).toBe('products-next')
  })
})

describe('the gauge of what is left out', () => {
  let measured: MeasuredRouter
  beforeAll(async () => {
    measured = await startMeasuredRouter('')
  })
  afterAll(() => measured[Symbol.asyncDispose]())

  it('counts the flags that are damaged in the config store', async () => {
    const { world, metrics, shop: own } = measured
    const leftOut = async () =>
      (await metrics())
        .get('switchyard_router_left_out')
        ?.samples.find(({ labels }) => labels['part'] === 'flags')?.value
    expect(await leftOut()).toBe(0)
    const damaged = { ...flagOf('gauge'), gzipped: gzipSync('something else') }
    await world.publish({ revision: 2, base: own.base, flags: { next: own.flag, damaged } })
    await until(async () => (await leftOut()) === 1, 'the damaged flag is counted')
  })
})
