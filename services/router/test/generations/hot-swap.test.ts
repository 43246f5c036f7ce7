import { createHash } from 'node:crypto'
import { configNoticeSubject } from '@switchyard/contracts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RouterConfig } from '../../src/config/router-config.ts'
import { brokenArtifact, buildArtifact, compiledWhole } from '../support/artifacts.ts'
import { ConfigWorld, GRAPH, newKey } from '../support/config-world.ts'
import { startGate } from '../support/gate.ts'
import { post, type Reply, routerOn, send, type TestRouter, until } from '../support/router.ts'
import { type Shop, startShop } from '../support/shop.ts'
import { startSubgraph } from '../support/subgraph.ts'

const stack = new AsyncDisposableStack()
let shop: Shop

beforeAll(async () => {
  shop = stack.use(await startShop())
})
afterAll(() => stack.disposeAsync())

const QUERY = '{ version }'
const FLAG = { 'x-feature-flag': 'next' }

async function worldWithRouter(use: AsyncDisposableStack, settings = '', base = shop.base) {
  const world = use.use(await ConfigWorld.create())
  await world.publish({ revision: 1, base })
  const router = use.use(await routerOn(world, { settings }))
  await router.ready
  return { world, router }
}

const serving = (world: ConfigWorld, revision: number) =>
  until(() => world.heartbeats.at(-1)?.revision === revision, `revision ${revision} is served`)

const rejection = (world: ConfigWorld, code: string) =>
  until(
    () => world.heartbeats.findLast(({ rejected }) => rejected?.code === code),
    `a rejection with ${code}`,
  )

const versionOf = async (router: TestRouter, headers = {}) =>
  (await post(router, { query: QUERY }, headers)).json.data?.['version']

