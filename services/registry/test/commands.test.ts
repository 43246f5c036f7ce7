import { describe, expect, it, vi } from 'vitest'
import { RegistryRecord, registrySubject } from '@switchyard/contracts'
import type { EventLog } from '@switchyard/event-log'
import { PATIENTLY } from '@switchyard/testkit'
import { startDownstream } from './downstream.ts'
import {
  type Client,
  openStorage,
  outcome,
  problemOf,
  ROUTING_URL,
  SDL,
  setUpShop,
  startClient,
} from './harness.ts'

const SUBJECT = registrySubject('default')

async function records(log: EventLog): Promise<RegistryRecord[]> {
  const list: RegistryRecord[] = []
  for await (const entry of log.read({ kind: 'subject', subject: SUBJECT }, 1)) {
    list.push(RegistryRecord.parse(entry.record))
  }
  return list
}

describe('commands', () => {
  it('create what they are asked for, once, and show it', async () => {
    await using storage = await openStorage()
    await using client = await startClient(storage)
    await setUpShop(client)
    const flag = { name: 'new', featureSubgraphs: ['orders-next'], labels: [] }
    const created = await client.post('/v1/feature-flags/default?wait=0', flag)
    expect(created.status).toBe(201)
    expect(outcome(created)).toMatchObject({
      changed: true,
      message: 'Feature flag "new" was created disabled.',
      pending: false,
      compositions: [],
    })
    const again = await client.post('/v1/feature-flags/default?wait=0', flag)
    expect([again.status, problemOf(again).code]).toEqual([409, 'ALREADY_EXISTS'])

    expect((await client.get('/v1/namespaces')).body).toEqual({
      namespaces: [{ name: 'default', previewHosts: [] }],
    })
    expect((await client.get('/v1/graphs/default')).body).toMatchObject({
      graphs: [{ name: 'shop', labelMatchers: [], subgraphs: ['orders'], base: 'pending' }],
    })
    expect((await client.get('/v1/subgraphs/default')).body).toMatchObject({
      subgraphs: [
        { name: 'orders', base: null, published: true },
        { name: 'orders-next', base: 'orders', published: true, labels: [] },
      ],
    })
    expect((await client.get('/v1/feature-flags/default')).body).toMatchObject({
      featureFlags: [
        {
          name: 'new',
          enabled: false,
          graphs: [{ graph: 'shop', state: 'not served: the flag is disabled' }],
        },
      ],
    })
  })

  it('keep the SDL byte for byte in the blob store before the record that names it', async () => {
    await using storage = await openStorage()
    await using client = await startClient(storage)
    const sdl = '\uFEFF# Grüße 🚀\r\ntype Query { hello: String }\n'
    const reply = await client.put('/v1/subgraphs/default/orders/schema', { sdl, routingUrl: ROUTING_URL })
    expect(reply.status).toBe(201)
    const [event] = (await records(storage.log)).flatMap((record) => record.events).slice(1)
    if (event?.type !== 'subgraph.schema-published') throw new Error('nothing was published')
    expect(Buffer.from(await storage.blobs.get(event.schema)).equals(Buffer.from(sdl))).toBe(true)
    expect(event.bytes).toBe(Buffer.byteLength(sdl))
  })

  it('write nothing when nothing has to change, and say so', async () => {
    await using storage = await openStorage()
    await using client = await startClient(storage)
    await setUpShop(client)
    const before = (await records(storage.log)).length
    const same = await client.put('/v1/subgraphs/default/orders/schema', { sdl: SDL })
    expect([same.status, outcome(same).changed]).toEqual([200, false])
    expect(outcome(same)).toMatchObject({ affectedGraphs: [], namedGraphs: ['shop'] })
    await client.post('/v1/feature-flags/default', { name: 'new', featureSubgraphs: ['orders-next'] })
    const disabled = await client.post('/v1/feature-flags/default/new/disable', {})
    expect(outcome(disabled)).toMatchObject({ changed: false, compositions: [], pending: false })
    expect(await records(storage.log)).toHaveLength(before + 1)
  })

  it('lists every problem of a feature flag, numbered', async () => {
    await using storage = await openStorage()
    await using client = await startClient(storage)
    await setUpShop(client)
    const reply = await client.post('/v1/feature-flags/default', {
      name: 'x',
      featureSubgraphs: ['orders', 'ghost'],
    })
    expect(reply.status).toBe(422)
    const { code, problems, detail } = problemOf(reply)
    expect([code, problems?.length]).toEqual(['FEATURE_FLAG_INVALID', 2])
    expect(detail).toContain(`${problems?.length} problems`)
  })

  it('work in a namespace of their own, and not in one that does not exist', async () => {
    await using storage = await openStorage()
    await using client = await startClient(storage)
    expect(problemOf(await client.get('/v1/graphs/team')).code).toBe('NOT_FOUND')
    expect(problemOf(await client.post('/v1/graphs/team?wait=0', { name: 'g' })).code).toBe('NOT_FOUND')
    expect((await client.post('/v1/namespaces', { name: 'team' })).status).toBe(201)
    expect((await client.post('/v1/namespaces', { name: 'team' })).status).toBe(409)
    expect((await client.post('/v1/graphs/team?wait=0', { name: 'g' })).status).toBe(201)
    expect((await client.get('/v1/graphs/default')).body).toEqual({ graphs: [] })
    expect((await client.get('/v1/namespaces')).body).toEqual({
      namespaces: [
        { name: 'default', previewHosts: [] },
        { name: 'team', previewHosts: [] },
      ],
    })
  })

  it('carry the trace of the caller into the record', async () => {
    await using storage = await openStorage()
    await using client = await startClient(storage)
    const trace = '0af7651916cd43dd8448eb211c80319c'
    await client.post(
      '/v1/graphs/default?wait=0',
      { name: 'g' },
      { traceparent: `00-${trace}-b7ad6b7169203331-01` },
    )
    const [record] = await records(storage.log)
    expect(record?.traceparent).toMatch(new RegExp(`^00-${trace}-[0-9a-f]{16}-01$`))
    expect(record?.traceparent).not.toContain('b7ad6b7169203331')
    expect(record?.actor).toBe('bootstrap')
  })

  it('take names with every character that a name may have', async () => {
    await using storage = await openStorage()
    await using client = await startClient(storage)
    const name = 'Team@a/b.c-D_e'
    const path = `/v1/subgraphs/default/${encodeURIComponent(name)}/schema`
    expect((await client.put(path, { sdl: SDL, routingUrl: ROUTING_URL })).status).toBe(201)
    for (const odd of ['constructor', 'a'.repeat(100)]) {
      expect((await client.post('/v1/graphs/default?wait=0', { name: odd })).status).toBe(201)
    }
  })
})

