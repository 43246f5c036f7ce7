import { configSubject, type ExecutionConfigFile } from '@switchyard/contracts'
import { PATIENTLY } from '@switchyard/testkit'
import { describe, expect, it, vi } from 'vitest'
import { startDownstream } from './downstream.ts'
import {
  beat,
  type Client,
  GRAPH,
  openStorage,
  outcome,
  problemOf,
  refusal,
  ROUTING_URL,
  SDL,
  type Shop,
  startClient,
  startShop,
} from './harness.ts'

const FLAG = { name: 'new', featureSubgraphs: ['orders-next'], enabled: true }
const PIN = '/v1/graphs/default/shop/pin'
const publish = (client: Client, sdl: string) => client.put('/v1/subgraphs/default/orders/schema', { sdl })

/** Until revision `count` is in the log. */
async function revisionIs(client: Client, count: number, graph = 'default/shop'): Promise<void> {
  await vi.waitFor(async () => {
    expect((await client.get(`/v1/graphs/${graph}`)).body).toMatchObject({ revision: count })
  }, PATIENTLY)
}

async function list(
  client: Client,
  query = '',
): Promise<{ revision: number; actor: string | null; featureFlags: string[] }[]> {
  const { body } = await client.get(`/v1/graphs/default/shop/revisions${query}`)
  expect(body).toMatchObject({ namespace: 'default', graph: 'shop' })
  return (body as { revisions: never[] }).revisions
}

/** Revisions 1 (one base), 2 (with the flag) and 3 (another base, with the flag). */
async function startShopWithThree(): Promise<Shop> {
  const shop = await startShop()
  await shop.client.post('/v1/feature-flags/default', FLAG)
  await publish(shop.client, 'type Query { third: Int }')
  await revisionIs(shop.client, 3)
  return shop
}

describe('the history of a graph', () => {
  it('is its revisions, newest first, with who caused them', async () => {
    await using shop = await startShopWithThree()
    const { client } = shop
    const revisions = await list(client)
    expect(revisions.map(({ revision, featureFlags }) => [revision, featureFlags])).toEqual([
      [3, ['new']],
      [2, ['new']],
      [1, []],
    ])
    expect(new Set(revisions.map(({ actor }) => actor))).toEqual(new Set(['bootstrap']))
    expect(revisions[0]).toMatchObject({
      reason: 'composition',
      base: expect.any(String),
      registrySequence: 6,
    })
    expect((await list(client, '?limit=2')).map(({ revision }) => revision)).toEqual([3, 2])
    for (const limit of ['0', '501', 'x']) {
      const reply = await client.get(`/v1/graphs/default/shop/revisions?limit=${limit}`)
      expect(refusal(reply)).toEqual([400, 'INVALID_REQUEST'])
    }
  })

  it('has each revision once, in order, when records of the log were copied to its end', async () => {
    await using shop = await startShopWithThree()
    const { client, storage } = shop
    const subject = configSubject(GRAPH)
    const records: { sequence: number; record: unknown }[] = []
    for await (const entry of storage.log.read({ kind: 'subject', subject }, 1)) records.push(entry)
    let last = records.at(-1)?.sequence ?? 0
    for (const { record } of [...records, ...records.slice(-1)])
      last = await storage.log.append(subject, record, last)
    expect((await list(client)).map(({ revision }) => revision)).toEqual([3, 2, 1])
    expect((await list(client, '?limit=2')).map(({ revision }) => revision)).toEqual([3, 2])
    expect((await client.get('/v1/graphs/default/shop')).body).toMatchObject({ revision: 3 })
    const first = await client.get('/v1/graphs/default/shop/execution-config?revision=1')
    expect(first.status).toBe(200)
  })

  it('says whom it does not know any more', async () => {
    await using shop = await startShopWithThree()
    const { client, storage } = shop
    const last = await storage.log.last({ kind: 'subject', subject: configSubject(GRAPH) })
    const record = structuredClone(last?.record) as { revision: number; manifest: string; cause: object }
    const manifest = { ...JSON.parse(record.manifest), revision: 4, registrySequence: 5000 }
    const next = {
      ...record,
      revision: 4,
      manifest: JSON.stringify(manifest),
      cause: { ...record.cause, registrySequence: 5000 },
    }
    await storage.log.append(configSubject(GRAPH), next, last?.sequence ?? 0)
    await revisionIs(client, 4)
    expect((await list(client)).map(({ actor }) => actor)).toEqual([
      null,
      'bootstrap',
      'bootstrap',
      'bootstrap',
    ])
  })

  it('is read from the place where it begins, also when it is longer than what is kept', async () => {
    await using shop = await startShopWithThree()
    const { client, downstream, storage } = shop
    downstream.publishConfigs = false
    const subject = configSubject(GRAPH)
    const last = await storage.log.last({ kind: 'subject', subject })
    const record = structuredClone(last?.record) as { revision: number; manifest: string }
    let sequence = last?.sequence ?? 0
    for (let revision = 4; revision <= 620; revision += 1) {
      const manifest = JSON.stringify({ ...JSON.parse(record.manifest), revision })
      sequence = await storage.log.append(subject, { ...record, revision, manifest }, sequence)
    }
    await revisionIs(client, 620)
    const newest = await list(client, '?limit=500')
    expect([newest.length, newest[0]?.revision, newest.at(-1)?.revision]).toEqual([500, 620, 121])
    expect(outcome(await client.put(PIN, { revision: 2 })).changed).toBe(true)
    expect(problemOf(await client.put(PIN, { revision: 621 })).detail).toContain('the revisions 1 to 620')
  })
})