describe('hot swap', () => {
  it('never mixes two compositions in one answer, and drops no request', async () => {
    await using use = new AsyncDisposableStack()
    const products = use.use(await startSubgraph('products', 'two'))
    const reviews = use.use(await startSubgraph('reviews', 'two'))
    const one = shop.base
    const two = buildArtifact('base', { products: products.url, reviews: reviews.url })
    const { world, router } = await worldWithRouter(use)
    // Both fields come from one subgraph of one composition, fetched one after the other in a mutation and at
    // once in a query.
    const query =
      '{ a: version slow(milliseconds: 5) reviews: reviewHeader(name: "host") host: header(name: "host") }'
    const pair = new Map([
      ['products', [`127.0.0.1:${shop.products.port}`, `127.0.0.1:${shop.reviews.port}`]],
      ['two', [`127.0.0.1:${products.port}`, `127.0.0.1:${reviews.port}`]],
    ])
    const running = { yes: true }
    let answered = 0
    const seen = new Set<unknown>()
    const mixed: Reply[] = []
    const client = async () => {
      while (running.yes) {
        const reply = await post(router, { query })
        answered++
        const { a, slow, host, reviews: other } = reply.json.data ?? {}
        seen.add(a)
        const [expectedHost, expectedOther] = pair.get(String(a)) ?? []
        if (reply.status !== 200 || slow !== a || host !== expectedHost || other !== expectedOther)
          mixed.push(reply)
      }
    }
    const clients = Array.from({ length: 8 }, client)
    for (let revision = 2; revision <= 9; revision++) {
      await world.publish({ revision, base: revision % 2 === 0 ? two : one })
      await serving(world, revision)
      const before = answered
      await until(() => answered > before + 16, 'requests are answered by the new composition')
    }
    running.yes = false
    await Promise.all(clients)
    expect(mixed).toEqual([])
    expect(seen).toEqual(new Set(['products', 'two']))
  })

  it('lets a request finish on the composition it began with, and then lets that go', async () => {
    await using use = new AsyncDisposableStack()
    const products = use.use(await startSubgraph('products', 'old'))
    const old = use.use(await startGate(products.url))
    const { world, router } = await worldWithRouter(use)
    const oldBase = buildArtifact('base', { products: old.url, reviews: shop.reviews.url })
    await world.publish({ revision: 2, base: oldBase })
    await serving(world, 2)
    old.close()
    const slow = post(router, { query: '{ version topProducts(first: 1) { reviews { body } } }' })
    await until(() => old.held.count > 0, 'the slow request is in progress')
    await world.publish({ revision: 3, base: shop.flag })
    await serving(world, 3)
    expect(await versionOf(router)).toBe('products-next')
    expect(await old.connections()).toBeGreaterThan(0)
    old.open()
    expect((await slow).json).toEqual({
      data: { version: 'old', topProducts: [{ reviews: [{ body: 'Review of 1' }] }] },
    })
    await until(
      async () => (await old.connections()) === 0,
      'the connections of the old composition are closed',
    )
  })

  it('keeps a generation and its caches when its artifact stays', async () => {
    await using use = new AsyncDisposableStack()
    const { world, router } = await worldWithRouter(use)
    await versionOf(router)
    await world.publish({ revision: 2, base: shop.base, flags: { next: shop.flag } })
    await serving(world, 2)
    const lines = () => router.logs.filter(({ event }) => event === 'config.swapped')
    await until(() => lines().length === 2, 'the swap is logged')
    expect(await versionOf(router)).toBe('products')
    expect(await versionOf(router, FLAG)).toBe('products-next')
    await world.publish({ revision: 3, base: shop.base })
    await serving(world, 3)
    expect(await versionOf(router, FLAG)).toBe('products')
  })

  it('changes a flag in use without a request waiting for it or getting base', async () => {
    await using use = new AsyncDisposableStack()
    const third = use.use(await startSubgraph('products-next', 'third'))
    const { world, router } = await worldWithRouter(use)
    await world.publish({ revision: 2, base: shop.base, flags: { next: shop.flag } })
    await serving(world, 2)
    expect(await versionOf(router, FLAG)).toBe('products-next')
    const changed = buildArtifact('next', { products: third.url, reviews: shop.reviews.url })
    await world.publish({ revision: 3, base: shop.base, flags: { next: changed } })
    await serving(world, 3)
    expect(await versionOf(router, FLAG)).toBe('third')
    expect(router.logs.filter(({ event }) => event === 'flag.built')).toHaveLength(1)
  })

  it('serves the newest of many manifests that come at once, reading the store once for many notices', async () => {
    await using use = new AsyncDisposableStack()
    const world = use.use(await ConfigWorld.create())
    await world.publish({ revision: 1, base: shop.base })
    let reads = 0
    const store = new Proxy(world.store, {
      get(target, name) {
        if (name === 'getManifest') reads++
        return Reflect.get(target, name).bind(target)
      },
    })
    const router = use.use(
      await routerOn(world, { source: { store }, settings: 'config: { poll_interval: 1h }' }),
    )
    await router.ready
    for (let revision = 2; revision <= 12; revision++) {
      await world.publish({ revision, base: revision % 2 === 0 ? shop.flag : shop.base })
    }
    await serving(world, 12)
    expect(await versionOf(router)).toBe('products-next')
    expect(world.heartbeats.every(({ rejected }) => rejected === undefined)).toBe(true)

    const before = reads
    for (let count = 0; count < 50; count++) {
      world.announcer.announce(configNoticeSubject(GRAPH), { epoch: 1, revision: 12 })
    }
    await world.publish({ revision: 13, base: shop.base })
    await serving(world, 13)
    expect(reads - before).toBeLessThan(25)
  })

  it('finds a manifest whose notice was lost', async () => {
    await using use = new AsyncDisposableStack()
    const world = use.use(await ConfigWorld.create())
    const deaf = use.use(await ConfigWorld.create())
    await world.publish({ revision: 1, base: shop.base })
    const router = use.use(await routerOn(deaf, { source: { store: world.store, keys: world.keys } }))
    await router.ready
    await world.publish({ revision: 2, base: shop.flag })
    await serving(deaf, 2)
    expect(await versionOf(router)).toBe('products-next')
  })

  it('joins the trace of the publication', async () => {
    await using use = new AsyncDisposableStack()
    const world = use.use(await ConfigWorld.create())
    await world.publish({ revision: 1, base: shop.base })
    // Only the notice carries the trace: a poll that comes before it would swap without one.
    const change = (config: RouterConfig): RouterConfig => ({ ...config, pollInterval: 600_000 })
    const router = use.use(await routerOn(world, { change }))
    await router.ready
    const trace = '0af7651916cd43dd8448eb211c80319c'
    await world.publish({ revision: 2, base: shop.flag, traceparent: `00-${trace}-b7ad6b7169203331-01` })
    await serving(world, 2)
    const line = await until(
      () => router.logs.findLast(({ event }) => event === 'config.swapped'),
      'the swap is logged',
    )
    expect(line).toMatchObject({ trace_id: trace, version: { epoch: 1, revision: 2 } })
  })
})

