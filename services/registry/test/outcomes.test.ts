import { type CommandOutcome, RouterList } from '@switchyard/contracts'
import { PATIENTLY } from '@switchyard/testkit'
import { describe, expect, it, vi } from 'vitest'
import { startDownstream } from './downstream.ts'
import { beat, heartbeat, openStorage, outcome, SDL, setUpShop, startClient, startShop } from './harness.ts'

const FLAG = { name: 'new', featureSubgraphs: ['orders-next'], enabled: true }

function flagStates(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || !('featureFlags' in body))
    throw new Error('no list of flags')
  return body.featureFlags
}

describe('the outcome of a command', () => {
  it('reports base and flag of every graph that it affected', async () => {
    await using storage = await openStorage()
    await using client = await startClient(storage)
    await using _downstream = startDownstream(storage.log)
    await setUpShop(client)
    const created = outcome(await client.post('/v1/feature-flags/default', FLAG))
    expect(created).toMatchObject({ changed: true, pending: false, routers: { serving: 0, total: 0 } })
    expect(created.compositions).toMatchObject([
      { graph: 'shop', featureFlag: null, status: 'unchanged', failedBefore: false },
      { graph: 'shop', featureFlag: 'new', status: 'composed', failedBefore: false },
    ])
    const disabled = outcome(await client.post('/v1/feature-flags/default/new/disable', {}))
    expect(disabled.compositions).toMatchObject([{ featureFlag: null, status: 'unchanged' }])
    const again = outcome(await client.post('/v1/feature-flags/default/new/enable', {}))
    expect(again.compositions).toMatchObject([
      { status: 'unchanged', isNew: false },
      { featureFlag: 'new', status: 'unchanged', isNew: true },
    ])
  })

  it('waits for flags that are composed after their base, and tells of the base when the wait runs out', async () => {
    await using shop = await startShop()
    const { client, downstream } = shop
    downstream.late.add('new')
    const created = outcome(await client.post('/v1/feature-flags/default?wait=0', FLAG))
    const read = async (wait: number) => {
      const { body } = await client.get(`/v1/commands/default/${created.commandId}?wait=${wait}`)
      return body
    }
    await vi.waitFor(
      async () =>
        expect(await read(0)).toMatchObject({
          pending: true,
          compositions: [{ featureFlag: null, status: 'unchanged' }],
        }),
      PATIENTLY,
    )
    expect((await client.get('/v1/graphs/default/shop')).body).toMatchObject({
      base: 'composed',
      featureFlags: [{ name: 'new', state: 'pending' }],
      compositions: [{ featureFlag: null }],
    })
    expect((await client.get('/v1/graphs/default/shop/errors?featureFlag=new')).status).toBe(404)
    await downstream.finish()
    expect(await read(20_000)).toMatchObject({
      pending: false,
      compositions: [
        { featureFlag: null, status: 'unchanged' },
        { featureFlag: 'new', status: 'composed', isNew: true },
      ],
    })
  })

  it('says that a served flag is pending while it is composed again, and shows its previous composition', async () => {
    await using shop = await startShop()
    const { client, downstream } = shop
    await client.post('/v1/feature-flags/default', FLAG)
    const before = (await client.get('/v1/graphs/default/shop')).body
    downstream.late.add('new')
    downstream.failing.add('new')
    const body = { sdl: 'type Query { other: Int }' }
    const published = outcome(await client.put('/v1/subgraphs/default/orders-next/schema?wait=0', body))
    await vi.waitFor(
      async () =>
        expect((await client.get(`/v1/commands/default/${published.commandId}`)).body).toMatchObject({
          compositions: [{ featureFlag: null }],
        }),
      PATIENTLY,
    )
    expect((await client.get('/v1/graphs/default/shop')).body).toMatchObject({
      ...(before !== null && typeof before === 'object' && 'revision' in before
        ? { revision: before.revision }
        : {}),
      featureFlags: [{ name: 'new', state: 'pending' }],
      compositions: [{ featureFlag: null }, { featureFlag: 'new', status: 'composed' }],
    })
    await downstream.finish()
    const { body: complete } = await client.get(`/v1/commands/default/${published.commandId}?wait=20000`)
    expect(complete).toMatchObject({
      pending: false,
      compositions: [{ featureFlag: null }, { featureFlag: 'new', status: 'failed', failedBefore: false }],
    })
  })

  it('reports what still fails when the schema that is at fault is published again, and to nobody else', async () => {
    await using shop = await startShop()
    const { client, downstream } = shop
    await client.put('/v1/subgraphs/default/other/schema', { sdl: SDL, routingUrl: 'http://other.test/' })
    downstream.failing.add(null)
    downstream.errors = [{ code: 'INVALID_GRAPHQL', message: 'no', subgraphs: ['orders'], locations: [] }]
    const body = { sdl: 'type Query { broken: Int }' }
    const publish = async (name: string, sdl: typeof body) =>
      outcome(await client.put(`/v1/subgraphs/default/${name}/schema`, sdl))
    expect((await publish('orders', body)).compositions).toMatchObject([{ status: 'failed' }])
    expect(await publish('orders', body)).toMatchObject({
      changed: false,
      compositions: [{ graph: 'shop', featureFlag: null, status: 'failed', failedBefore: false }],
    })
    expect(await publish('other', { sdl: SDL })).toMatchObject({ changed: false, compositions: [] })
    downstream.failing.clear()
    await publish('orders', { sdl: SDL })
    expect(await publish('orders', { sdl: SDL })).toMatchObject({ changed: false, compositions: [] })
  })

  it('reports no failure that a schema had before its last change, while that is being composed', async () => {
    await using shop = await startShop()
    const { client, downstream } = shop
    await client.post('/v1/feature-flags/default', FLAG)
    const publish = async (name: string, sdl: string) =>
      outcome(await client.put(`/v1/subgraphs/default/${name}/schema?wait=0`, { sdl }))
    const isComposed = async ({ commandId }: CommandOutcome, wait = 20_000) =>
      expect((await client.get(`/v1/commands/default/${commandId}?wait=${wait}`)).body).toMatchObject({
        compositions: expect.arrayContaining([expect.objectContaining({ featureFlag: null })]),
      })
    downstream.errors = [
      { code: 'INVALID_GRAPHQL', message: 'no', subgraphs: ['orders', 'orders-next'], locations: [] },
    ]
    downstream.failing.add('new')
    await isComposed(await publish('orders-next', 'type Query { broken: Int }'))
    downstream.late.add('new')
    const mended = await publish('orders-next', 'type Query { mended: Int }')
    await vi.waitFor(() => isComposed(mended, 0), PATIENTLY)
    expect(await publish('orders-next', 'type Query { mended: Int }')).toMatchObject({
      changed: false,
      compositions: [],
    })
    downstream.failing.add(null)
    await downstream.finish()
    await isComposed(await publish('orders', 'type Query { broken: Int }'))
    await downstream[Symbol.asyncDispose]()
    expect(await publish('orders', 'type Query { mended: Int }')).toMatchObject({ changed: true })
    expect(await publish('orders', 'type Query { mended: Int }')).toMatchObject({
      changed: false,
      compositions: [],
    })
  })

  it('says that there is nothing to compose yet', async () => {
    await using storage = await openStorage()
    await using client = await startClient(storage)
    await using _downstream = startDownstream(storage.log)
    const created = outcome(await client.post('/v1/graphs/default', { name: 'shop' }))
    expect(created.compositions).toMatchObject([{ graph: 'shop', featureFlag: null, status: 'empty' }])
    expect(created.warnings).toEqual([expect.stringContaining('Nothing can be composed for "shop" yet')])
  })

  it('tells a new failure from one that was there before', async () => {
    await using storage = await openStorage()
    await using client = await startClient(storage)
    await using downstream = startDownstream(storage.log)
    await setUpShop(client)
    downstream.failing.add('new')
    const first = outcome(await client.post('/v1/feature-flags/default', FLAG))
    expect(first.compositions[1]).toMatchObject({ status: 'failed', failedBefore: false, errorCount: 1 })
    const other = outcome(await client.post('/v1/feature-flags/default', { ...FLAG, name: 'other' }))
    expect(other.compositions.find((report) => report.featureFlag === 'new')).toMatchObject({
      status: 'failed',
      failedBefore: true,
    })
  })

  it('blames a command that goes back to what failed, or enables what fails, and nobody else', async () => {
    await using shop = await startShop()
    const { client, downstream } = shop
    const publish = async (sdl: string) =>
      outcome(await client.put('/v1/subgraphs/default/orders-next/schema', { sdl }))
    await client.post('/v1/feature-flags/default', FLAG)
    const flagOf = ({ compositions }: CommandOutcome) =>
      compositions.find(({ featureFlag }) => featureFlag === 'new')

    downstream.failing.add('new')
    const bad = 'type Query { bad: Int }'
    expect(flagOf(await publish(bad))).toMatchObject({ status: 'failed', failedBefore: false })
    downstream.failing.clear()
    expect(flagOf(await publish('type Query { good: Int }'))).toMatchObject({ status: 'composed' })
    downstream.failing.add('new')
    expect(flagOf(await publish(bad))).toMatchObject({ status: 'failed', failedBefore: false })

    await client.post('/v1/feature-flags/default/new/disable', {})
    const enabled = outcome(await client.post('/v1/feature-flags/default/new/enable', {}))
    expect(flagOf(enabled)).toMatchObject({ status: 'failed', failedBefore: false })

    const twin = { name: 'twin', labelMatchers: [] }
    const created = outcome(await client.post('/v1/graphs/default', twin))
    expect(flagOf(created)).toMatchObject({ graph: 'twin', status: 'failed', failedBefore: false })

    const other = { ...FLAG, name: 'other', featureSubgraphs: ['orders-next'] }
    const elsewhere = outcome(await client.post('/v1/feature-flags/default', other))
    expect(elsewhere.compositions.filter(({ featureFlag }) => featureFlag === 'new')).toMatchObject([
      { graph: 'shop', status: 'failed', failedBefore: true },
      { graph: 'twin', status: 'failed', failedBefore: true },
    ])
  })

  it('calls composed what goes back to an earlier composition, and unchanged what the graph had before', async () => {
    await using shop = await startShop()
    const { client } = shop
    await client.post('/v1/feature-flags/default', FLAG)
    const publish = async (sdl: string) =>
      outcome(await client.put('/v1/subgraphs/default/orders/schema', { sdl })).compositions.map(
        ({ status }) => status,
      )
    // The flag replaces the only subgraph: nothing of it changes.
    expect(await publish('type Query { other: Int }')).toEqual(['composed', 'unchanged'])
    expect(await publish(SDL)).toEqual(['composed', 'unchanged'])
    await client.put('/v1/subgraphs/default/more/schema', { sdl: SDL, routingUrl: 'http://localhost/' })
    const removed = outcome(await client.delete('/v1/subgraphs/default/more'))
    expect(removed.compositions.map(({ status }) => status)).toEqual(['composed', 'composed'])
  })

  it('counts no router of a graph that it removed, and none that has nothing to serve', async () => {
    await using shop = await startShop()
    const { client, storage } = shop
    beat(storage.announcer, { instance: 'one', epoch: 1_700_000_000_000, revision: 1 })
    expect(outcome(await client.delete('/v1/graphs/default/shop'))).toMatchObject({
      pending: false,
      compositions: [],
      routers: { serving: 0, total: 0 },
    })
    const again = outcome(await client.post('/v1/graphs/default', { name: 'shop', labelMatchers: ['a=b'] }))
    expect(again).toMatchObject({ compositions: [{ status: 'empty' }], routers: { serving: 0, total: 1 } })
  })

  it('is pending when the wait runs out, or when nobody wants to wait', async () => {
    await using storage = await openStorage()
    await using client = await startClient(storage)
    expect(outcome(await client.post('/v1/graphs/default?wait=50', { name: 'a' }))).toMatchObject({
      pending: true,
      compositions: [],
    })
    expect(outcome(await client.post('/v1/graphs/default?wait=0', { name: 'b' })).pending).toBe(true)
  })

  it('is answered as pending when the registry stops meanwhile', async () => {
    await using storage = await openStorage()
    const client = await startClient(storage)
    const reply = client.post('/v1/graphs/default?wait=60000', { name: 'shop' })
    await vi.waitFor(async () => {
      expect(JSON.stringify((await client.get('/v1/graphs/default')).body)).toContain('shop')
    }, PATIENTLY)
    await client[Symbol.asyncDispose]()
    expect(outcome(await reply)).toMatchObject({ changed: true, pending: true })
  })

  it('waits for the routers that are alive, and counts those that serve it', async () => {
    await using storage = await openStorage()
    await using client = await startClient(storage)
    await using downstream = startDownstream(storage.log)
    beat(storage.announcer, { instance: 'one', state: 'starting' })
    beat(storage.announcer, { instance: 'two', state: 'starting' })
    downstream.onConfig = (version) => {
      for (const instance of ['one', 'two']) {
        setTimeout(() => beat(storage.announcer, { instance, ...version }), 50)
      }
    }
    await setUpShop(client)
    const created = outcome(await client.post('/v1/feature-flags/default', FLAG))
    expect(created.routers).toEqual({ serving: 2, total: 2 })
    // Nothing that routers see changes: the newest revision is the one that carries it out.
    const same = outcome(
      await client.post('/v1/feature-flags/default', { ...FLAG, name: 'twin', labels: ['a=b'] }),
    )
    expect(same.routers).toEqual({ serving: 0, total: 0 })
  })

  it('counts no router that serves another manifest under the number of the newest', async () => {
    await using storage = await openStorage()
    await using client = await startClient(storage)
    await using downstream = startDownstream(storage.log)
    let newest = { epoch: 0, revision: 0 }
    downstream.onConfig = (version) => {
      newest = version
      // What it served before the log was restored, by its hash, and by its time.
      beat(storage.announcer, { instance: 'one', ...version, manifest: 'a'.repeat(64) })
      beat(storage.announcer, { instance: 'two', ...version, configCreatedAt: '2026-01-02T03:04:05.000Z' })
      beat(storage.announcer, { instance: 'three', ...version })
      beat(storage.announcer, { instance: 'four', ...version, revision: version.revision + 5 })
    }
    await setUpShop(client)
    const created = outcome(await client.post('/v1/feature-flags/default', FLAG))
    expect(created.routers).toEqual({ serving: 1, total: 4 })
    const { body } = await client.get('/v1/routers')
    expect(RouterList.parse(body).routers.map(({ instance, serves }) => [instance, serves])).toEqual([
      ['four', 'not-in-log'],
      ['one', 'not-in-log'],
      ['three', 'newest'],
      ['two', 'not-in-log'],
    ])
    expect((await client.get('/v1/graphs/default/shop')).body).toMatchObject({
      routers: { serving: 1, total: 4 },
    })
    beat(storage.announcer, { instance: 'one', ...newest, revision: newest.revision - 1 })
    beat(storage.announcer, { instance: 'two' })
    await vi.waitFor(async () => {
      const list = RouterList.parse((await client.get('/v1/routers')).body).routers
      expect(list.find(({ instance }) => instance === 'one')?.serves).toBe('older')
      expect(list.find(({ instance }) => instance === 'two')?.serves).toBe('none')
    }, PATIENTLY)
  })

  it('does not wait for a router that refused the revision, and does not count it', async () => {
    await using storage = await openStorage()
    await using client = await startClient(storage)
    await using downstream = startDownstream(storage.log)
    beat(storage.announcer, { instance: 'one' })
    downstream.onConfig = (version) => {
      const rejected = { ...version, code: 'MANIFEST_REJECTED', message: 'no' }
      beat(storage.announcer, { instance: 'one', rejected })
    }
    await setUpShop(client)
    const created = outcome(await client.post('/v1/feature-flags/default', FLAG))
    expect(created.routers).toEqual({ serving: 0, total: 1 })
  })
})