describe('what a revision served', () => {
  const CONFIG = '/v1/graphs/default/shop/execution-config'

  it('is given without its flags where base is enough', async () => {
    await using shop = await startShopWithThree()
    const { client } = shop
    const flagsOf = async (query: string) =>
      Object.keys(((await client.get(`${CONFIG}${query}`)).body as ExecutionConfigFile).featureFlags)
    expect(await flagsOf('?revision=3')).toEqual(['new'])
    expect(await flagsOf('?revision=3&flags=none')).toEqual([])
    expect(await flagsOf('?flags=none')).toEqual([])
    expect(refusal(await client.get(`${CONFIG}?flags=some`))).toEqual([400, 'INVALID_REQUEST'])
  })

  it('is refused when its artifact is not kept any more, with the revisions that are kept', async () => {
    await using shop = await startShopWithThree()
    const { client, storage } = shop
    const revisions = (await list(client)) as unknown as readonly { revision: number; base: string }[]
    const bases = new Map(revisions.map(({ revision, base }) => [revision, base]))
    expect(bases.get(1)).toBe(bases.get(2))
    await storage.blobs.delete(bases.get(1) ?? '')
    const reply = await client.get(`${CONFIG}?revision=2&flags=none`)
    expect(refusal(reply)).toEqual([404, 'NOT_FOUND'])
    expect(problemOf(reply).detail).toBe(
      'What revision 2 of federated graph "shop" served is not kept any more; kept are revisions 3.',
    )
    expect((await client.get(`${CONFIG}?revision=3`)).status).toBe(200)
    await storage.blobs.delete(bases.get(3) ?? '')
    expect(problemOf(await client.get(CONFIG)).detail).toContain('nor is that of any other')
  })
})