describe('a manifest that cannot be served', () => {
  it.each([
    [
      'is signed by an unknown key',
      'MANIFEST_SIGNATURE_INVALID',
      async () => ({ signWith: (await newKey('k1')).key }),
    ],
    [
      'names an unknown key',
      'MANIFEST_SIGNATURE_INVALID',
      async () => ({ signWith: (await newKey('k2')).key }),
    ],
    [
      'was changed after signing',
      'MANIFEST_SIGNATURE_INVALID',
      async () => ({ tamper: (text: string) => text.replace('"revision":2', '"revision":9') }),
    ],
    [
      'is for another graph',
      'MANIFEST_OTHER_GRAPH',
      async () => ({ graph: { namespace: 'default', graph: 'other' } }),
    ],
    ['has a base that does not compile', 'MANIFEST_NOT_BUILT', async () => ({ base: brokenArtifact() })],
    [
      'names artifacts that are not there',
      'MANIFEST_ARTIFACT_MISSING',
      async () => ({ withoutArtifacts: true }),
    ],
    ['is older than the one served', 'MANIFEST_OLDER', async () => ({ revision: 1, epoch: 1 })],
    ['is of an earlier epoch', 'MANIFEST_OLDER', async () => ({ revision: 100, epoch: 4 })],
    ['has the number of the one served and another text', 'MANIFEST_CONFLICT', async () => ({ revision: 1 })],
  ])('since it %s is reported, and the old one is served on', async (_, code, change) => {
    await using use = new AsyncDisposableStack()
    const world = use.use(await ConfigWorld.create())
    await world.publish({ epoch: 5, revision: 1, base: shop.base })
    const router = use.use(await routerOn(world))
    await router.ready
    await world.publish({ epoch: 5, revision: 2, base: shop.flag, ...(await change()) })
    const heartbeat = await rejection(world, code)
    expect(heartbeat).toMatchObject({ state: 'serving', epoch: 5, revision: 1 })
    expect(await versionOf(router)).toBe('products')
    const complaints = () => router.logs.filter(({ event }) => event === 'config.rejected')
    expect(complaints()).toHaveLength(1)
    expect(complaints()[0]).toMatchObject({ code, level: 'error' })

    await world.publish({ epoch: 5, revision: 3, base: shop.flag })
    await serving(world, 3)
    expect(world.heartbeats.at(-1)?.rejected).toBeUndefined()
    expect(await versionOf(router)).toBe('products-next')
  })

  it('since an artifact has another hash is reported', async () => {
    await using use = new AsyncDisposableStack()
    const { world, router } = await worldWithRouter(use)
    const forged = { ...shop.flag, gzipped: shop.base.gzipped }
    await world.publish({ revision: 2, base: forged })
    await rejection(world, 'MANIFEST_ARTIFACT_INVALID')
    expect(await versionOf(router)).toBe('products')
  })

  it('is forgotten when a poll finds the served one again', async () => {
    await using use = new AsyncDisposableStack()
    const { world } = await worldWithRouter(use)
    await world.publish({ revision: 2, base: shop.flag, signWith: (await newKey('k9')).key })
    await rejection(world, 'MANIFEST_SIGNATURE_INVALID')
    await world.publish({ revision: 1, base: shop.base })
    await until(
      () => world.heartbeats.at(-1)?.rejected === undefined,
      'the rejection is not reported any more',
    )
  })

  it('of a later epoch is accepted when it is signed, with a warning', async () => {
    await using use = new AsyncDisposableStack()
    const { world, router } = await worldWithRouter(use)
    await world.publish({ epoch: 2, revision: 1, base: shop.flag })
    await until(() => world.heartbeats.at(-1)?.epoch === 2, 'the later epoch is served')
    expect(router.logs.some(({ event }) => event === 'config.epoch-changed')).toBe(true)
  })
})