describe('several registries on one log', () => {
  it('let exactly one of two win a name that both decide on at once', async () => {
    await using storage = await openStorage()
    await using one = await startClient(storage)
    await using two = await startClient(storage)
    for (let round = 0; round < 20; round += 1) {
      const body = { name: `g${round}` }
      const replies = await Promise.all([
        one.post('/v1/graphs/default?wait=0', body),
        two.post('/v1/graphs/default?wait=0', body),
      ])
      expect(replies.map((reply) => reply.status).sort()).toEqual([201, 409])
    }
    expect(await records(storage.log)).toHaveLength(20)
  })

  it('keep every write when many are sent to both at once', async () => {
    await using storage = await openStorage()
    await using one = await startClient(storage)
    await using two = await startClient(storage)
    const replies = await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        (index % 2 === 0 ? one : two).post('/v1/graphs/default?wait=0', { name: `g${index}` }),
      ),
    )
    expect(new Set(replies.map((reply) => reply.status))).toEqual(new Set([201]))
    const sequences = replies.map((reply) => outcome(reply).sequence)
    expect(new Set(sequences).size).toBe(60)
    expect((await one.get('/v1/graphs/default')).body).toEqual((await two.get('/v1/graphs/default')).body)
  })

  it('answer from what another one wrote a moment ago', async () => {
    await using storage = await openStorage()
    await using one = await startClient(storage)
    await using two = await startClient(storage)
    for (let round = 0; round < 20; round += 1) {
      const name = `g${round}`
      await one.post('/v1/graphs/default?wait=0', { name })
      expect((await two.get('/v1/graphs/default')).body).toMatchObject({
        graphs: expect.arrayContaining([expect.objectContaining({ name })]),
      })
      expect((await two.post('/v1/graphs/default?wait=0', { name })).status).toBe(409)
    }
  })
})