describe('a graph that is held on a revision', () => {
  it('serves it again, waits for the routers that do, and follows the newest when it is released', async () => {
    await using shop = await startShopWithThree()
    const { client, downstream, storage } = shop
    beat(storage.announcer, { instance: 'one', epoch: 1_700_000_000_000, revision: 3 })
    downstream.onConfig = (version) =>
      setTimeout(() => beat(storage.announcer, { instance: 'one', ...version }), 50)
    const pinned = outcome(await client.put(PIN, { revision: 1 }))
    expect(pinned).toMatchObject({ changed: true, affectedGraphs: ['shop'], pending: false })
    expect(pinned.routers).toEqual({ serving: 1, total: 1 })
    expect((await client.get('/v1/graphs/default/shop')).body).toMatchObject({
      revision: 4,
      pinnedRevision: 1,
      featureFlags: [
        { name: 'new', state: 'not served: the graph is held on revision 1, which does not have it' },
      ],
    })
    const [newest, , , first] = await list(client)
    expect(newest).toMatchObject({ revision: 4, featureFlags: [], base: (first as { base?: string }).base })
    const again = outcome(await client.put(PIN, { revision: 1 }))
    expect([again.changed, again.message]).toEqual([false, expect.stringContaining('revision 1 already')])

    const released = outcome(await client.delete(PIN))
    expect(released).toMatchObject({ changed: true, routers: { serving: 1, total: 1 } })
    expect((await client.get('/v1/graphs/default/shop')).body).toMatchObject({
      revision: 5,
      pinnedRevision: null,
      featureFlags: [{ name: 'new', state: 'served' }],
    })
    expect(outcome(await client.delete(PIN)).changed).toBe(false)
  })

  it('does not count a router that still serves what was newest before', async () => {
    await using shop = await startShopWithThree()
    const { client, downstream, storage } = shop
    downstream.publishConfigs = false
    beat(storage.announcer, { instance: 'one', epoch: 1_700_000_000_000, revision: 3 })
    const pinned = outcome(await client.put(PIN, { revision: 1 }))
    expect(pinned).toMatchObject({ pending: false, routers: { serving: 0, total: 1 } })
    expect((await client.get('/v1/feature-flags/default/new')).body).toMatchObject({
      graphs: [{ graph: 'shop', state: 'pending' }],
    })
  })

  it('needs no new revision when it is held on what is served', async () => {
    await using shop = await startShopWithThree()
    const { client, storage } = shop
    beat(storage.announcer, { instance: 'one', epoch: 1_700_000_000_000, revision: 3 })
    const pinned = outcome(await client.put(PIN, { revision: 3 }))
    expect(pinned.routers).toEqual({ serving: 1, total: 1 })
    expect((await client.get('/v1/graphs/default/shop')).body).toMatchObject({
      revision: 3,
      featureFlags: [{ name: 'new', state: 'served' }],
    })
    // What is switched off leaves, although the graph is held.
    await client.post('/v1/feature-flags/default/new/disable', {})
    await revisionIs(client, 4)
    expect((await client.get('/v1/feature-flags/default/new')).body).toMatchObject({
      graphs: [{ graph: 'shop', state: 'not served: the flag is disabled' }],
    })
  })

  it('cannot be held on a revision that it does not have, which is answered with those that there are', async () => {
    await using shop = await startShopWithThree()
    const { client } = shop
    const reply = await client.put(PIN, { revision: 4 })
    expect(refusal(reply)).toEqual([404, 'NOT_FOUND'])
    expect(problemOf(reply).detail).toBe(
      'Federated graph "shop" has no revision 4: it has the revisions 1 to 3. Nothing was changed.',
    )
    for (const revision of [0, -1, 1.5, '1']) {
      expect(refusal(await client.put(PIN, { revision }))).toEqual([400, 'INVALID_REQUEST'])
    }
    await client.post('/v1/graphs/default', { name: 'empty', labelMatchers: ['a=b'] })
    const empty = await client.put('/v1/graphs/default/empty/pin', { revision: 1 })
    expect(problemOf(empty).detail).toContain('nothing was published for it yet')
    const unknown = await client.put('/v1/graphs/default/ghost/pin', { revision: 1 })
    expect(problemOf(unknown).detail).toContain('There is no federated graph "ghost"')
  })

  it('answers a repetition with the outcome of the first time, whatever became of the graph', async () => {
    await using shop = await startShopWithThree()
    const { client } = shop
    const key = { 'idempotency-key': 'pin-1' }
    const first = outcome(await client.put(PIN, { revision: 2 }, key))
    await client.delete('/v1/graphs/default/shop')
    await client.post('/v1/graphs/default', { name: 'shop', labelMatchers: ['a=b'] })
    const again = outcome(await client.put(PIN, { revision: 2 }, key))
    expect([again.sequence, again.message]).toEqual([first.sequence, first.message])
    expect(refusal(await client.put(PIN, { revision: 2 }))).toEqual([404, 'NOT_FOUND'])
  })

  it('is known to a registry that has just started', async () => {
    let storage = await openStorage()
    {
      await using client = await startClient(storage)
      await using _downstream = startDownstream(storage.log, storage.blobs)
      await client.post('/v1/graphs/default', { name: 'shop' })
      await client.put('/v1/subgraphs/default/orders/schema', { sdl: SDL, routingUrl: ROUTING_URL })
      await revisionIs(client, 1)
      await publish(client, 'type Query { second: Int }')
      await revisionIs(client, 2)
      await client.put(PIN, { revision: 1 })
      await revisionIs(client, 3)
    }
    storage = await storage.reopen()
    await using closing = storage
    await using client = await startClient(closing)
    beat(closing.announcer, { instance: 'one', epoch: 1_700_000_000_000, revision: 3 })
    await vi.waitFor(async () => {
      expect((await client.get('/v1/graphs/default/shop')).body).toMatchObject({
        revision: 3,
        pinnedRevision: 1,
        routers: { serving: 1, total: 1 },
      })
    }, PATIENTLY)
  })
})

