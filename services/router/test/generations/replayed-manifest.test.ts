/**
 * A router that is started while somebody puts old manifests into the config store: each of them is signed,
 * and was true once.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SignJWT } from 'jose'
import { ConfigWorld, GRAPH, newKey } from '../support/config-world.ts'
import { post, routerOn, send, type TestRouter, until } from '../support/router.ts'
import { type Shop, startShop } from '../support/shop.ts'

const MINUTE = 60_000
const stack = new AsyncDisposableStack()
let shop: Shop

beforeAll(async () => {
  shop = stack.use(await startShop())
})
afterAll(() => stack.disposeAsync())

const versionOf = async (router: TestRouter) =>
  (await post(router, { query: '{ version }' })).json.data?.['version']

const readiness = (router: TestRouter) => send(`${router.url}/health/ready`)

/** Why it is not ready, once that names the config. */
const refusal = (router: TestRouter) =>
  until(async () => {
    const { status, json } = await readiness(router)
    return status === 503 && json.reason?.startsWith('the config of') === true ? json.reason : undefined
  }, 'the router says why it is not ready')

const rejection = (router: TestRouter, code: string) =>
  until(
    () => router.logs.find((line) => line.event === 'config.rejected' && line['code'] === code),
    `a rejection with ${code}`,
  )

describe('a router without a copy', () => {
  it('refuses a manifest that is older than the head says, and serves the newest when it is back', async () => {
    await using world = await ConfigWorld.create()
    await world.publish({ revision: 1, base: shop.flag, head: { revision: 2 } })
    await using router = await routerOn(world)
    expect(await refusal(router)).toBe('the config of the config store was rejected (MANIFEST_OLDER)')
    expect((await rejection(router, 'MANIFEST_OLDER')).msg).toContain('the newest is revision 2 of epoch 1')
    expect((await post(router, { query: '{ version }' })).status).toBe(503)

    await world.publish({ revision: 2, base: shop.base })
    await router.ready
    expect(await versionOf(router)).toBe('products')
  })

  it('refuses one of an earlier epoch', async () => {
    await using world = await ConfigWorld.create()
    await world.publish({ epoch: 5, revision: 40, base: shop.flag, head: { epoch: 6, revision: 1 } })
    await using router = await routerOn(world)
    await rejection(router, 'MANIFEST_OLDER')
  })

  it('takes one that is newer than the head: the head is written after it', async () => {
    await using world = await ConfigWorld.create()
    await world.publish({ revision: 3, base: shop.base, head: { revision: 2 } })
    await using router = await routerOn(world)
    await router.ready
    expect(await versionOf(router)).toBe('products')
  })

  it('waits while there is no head, says so in log and health, and serves once there is one', async () => {
    await using world = await ConfigWorld.create()
    await world.publish({ revision: 1, base: shop.base, head: null })
    await using router = await routerOn(world)
    const reason = await refusal(router)
    expect(reason).toContain('not known to be the newest')
    expect(reason).toContain('holds no signed head of the graph')
    expect(reason).toContain('Config-distribution signs a head every minute')
    const before = await rejection(router, 'MANIFEST_UNCONFIRMED')
    expect(before.msg).toContain('holds no signed head')
    await world.putHead({ epoch: 1, revision: 1 })
    await router.ready
    expect((await readiness(router)).status).toBe(200)
    // Polled many times meanwhile, and told once.
    expect(router.logs.filter(({ event }) => event === 'config.rejected')).toHaveLength(1)
  })

  it.each([
    ['expired longer ago than clocks may differ', -7 * MINUTE - 1000, 'the head expired at 2'],
    ['is from further in the future than clocks may differ', 2 * MINUTE + 5000, 'which is in the future'],
  ])('waits while the head %s', async (_, offset, message) => {
    await using world = await ConfigWorld.create()
    const issuedAt = Date.now() + offset
    await world.publish({ revision: 1, base: shop.base, head: { issuedAt } })
    await using router = await routerOn(world)
    expect(await refusal(router)).toContain(message)
  })

  it.each([
    ['is early by less than that', 1.5 * MINUTE],
    ['expired less long ago', -6 * MINUTE],
  ])('takes a head that %s', async (_, offset) => {
    await using world = await ConfigWorld.create()
    await world.publish({ revision: 1, base: shop.base, head: { issuedAt: Date.now() + offset } })
    await using router = await routerOn(world)
    await router.ready
    expect(await versionOf(router)).toBe('products')
  })

  it.each([
    [
      'signed with another key',
      async (world: ConfigWorld) => world.putHead({ epoch: 1, revision: 1, key: (await newKey('k1')).key }),
      'was not signed by any of the configured keys',
    ],
    [
      'of another graph',
      (world: ConfigWorld) =>
        world.putHead({ epoch: 1, revision: 1, graph: { namespace: 'default', graph: 'other' } }),
      'is for another graph, default/other',
    ],
    [
      'that is something else the key has signed',
      async (world: ConfigWorld) => {
        const { kid, privateKey } = world.key
        const seconds = Math.floor(Date.now() / 1000)
        const claims = { sub: 'default/shop', epoch: 1, revision: 1, iat: seconds, exp: seconds + 60 }
        const header = { alg: 'EdDSA', kid, typ: 'JWT' }
        await world.store.putHead(
          GRAPH,
          await new SignJWT(claims).setProtectedHeader(header).sign(privateKey),
        )
      },
      'was not signed by any of the configured keys',
    ],
    ['that is garbage', (world: ConfigWorld) => world.store.putHead(GRAPH, 'a.b.c'), 'was not signed by any'],
  ])('takes no head %s', async (_, put, message) => {
    await using world = await ConfigWorld.create()
    await world.publish({ revision: 1, base: shop.base, head: null })
    await put(world)
    await using router = await routerOn(world)
    expect(await refusal(router)).toContain(message)
  })

  it('does not take a deleted graph for granted either', async () => {
    await using world = await ConfigWorld.create()
    await world.publish({ revision: 4, base: null, head: { revision: 5 } })
    await using router = await routerOn(world)
    await rejection(router, 'MANIFEST_OLDER')
    await world.publish({ revision: 5, base: shop.base })
    await router.ready
  })

  it('takes an unconfirmed one where the settings say so, with a warning, but none that is old for certain', async () => {
    await using world = await ConfigWorld.create()
    const settings = 'config: { accept_unconfirmed: true }'
    await world.publish({ revision: 1, base: shop.base, head: { revision: 2 } })
    await using router = await routerOn(world, { settings })
    await rejection(router, 'MANIFEST_OLDER')
    await world.publish({ revision: 2, base: shop.base, head: { issuedAt: 0 } })
    await router.ready
    expect(router.logs.find(({ event }) => event === 'config.unconfirmed-accepted')).toMatchObject({
      version: { epoch: 1, revision: 2 },
      reason: expect.stringContaining('the head expired at 1970'),
    })
  })

  it('asks a store that it may trust for no head', async () => {
    await using world = await ConfigWorld.create()
    await world.publish({ revision: 1, base: shop.base, head: null })
    await using router = await routerOn(world, { source: { trusted: true } })
    await router.ready
  })
})