describe('a command repeated with its idempotency key', () => {
  const key = { 'idempotency-key': 'k-1' }

  it('while it still waits for its composition is written once, and has the same outcome', async () => {
    await using storage = await openStorage()
    await using one = await startClient(storage)
    await using two = await startClient(storage)
    await setUpShop(one)
    const before = (await records(storage.log)).length
    const publish = (client: Client) =>
      client.put('/v1/subgraphs/default/orders/schema?wait=60000', { sdl: `${SDL} # more` }, key)
    // Nobody composes yet, so that all of them wait.
    const first = publish(one)
    await vi.waitFor(async () => expect(await records(storage.log)).toHaveLength(before + 1), PATIENTLY)
    const others = [publish(one), publish(two), publish(two)]
    await using _downstream = startDownstream(storage.log, storage.blobs)
    const [original, ...again] = (await Promise.all([first, ...others])).map(outcome)
    expect(original).toMatchObject({ commandId: 'k-1', changed: true, pending: false, sequence: before + 1 })
    for (const repeated of again) expect(repeated).toEqual(original)
    expect(await records(storage.log)).toHaveLength(before + 1)
  })

  it('has the outcome of the first time, also from another registry and after a restart', async () => {
    let storage = await openStorage()
    const first = await startClient(storage)
    const second = await startClient(storage)
    const body = { name: 'g', labelMatchers: ['a=1', 'b=2'] }
    const original = await first.post('/v1/graphs/default?wait=0', body, key)
    expect(original.status).toBe(201)
    const elsewhere = await second.post(
      '/v1/graphs/default?wait=0',
      { labelMatchers: ['b=2', 'a=1'], name: 'g' },
      key,
    )
    expect([elsewhere.status, elsewhere.body]).toEqual([201, original.body])
    await first[Symbol.asyncDispose]()
    await second[Symbol.asyncDispose]()

    storage = await storage.reopen()
    await using closing = storage
    await using client = await startClient(closing)
    const later = await client.post('/v1/graphs/default?wait=0', body, key)
    expect([later.status, later.body]).toEqual([201, original.body])
    expect(await records(closing.log)).toHaveLength(1)
  })

  it('is refused for another command', async () => {
    await using storage = await openStorage()
    await using client = await startClient(storage)
    await client.post('/v1/graphs/default?wait=0', { name: 'g' }, key)
    const reply = await client.post('/v1/graphs/default?wait=0', { name: 'h' }, key)
    expect([reply.status, problemOf(reply).code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED'])
    expect(await records(storage.log)).toHaveLength(1)
  })

  it('is written once when sent many times at once to two registries', async () => {
    await using storage = await openStorage()
    await using one = await startClient(storage)
    await using two = await startClient(storage)
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        (index % 2 === 0 ? one : two).post('/v1/graphs/default?wait=0', { name: 'g' }, key),
      ),
    )
    expect(new Set(replies.map((reply) => reply.status))).toEqual(new Set([201]))
    expect(new Set(replies.map((reply) => JSON.stringify(reply.body))).size).toBe(1)
    expect((await client(one)).graphs).toHaveLength(1)
  })

  async function client(from: Awaited<ReturnType<typeof startClient>>): Promise<{ graphs: unknown[] }> {
    const { body } = await from.get('/v1/graphs/default')
    if (typeof body !== 'object' || body === null || !('graphs' in body) || !Array.isArray(body.graphs)) {
      throw new Error('no list of graphs')
    }
    return { graphs: body.graphs }
  }
})