describe('a graph that was deleted and created again', () => {
  it('has none of the revisions of the earlier graph of its name', async () => {
    await using shop = await startShopWithThree()
    const { client, downstream } = shop
    await client.delete('/v1/graphs/default/shop')
    downstream.failing.add(null)
    await client.post('/v1/graphs/default', { name: 'shop' })
    expect((await client.get('/v1/graphs/default/shop')).body).toMatchObject({
      base: 'failed',
      revision: null,
      featureFlags: [{ name: 'new', state: 'not served: the base composition fails' }],
    })
    expect(await list(client)).toEqual([])
    const file = await client.get('/v1/graphs/default/shop/execution-config')
    expect(problemOf(file).detail).toBe(
      'Nothing was published for federated graph "shop" yet: its base composition fails.',
    )
    for (const revision of [1, 3, 4]) {
      const old = await client.get(`/v1/graphs/default/shop/execution-config?revision=${revision}`)
      expect(refusal(old)).toEqual([404, 'NOT_FOUND'])
      expect(refusal(await client.put(PIN, { revision }))).toEqual([404, 'NOT_FOUND'])
    }
    downstream.failing.clear()
    await publish(client, 'type Query { fifth: Int }')
    await revisionIs(client, 5)
    expect((await list(client)).map(({ revision }) => revision)).toEqual([5])
    expect(problemOf(await client.put(PIN, { revision: 1 })).detail).toContain('its only revision is 5')
  })

  it('has none of them in a namespace that was deleted and created again, either', async () => {
    await using shop = await startShop()
    const { client } = shop
    const fill = async (sdl: string) => {
      await client.post('/v1/namespaces', { name: 'team' })
      await client.post('/v1/graphs/team', { name: 'g' })
      await client.put('/v1/subgraphs/team/s/schema', { sdl, routingUrl: ROUTING_URL })
    }
    await fill(SDL)
    await revisionIs(client, 1, 'team/g')
    await client.delete('/v1/namespaces/team')
    await client.post('/v1/namespaces', { name: 'team' })
    await client.post('/v1/graphs/team', { name: 'g' })
    expect((await client.get('/v1/graphs/team/g')).body).toMatchObject({
      base: 'empty',
      revision: null,
      compositions: [{ status: 'empty' }],
    })
    await fill('type Query { other: Int }')
    await revisionIs(client, 3, 'team/g')
    expect((await client.get('/v1/graphs/team/g/revisions')).body).toMatchObject({
      revisions: [{ revision: 3 }],
    })
  })

  it('takes over the revision of the earlier one when nobody noticed that it was gone', async () => {
    await using shop = await startShopWithThree()
    const { client, downstream } = shop
    downstream.skipRemovals = true
    const removal = { 'idempotency-key': 'removal' }
    await client.delete('/v1/graphs/default/shop?wait=0', removal)
    await client.post('/v1/graphs/default', { name: 'shop' })
    // What is composed now is not the doing of the removal, although it covers both.
    expect(outcome(await client.get('/v1/commands/default/removal'))).toMatchObject({
      affectedGraphs: ['shop'],
      compositions: [],
      pending: false,
    })
    expect((await client.get('/v1/graphs/default/shop')).body).toMatchObject({
      base: 'composed',
      revision: 3,
    })
    expect((await list(client)).map(({ revision }) => revision)).toEqual([3])
  })
})

