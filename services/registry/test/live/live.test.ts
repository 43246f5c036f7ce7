/** What a registry tells as it happens: to whom, from where on, and until when. */
import { CreatedApiKey, RouterList } from '@switchyard/contracts'
import { PATIENTLY, waitFor } from '@switchyard/testkit'
import { describe, expect, it, vi } from 'vitest'
import { createKey, LogWriter } from '../audit/support.ts'
import { beat, type Client, openStorage, outcome, startClient, startShop } from '../harness.ts'
import { askLive, changesOf, readLive } from './support.ts'

const CREATED = { type: 'namespace.created' } as const

async function addNamespace(client: Client, name: string): Promise<number> {
  return outcome(await client.post('/v1/namespaces', { name })).sequence
}

describe('a connection that follows what happens', () => {
  it('is told of commands, compositions, revisions, and routers, and of nothing that was before', async () => {
    await using shop = await startShop({ liveTickMs: 50 })
    const { client, storage } = shop
    await using reader = await follow(client)
    const { sequence } = outcome(
      await client.put('/v1/subgraphs/default/orders/schema', { sdl: 'type Query { two: Int }' }),
    )
    await reader.until({ kind: 'changed', sequence, namespace: 'default', graphs: ['shop'] })
    await reader.until({ kind: 'composed', namespace: 'default', graph: 'shop' })
    await reader.until({ kind: 'published', namespace: 'default', graph: 'shop' })
    expect(reader.told[0]).toEqual({
      id: sequence - 1,
      event: { kind: 'hello', sequence: sequence - 1, missed: false },
    })
    expect(changesOf(reader)).toEqual([sequence])
    expect(reader.told.some(({ event }) => event.kind === 'fleet')).toBe(false)
    beat(storage.announcer, { epoch: 1, revision: 1 })
    await reader.until({ kind: 'fleet' })
    await vi.waitFor(() => expect(reader.comments).toBeGreaterThan(1), PATIENTLY)
  })

  it('hears of a router once, however often it says the same with other figures, and when it stops', async () => {
    await using storage = await openStorage()
    // No tick, which would find out as well that a router is gone.
    await using client = await startClient(storage, { liveTickMs: 600_000 })
    await using reader = await follow(client)
    const told = () => reader.told.filter(({ event }) => event.kind === 'fleet').length
    beat(storage.announcer, { load: load(1) })
    await waitFor('the router to be told', () => told() === 1)
    for (const requests of [2, 3, 4]) beat(storage.announcer, { load: load(requests), flagsInUse: ['x'] })
    await addNamespace(client, 'after')
    await reader.until({ kind: 'changed', namespace: 'after' })
    expect(told()).toBe(1)
    beat(storage.announcer, { state: 'draining' })
    await waitFor('the drain to be told', () => told() === 2)
    beat(storage.announcer, { state: 'stopped' })
    await waitFor('the stop to be told', () => told() === 3)
  })

  it('gets figures of the graphs that it may read, by the second', async () => {
    await using storage = await openStorage()
    let monotonic = 0
    const monotonicNow = () => monotonic
    await using client = await startClient(storage, { liveTickMs: 20, monotonicNow })
    const [own, other] = [
      await createKey(client, 'own', 'deploy:default'),
      await createKey(client, 'o', 'deploy:o'),
    ]
    await using reader = await follow(client, { key: own })
    await using stranger = await follow(client, { key: other })
    beat(storage.announcer, { load: load(100, 10) })
    beat(storage.announcer, { instance: 'router-2', load: load(5000, 0) })
    const graph = { namespace: 'default', graph: 'shop', routers: 2 }
    await reader.until({
      kind: 'figures',
      graphs: [{ ...graph, requestsPerSecond: 0, errorsPerSecond: 0 }],
    })
    monotonic = 5000
    beat(storage.announcer, { load: load(150, 11) })
    // A heartbeat that follows at once has no rate of its own, and a process that begins has none yet.
    beat(storage.announcer, { load: load(151, 11) })
    beat(storage.announcer, { instance: 'router-2', boot: 'another', load: load(9000, 0) })
    await reader.until({
      kind: 'figures',
      graphs: [{ ...graph, requestsPerSecond: 10, errorsPerSecond: 0.2 }],
    })
    const rates = RouterList.parse((await client.get('/v1/routers')).body).routers
    expect(
      rates.map(({ requestsPerSecond, errorsPerSecond }) => [requestsPerSecond, errorsPerSecond]),
    ).toEqual([
      [10, 0.2],
      [undefined, undefined],
    ])
    await stranger.until({ kind: 'figures', graphs: [] })
    const told = stranger.told.map(({ event }) => event)
    expect(told.every((event) => event.kind !== 'figures' || event.graphs.length === 0)).toBe(true)
  })

  it('goes on after the last event that arrived, or says that it cannot', async () => {
    await using shop = await startShop()
    const { client } = shop
    const before = await addNamespace(client, 'before')
    const missed = [await addNamespace(client, 'one'), await addNamespace(client, 'two')]
    for (const ask of [
      { after: before },
      { lastEventId: String(before) },
      { after: 0, lastEventId: String(before) },
    ]) {
      await using reader = await follow(client, ask)
      await reader.until({ kind: 'fleet' })
      expect(reader.told[0]).toEqual({
        id: before,
        event: { kind: 'hello', sequence: before, missed: false },
      })
      expect(changesOf(reader)).toEqual(missed)
      // Nobody knows which compositions the client has heard of.
      await reader.until({ kind: 'composed', namespace: 'default', graph: 'shop' })
      await reader.until({ kind: 'published', namespace: 'default', graph: 'shop' })
    }
    for (const lastEventId of ['9000000', 'made up', '-1']) {
      await using reader = await follow(client, { lastEventId })
      expect(reader.told[0]).toEqual({
        id: missed[1],
        event: { kind: 'hello', sequence: missed[1], missed: true },
      })
    }
    expect((await askLive(client, { after: -1 })).status).toBe(400)
  })

  it('says that changes were missed when there are too many of them', async () => {
    await using storage = await openStorage()
    await using client = await startClient(storage)
    const writer = new LogWriter(storage.log)
    for (let count = 0; count < 1001; count++) {
      await writer.write('default', [count % 2 === 0 ? CREATED : { type: 'namespace.deleted' }])
    }
    await client.get('/v1/log?limit=1')
    await using few = await follow(client, { after: 1 })
    expect(few.told[0]?.event).toMatchObject({ missed: false })
    await waitFor('all of them', () => changesOf(few).length === 1000)
    await using many = await follow(client, { after: 0 })
    expect(many.told[0]).toEqual({ id: 1001, event: { kind: 'hello', sequence: 1001, missed: true } })
  })

  it('ends at once when its key is deleted, without a word about what came after', async () => {
    await using storage = await openStorage()
    await using client = await startClient(storage, { liveTickMs: 600_000 })
    const reply = await client.post('/v1/api-keys', { name: 'one', scopes: ['read'] })
    const { id, key } = CreatedApiKey.parse(reply.body)
    await using reader = await follow(client, { key })
    await using admin = await follow(client)
    await addNamespace(client, 'seen')
    await reader.until({ kind: 'changed', namespace: 'seen' })
    await client.delete(`/v1/api-keys/${id}`)
    await addNamespace(client, 'unseen')
    await waitFor('the end', () => reader.isOver)
    expect(reader.told.some(({ event }) => event.kind === 'changed' && event.namespace === 'unseen')).toBe(
      false,
    )
    expect(reader.told.some(({ event }) => event.kind === 'changed' && event.namespace === null)).toBe(false)
    await admin.until({ kind: 'changed', namespace: null, graphs: [] })
    expect(admin.isOver).toBe(false)
  })

  it('ends when the registry stops, with the time after which to come back', async () => {
    await using storage = await openStorage()
    const client = await startClient(storage)
    await using reader = await follow(client)
    const began = performance.now()
    await client[Symbol.asyncDispose]()
    await waitFor('the end', () => reader.isOver)
    expect(reader.retry).toBeGreaterThanOrEqual(1000)
    expect(reader.retry).toBeLessThanOrEqual(5000)
    // Connections that are cut off by force are so after 15 s.
    expect(performance.now() - began).toBeLessThan(14_000)
  })

  it('is refused when there are 200 others, and let in when one of them has gone', async () => {
    await using storage = await openStorage()
    await using client = await startClient(storage)
    const readers = await Promise.all(Array.from({ length: 200 }, () => readLive(client)))
    const refused = await askLive(client)
    expect(refused.status).toBe(503)
    expect(refused.headers.get('retry-after')).toBe('10')
    expect(await refused.json()).toMatchObject({ code: 'TOO_MANY_LIVE_CONNECTIONS' })
    readers[7]?.cut()
    await vi.waitFor(async () => {
      await using another = await follow(client)
      expect(another.told).toHaveLength(1)
    }, PATIENTLY)
    for (const reader of readers) reader.cut()
  })
})

function load(requests: number, errors = 0) {
  const process = {
    startedAt: 0,
    residentBytes: 1,
    heapBytes: 1,
    eventLoopUtilization: 0,
    eventLoopDelayMs: 0,
  }
  return { ...process, active: 0, requests, errors }
}

/** A reader whose connection is cut in the end. */
async function follow(...args: Parameters<typeof readLive>) {
  const reader = await readLive(...args)
  return Object.assign(reader, { [Symbol.asyncDispose]: async () => reader.cut() })
}