describe('a heartbeat', () => {
  it('names the served manifest by the hash of its text, and none while nothing is served', async () => {
    await using use = new AsyncDisposableStack()
    const { world } = await worldWithRouter(use)
    const hashOf = async () => {
      const stored = await world.store.getManifest(GRAPH)
      return createHash('sha256')
        .update(stored?.manifest ?? '')
        .digest('hex')
    }
    await serving(world, 1)
    const first = await hashOf()
    expect(world.heartbeats.at(-1)?.manifest).toBe(first)
    await world.publish({ revision: 2, base: shop.flag })
    await serving(world, 2)
    expect(world.heartbeats.at(-1)?.manifest).toBe(await hashOf())
    expect(world.heartbeats.at(-1)?.manifest).not.toBe(first)
    expect(world.heartbeats.find(({ state }) => state === 'starting')).not.toHaveProperty('manifest')
  })
})

describe('a deleted graph', () => {
  it('is served on by a running router, which reports it, until there is one again', async () => {
    await using use = new AsyncDisposableStack()
    const { world, router } = await worldWithRouter(use)
    await world.publish({ revision: 2, base: null })
    await until(() => world.heartbeats.at(-1)?.state === 'graph-deleted', 'the deletion is reported')
    expect(world.heartbeats.at(-1)?.revision).toBe(1)
    expect(await versionOf(router)).toBe('products')
    await world.publish({ revision: 3, base: shop.flag })
    await serving(world, 3)
    expect(world.heartbeats.at(-1)?.state).toBe('serving')
  })

  it('gets a starting router to answer 503, even beside a last-known-good copy', async () => {
    await using use = new AsyncDisposableStack()
    const { world, router } = await worldWithRouter(use)
    await router[Symbol.asyncDispose]()
    await world.publish({ revision: 2, base: null })
    const starting = use.use(await routerOn(world, { instance: 'r2' }))
    await until(() => world.heartbeats.at(-1)?.state === 'graph-deleted', 'the deletion is reported')
    const reply = await post(starting, { query: QUERY })
    expect(reply.status).toBe(503)
    expect(reply.json.errors?.[0]?.message).toContain('the graph was deleted')
  })
})