describe('the execution config of a graph', () => {
  const file = async (client: Client, query = ''): Promise<ExecutionConfigFile> => {
    const reply = await client.get(`/v1/graphs/default/shop/execution-config${query}`)
    expect(reply.status).toBe(200)
    expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8')
    return reply.body as ExecutionConfigFile
  }

  it('is the newest revision with all flags, or another one, or some flags', async () => {
    await using shop = await startShopWithThree()
    const { client } = shop
    const two = { ...FLAG, name: 'a/b', featureSubgraphs: ['orders-next'] }
    await client.post('/v1/feature-flags/default', two)
    await revisionIs(client, 4)
    const newest = await file(client)
    expect(newest).toMatchObject({ formatVersion: 1, graph: { namespace: 'default', name: 'shop' } })
    expect(newest.base).toMatchObject([{ name: 'orders' }])
    expect(Object.keys(newest.featureFlags)).toEqual(['a/b', 'new'])
    expect(newest.featureFlags['new']).toMatchObject([{ name: 'orders-next', baseName: 'orders' }])
    expect((await file(client, '?revision=1')).featureFlags).toEqual({})
    expect((await file(client, '?revision=1')).base).not.toEqual(newest.base)
    expect(Object.keys((await file(client, '?featureFlag=new')).featureFlags)).toEqual(['new'])
    const both = await file(client, '?featureFlag=new&featureFlag=a%2Fb')
    expect(both).toEqual(newest)
  })

  it('has no flag that the revision does not serve', async () => {
    await using shop = await startShopWithThree()
    const { client } = shop
    for (const query of [
      '?featureFlag=nwe',
      '?revision=1&featureFlag=new',
      '?featureFlag=new&featureFlag=constructor',
    ]) {
      const reply = await client.get(`/v1/graphs/default/shop/execution-config${query}`)
      expect(refusal(reply)).toEqual([404, 'NOT_FOUND'])
    }
    const reply = await client.get('/v1/graphs/default/shop/execution-config?featureFlag=nwe')
    expect(problemOf(reply).detail).toBe('Revision 3 has no feature flag "nwe"; it has "new".')
    const none = await client.get('/v1/graphs/default/shop/execution-config?revision=9')
    expect(problemOf(none).detail).toBe(
      'Federated graph "shop" has no revision 9: it has the revisions 1 to 3.',
    )
  })

  it.each([
    ['empty', 'no subgraph with a published schema matches its label matchers'],
    ['failed', 'its base composition fails'],
    ['pending', 'its composition is not there yet'],
  ])('is not there before the first revision, with the reason (%s)', async (state, reason) => {
    await using shop = await startShop()
    const { client, downstream } = shop
    if (state === 'failed') downstream.failing.add(null)
    if (state === 'pending') await downstream[Symbol.asyncDispose]()
    const labelMatchers = state === 'empty' ? ['a=b'] : []
    await client.post(`/v1/graphs/default${state === 'pending' ? '?wait=0' : ''}`, {
      name: 'g',
      labelMatchers,
    })
    const reply = await client.get('/v1/graphs/default/g/execution-config')
    expect(refusal(reply)).toEqual([404, 'NOT_FOUND'])
    expect(problemOf(reply).detail).toBe(`Nothing was published for federated graph "g" yet: ${reason}.`)
  })

  it('is refused, not cut off, when its blobs are gone', async () => {
    await using shop = await startShopWithThree()
    const { client, storage } = shop
    const newest = (await list(client))[0] as { base?: string } | undefined
    await storage.blobs.delete(newest?.base ?? '')
    const reply = await client.get('/v1/graphs/default/shop/execution-config')
    expect(problemOf(reply).detail).toContain('is not kept any more')
  })
})