describe('a router with a copy', () => {
  async function worldWithCopy(use: AsyncDisposableStack) {
    const world = use.use(await ConfigWorld.create())
    await world.publish({ revision: 2, base: shop.flag })
    const first = await routerOn(world)
    await first.ready
    await first[Symbol.asyncDispose]()
    return world
  }

  it('starts with it when the head expired, and with what the store has of the same revision', async () => {
    await using use = new AsyncDisposableStack()
    const world = await worldWithCopy(use)
    await world.putHead({ epoch: 1, revision: 2, issuedAt: 0 })
    await using router = await routerOn(world)
    await router.ready
    expect(await versionOf(router)).toBe('products-next')
    expect(router.logs.filter(({ event }) => event === 'config.rejected')).toEqual([])
  })

  it('starts with it, and not with a newer one of which nobody says that it is the newest', async () => {
    await using use = new AsyncDisposableStack()
    const world = await worldWithCopy(use)
    // Newer than the copy, and older than what there is: it may name a key that was retired since.
    await world.publish({ revision: 3, base: shop.base, head: { revision: 4, issuedAt: 0 } })
    await using router = await routerOn(world)
    await router.ready
    expect(await versionOf(router)).toBe('products-next')
    await rejection(router, 'MANIFEST_UNCONFIRMED')
    await world.publish({ revision: 4, base: shop.base })
    await until(async () => (await versionOf(router)) === 'products', 'the newest is served')
  })
})

describe('a running router', () => {
  it('looks at the store ten times a second at most, however many notices there are', async () => {
    await using world = await ConfigWorld.create()
    await world.publish({ revision: 1, base: shop.base })
    const looks: string[] = []
    const store = new Proxy(world.store, {
      get: (target, name) => {
        if (name === 'getManifest') looks.push(name)
        return Reflect.get(target, name).bind(target)
      },
    })
    await using router = await routerOn(world, { source: { store } })
    await router.ready
    const before = looks.length
    const began = performance.now()
    while (looks.length < before + 6) {
      for (let count = 0; count < 100; count += 1)
        world.announcer.announce('config.default.shop', { epoch: 1, revision: 1 })
      await new Promise(setImmediate)
    }
    // The first look may be due at once, and each timer may be early by a millisecond.
    expect(performance.now() - began).toBeGreaterThan(5 * 99)
  })

  it('is not led through old revisions one by one', async () => {
    await using world = await ConfigWorld.create()
    await world.publish({ revision: 1, base: shop.base })
    await using router = await routerOn(world)
    await router.ready
    await world.publish({ revision: 2, base: shop.flag, head: { revision: 5 } })
    await rejection(router, 'MANIFEST_OLDER')
    await until(() => world.heartbeats.some(({ rejected }) => rejected?.revision === 2), 'the fleet is told')
    expect(await versionOf(router)).toBe('products')
  })
})