describe('the state of a flag', () => {
  const states = (...list: string[]) => [
    expect.objectContaining({ graphs: list.map((state) => ({ graph: 'shop', state })) }),
  ]

  it('is pending until it is published, then served, then gone', async () => {
    await using storage = await openStorage()
    await using client = await startClient(storage)
    await setUpShop(client)
    await client.post('/v1/feature-flags/default?wait=0', FLAG)
    const list = async () => flagStates((await client.get('/v1/feature-flags/default')).body)
    expect(await list()).toEqual(states('pending'))
    await using _downstream = startDownstream(storage.log)
    await vi.waitFor(async () => expect(await list()).toEqual(states('served')), PATIENTLY)
    await client.post('/v1/feature-flags/default/new/disable', {})
    await vi.waitFor(
      async () => expect(await list()).toEqual(states('not served: the flag is disabled')),
      PATIENTLY,
    )
  })
})

describe('the fleet', () => {
  it('lists routers by their heartbeats, dead 15 seconds after the last one and no more after a minute', async () => {
    await using storage = await openStorage()
    let now = 0
    await using client = await startClient(storage, { monotonicNow: () => now })
    beat(storage.announcer, { instance: 'one', revision: 3 })
    storage.announcer.announce('router.status.default.shop.bad', { instance: 7 })
    // Speaks for another router than its subject names, and is too large to be kept.
    storage.announcer.announce('router.status.default.shop.one', heartbeat({ instance: 'forged' }))
    storage.announcer.announce('router.status.default.blog.one', heartbeat({ instance: 'one', revision: 9 }))
    storage.announcer.announce(
      'router.status.default.shop.large',
      heartbeat({ instance: 'large', boot: 'x'.repeat(64 * 1024 + 1) }),
    )
    const list = async () => (await client.get('/v1/routers?namespace=default&graph=shop')).body
    await vi.waitFor(async () => {
      expect(await list()).toMatchObject({
        routers: [{ instance: 'one', revision: 3, alive: true, ageSeconds: 0 }],
      })
    }, PATIENTLY)
    expect((await client.get('/v1/routers?graph=other')).body).toEqual({ routers: [] })
    now = 15_001
    expect(await list()).toMatchObject({ routers: [{ alive: false, ageSeconds: 15.001 }] })
    now = 60_000
    expect(await list()).toMatchObject({ routers: [{ alive: false, ageSeconds: 60 }] })
    now = 60_001
    expect(await list()).toEqual({ routers: [] })
  })

  it('forgets a router at once that says that it stops, and no other process of its name', async () => {
    await using storage = await openStorage()
    await using client = await startClient(storage)
    const listed = async () => {
      const { body } = await client.get('/v1/routers')
      return RouterList.parse(body).routers.map(({ instance, boot }) => `${instance} ${boot}`)
    }
    beat(storage.announcer, { instance: 'one', boot: 'first' })
    beat(storage.announcer, { instance: 'two', boot: 'first' })
    await vi.waitFor(async () => expect(await listed()).toEqual(['one first', 'two first']), PATIENTLY)
    beat(storage.announcer, { instance: 'one', boot: 'first', state: 'stopped' })
    await vi.waitFor(async () => expect(await listed()).toEqual(['two first']), PATIENTLY)
    beat(storage.announcer, { instance: 'two', boot: 'second' })
    // The last word of the process before, which comes late.
    beat(storage.announcer, { instance: 'two', boot: 'first', state: 'stopped' })
    beat(storage.announcer, { instance: 'three', boot: 'first' })
    await vi.waitFor(async () => expect(await listed()).toContain('three first'), PATIENTLY)
    expect(await listed()).toEqual(['three first', 'two second'])
  })
})