describe('flags', () => {
  it('are built once for all who ask at the same time, and kept within the limit', async () => {
    await using use = new AsyncDisposableStack()
    const world = use.use(await ConfigWorld.create())
    const flags = Object.fromEntries(
      await Promise.all(
        ['f1', 'f2', 'f3'].map(async (name) => {
          const subgraph = use.use(await startSubgraph('products-next', name))
          const urls = { products: subgraph.url, reviews: shop.reviews.url }
          return [name, compiledWhole(buildArtifact('next', urls))] as const
        }),
      ),
    )
    await world.publish({ revision: 1, base: shop.base, flags })
    const withTwo = (size: number) => `flags: { max_built_size: ${2.5 * size}, build_ahead: false }`
    const sized = use.use(await routerOn(world, { settings: withTwo(2), instance: 'sized' }))
    await sized.ready
    await versionOf(sized, { 'x-feature-flag': 'f1' })
    const size = Number(sized.logs.findLast(({ event }) => event === 'generation.built')?.['size'])
    const router = use.use(await routerOn(world, { settings: withTwo(2 * Math.ceil(size / 2)) }))
    await router.ready
    const ask = (flag: string) => versionOf(router, { 'x-feature-flag': flag })
    expect(await Promise.all(Array.from({ length: 5 }, () => ask('f1')))).toEqual(Array(5).fill('f1'))
    const built = () => router.logs.filter(({ event }) => event === 'flag.built').map(({ flag }) => flag)
    expect(built()).toEqual(['f1'])
    for (const flag of ['f2', 'f1', 'f3', 'f1', 'f2']) expect(await ask(flag)).toBe(flag)
    // f2 was the one used least recently when f3 came, f3 when f2 came back.
    expect(built()).toEqual(['f1', 'f2', 'f3', 'f2'])
  })

  it('that take too long to build get 503 with Retry-After, never base', async () => {
    await using use = new AsyncDisposableStack()
    const world = use.use(await ConfigWorld.create())
    await world.publish({ revision: 1, base: shop.base, flags: { next: shop.flag } })
    const router = use.use(
      await routerOn(world, { settings: 'config: { flag_build_wait: 0ms }\nflags: { build_ahead: false }' }),
    )
    await router.ready
    const reply = await post(router, { query: QUERY }, FLAG)
    expect([reply.status, reply.headers['retry-after']]).toEqual([503, '2'])
    expect(reply.json.errors?.[0]?.extensions['code']).toBe('FLAG_NOT_BUILT_YET')
    await until(
      () => router.logs.some(({ event }) => event === 'flag.built'),
      'the flag is built all the same',
    )
    expect(await versionOf(router, FLAG)).toBe('products-next')
  })
})

describe('stopping', () => {
  it('finishes requests in progress, refuses new ones, and says so', async () => {
    await using use = new AsyncDisposableStack()
    const products = use.use(await startGate(shop.products.url))
    const base = buildArtifact('base', { products: products.url, reviews: shop.reviews.url })
    const { world, router } = await worldWithRouter(use, '', base)
    products.close()
    const slow = post(router, { query: QUERY })
    await until(() => products.held.count > 0, 'the slow request is in progress')
    const stopped = router[Symbol.asyncDispose]()
    const refused = await post(router, { query: QUERY })
    expect([refused.status, refused.headers['retry-after'], refused.headers.connection]).toEqual([
      503,
      '1',
      'close',
    ])
    expect(refused.json.errors?.[0]?.extensions['code']).toBe('DRAINING')
    const ready = await send(`${router.url}/health/ready`)
    expect([ready.status, ready.json.reason]).toEqual([503, 'the router is draining'])
    products.open()
    expect((await slow).json).toEqual({ data: { version: 'products' } })
    await stopped
    await until(() => world.heartbeats.at(-1)?.state === 'stopped', 'the last heartbeat')
    expect(world.heartbeats.some(({ state }) => state === 'draining')).toBe(true)
    await expect(post(router, { query: QUERY })).rejects.toThrow()
  })

  it('ends what does not finish within the limit', async () => {
    await using use = new AsyncDisposableStack()
    const { router } = await worldWithRouter(use, 'shutdown: { drain_timeout: 100ms }')
    const before = shop.products.requests.length
    const slow = post(router, { query: '{ slow(milliseconds: 60000) }' })
    const ended = expect(slow).rejects.toThrow()
    await until(() => shop.products.requests.length > before, 'the slow request is in progress')
    await router[Symbol.asyncDispose]()
    await ended
    expect(router.logs.some(({ event }) => event === 'router.drain-limit')).toBe(true)
    await until(() => shop.products.requests.at(-1)?.aborted, 'its subgraph request is cut')
  })
})
