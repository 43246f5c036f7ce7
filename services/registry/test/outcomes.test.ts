import { describe, expect, it, vi } from 'vitest'
import { startDownstream } from './downstream.ts'
import { beat, openStorage, outcome, setUpShop, startClient } from './harness.ts'

const FLAG = { name: 'new', featureSubgraphs: ['orders-next'], enabled: true }
const GENEROUS = { timeout: 20_000 }

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
      { status: 'unchanged' },
      { featureFlag: 'new', status: 'unchanged' },
    ])
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
    }, GENEROUS)
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
    await vi.waitFor(async () => expect(await list()).toEqual(states('served')), GENEROUS)
    await client.post('/v1/feature-flags/default/new/disable', {})
    await vi.waitFor(
      async () => expect(await list()).toEqual(states('not served: the flag is disabled')),
      GENEROUS,
    )
  })

  it('says why it is not served', async () => {
    await using storage = await openStorage()
    await using client = await startClient(storage)
    await using downstream = startDownstream(storage.log)
    await setUpShop(client)
    const list = async () => flagStates((await client.get('/v1/feature-flags/default')).body)
    downstream.failing.add('new')
    await client.post('/v1/feature-flags/default', FLAG)
    expect(await list()).toEqual(states('not served: its composition fails (INVALID_FIELD_SHARING: no)'))
    downstream.failing.clear()
    downstream.failing.add(null)
    await client.put('/v1/subgraphs/default/orders/schema', { sdl: 'type Query { other: Int }' })
    expect(await list()).toEqual(states('not served: the base composition fails'))
  })

  it('stays served while the base is broken, when it was served before', async () => {
    await using storage = await openStorage()
    await using client = await startClient(storage)
    await using downstream = startDownstream(storage.log)
    await setUpShop(client)
    await client.post('/v1/feature-flags/default', FLAG)
    downstream.failing.add(null)
    await client.put('/v1/subgraphs/default/orders/schema', { sdl: 'type Query { other: Int }' })
    expect((await client.get('/v1/graphs/default')).body).toMatchObject({ graphs: [{ base: 'failed' }] })
    const list = flagStates((await client.get('/v1/feature-flags/default')).body)
    expect(list).toEqual(states('served'))
  })
})

describe('the fleet', () => {
  it('lists routers by their heartbeats, and calls them dead 15 seconds after the last one', async () => {
    await using storage = await openStorage()
    let now = 0
    await using client = await startClient(storage, { monotonicNow: () => now })
    beat(storage.announcer, { instance: 'one', revision: 3 })
    storage.announcer.announce('router.status.default.shop.bad', { instance: 7 })
    const list = async () => (await client.get('/v1/routers?namespace=default&graph=shop')).body
    await vi.waitFor(async () => {
      expect(await list()).toMatchObject({
        routers: [{ instance: 'one', revision: 3, alive: true, ageSeconds: 0 }],
      })
    }, GENEROUS)
    expect((await client.get('/v1/routers?graph=other')).body).toEqual({ routers: [] })
    now = 15_001
    expect(await list()).toMatchObject({ routers: [{ alive: false, ageSeconds: 15.001 }] })
    now = 10 * 60_000 + 1
    expect(await list()).toEqual({ routers: [] })
  })
})
