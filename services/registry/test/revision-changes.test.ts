/** What made each revision: which commands, with whose key, and why. */
import {
  type CommandOutcome,
  CreatedApiKey,
  RegistryRecord,
  registrySubject,
  RevisionList,
  type RevisionView,
} from '@switchyard/contracts'
import { PATIENTLY } from '@switchyard/testkit'
import { describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { CommandSequences } from '../src/reading/command-sequences.ts'
import { type Client, GRAPH, outcome, refusal, startClient, startShop, type Storage } from './harness.ts'

const SCHEMA = '/v1/subgraphs/default/orders/schema'
const FLAG = { name: 'new', featureSubgraphs: ['orders-next'] }
const TEN_SECONDS = '?wait=10000'

async function revisionsOf(client: Client, query = ''): Promise<readonly RevisionView[]> {
  return RevisionList.parse((await client.get(`/v1/graphs/default/shop/revisions${query}`)).body).revisions
}

/** Commands answer when they are composed; their revision is committed a moment later. */
async function untilRevision(client: Client, count: number): Promise<void> {
  const asked = () => client.get('/v1/graphs/default/shop')
  await vi.waitFor(async () => expect((await asked()).body).toMatchObject({ revision: count }), PATIENTLY)
}

async function recordAt({ log }: Storage, { sequence }: CommandOutcome): Promise<RegistryRecord> {
  const subject = registrySubject('default')
  for await (const { record } of log.read({ kind: 'subject', subject }, sequence))
    return RegistryRecord.parse(record)
  throw new Error(`the log has no record ${sequence}`)
}

describe('what made a revision', () => {
  it('is told with the command, the name of the API key, and the reason', async () => {
    await using shop = await startShop()
    const { client } = shop
    await untilRevision(client, 1)
    const key = CreatedApiKey.parse(
      (await client.post('/v1/api-keys', { name: 'deploy-bot', scopes: ['deploy:default'] })).body,
    )
    const asBot = { authorization: `Bearer ${key.key}` }
    const created = outcome(
      await client.post('/v1/feature-flags/default', { ...FLAG, reason: 'prepared for friday' }, asBot),
    )
    expect((await recordAt(shop.storage, created)).reason).toBe('prepared for friday')
    const enabled = await client.post('/v1/feature-flags/default/new/enable', { reason: ' friday\n' }, asBot)
    await untilRevision(client, 2)
    await client.put(`${SCHEMA}${TEN_SECONDS}`, { sdl: 'type Query { third: Int }' })
    await untilRevision(client, 3)
    await client.put('/v1/graphs/default/shop/pin', { revision: 1, reason: 'too slow' })
    await untilRevision(client, 4)
    // The name of a key stays known when it is deleted.
    const gone = await client.delete(`/v1/api-keys/${key.id}`)
    expect(gone.status).toBe(200)
    const [pinned, third, flagged, first] = await revisionsOf(client)
    expect(pinned).toMatchObject({
      changes: [
        {
          actor: 'bootstrap',
          apiKey: null,
          reason: 'too slow',
          summary: 'rolled back to revision 1',
          events: [{ type: 'federated-graph.pinned', name: 'shop' }],
          eventCount: 1,
        },
      ],
      changeCount: 1,
    })
    expect(third?.changes).toEqual([
      {
        sequence: expect.any(Number),
        time: expect.any(String),
        actor: 'bootstrap',
        apiKey: null,
        summary: 'schema of "orders" published',
        events: [{ type: 'subgraph.schema-published', name: 'orders' }],
        eventCount: 1,
      },
    ])
    // That the flag was created did not make it: no graph was composed for that.
    expect(flagged?.changes).toMatchObject([
      {
        sequence: outcome(enabled).sequence,
        actor: `key:${key.id}`,
        apiKey: 'deploy-bot',
        reason: 'friday',
        summary: 'feature flag "new" enabled',
      },
    ])
    expect(first?.changes?.map(({ summary }) => summary)).toEqual([
      'federated graph "shop" created',
      'subgraph "orders" created, schema of "orders" published',
    ])
  })

  it('is the same when the list begins later, and in a registry that was started since', async () => {
    await using shop = await startShop()
    const { client } = shop
    for (const field of ['second', 'third', 'fourth'])
      await client.put(SCHEMA, { sdl: `type Query { ${field}: Int }`, reason: field })
    await untilRevision(client, 4)
    const all = await revisionsOf(client)
    expect(all.map(({ changes }) => changes?.map(({ reason }) => reason))).toEqual([
      ['fourth'],
      ['third'],
      ['second'],
      [undefined, undefined],
    ])
    expect(await revisionsOf(client, '?limit=2')).toEqual(all.slice(0, 2))
    await using later = await startClient(shop.storage)
    expect(await revisionsOf(later)).toEqual(all)
  })

  it('is all commands since the revision before, the last ones of many', async () => {
    await using shop = await startShop()
    const { client, downstream } = shop
    await untilRevision(client, 1)
    downstream.failing.add(null)
    for (let number = 1; number <= 12; number += 1)
      await client.put(SCHEMA, { sdl: `type Query { field${number}: Int }`, reason: `try ${number}` })
    downstream.failing.clear()
    await client.put(SCHEMA, { sdl: 'type Query { good: Int }', reason: 'mended' })
    await untilRevision(client, 2)
    const [newest] = await revisionsOf(client)
    expect(newest?.changeCount).toBe(13)
    expect(newest?.changes?.map(({ reason }) => reason)).toEqual([
      ...[4, 5, 6, 7, 8, 9, 10, 11, 12].map((number) => `try ${number}`),
      'mended',
    ])
  })

  it('is told again for the revision in which flags are composed later', async () => {
    await using shop = await startShop()
    const { client, downstream } = shop
    downstream.late.add('new')
    await client.post('/v1/feature-flags/default?wait=0', { ...FLAG, enabled: true, reason: 'for all' })
    await vi.waitFor(async () => {
      await downstream.finish()
      const [newest] = await revisionsOf(client)
      expect(newest).toMatchObject({ featureFlags: ['new'], changes: [{ reason: 'for all' }] })
    }, PATIENTLY)
  })

  it('lists a few of the events of one command, and counts all', async () => {
    await using shop = await startShop()
    const { client } = shop
    const subgraphs = Array.from({ length: 12 }, (_, number) => ({
      name: `part${number}`,
      routingUrl: 'http://localhost:4102/graphql',
      sdl: `type Query { part${number}: Int }`,
    }))
    await client.post('/v1/namespaces/default/apply', { subgraphs, reason: 'all parts' })
    await untilRevision(client, 2)
    const [change] = (await revisionsOf(client))[0]?.changes ?? []
    expect(change).toMatchObject({
      reason: 'all parts',
      summary:
        'subgraph "part0" created, schema of "part0" published, subgraph "part1" created, 21 more changes',
      eventCount: 24,
    })
    expect(change?.events).toHaveLength(10)
  })
})

describe('the reason of a command', () => {
  it('is a member of the body of every command, and of nothing else', async () => {
    await using shop = await startShop()
    const Body = z.object({ content: z.record(z.string(), z.object({ schema: z.looseObject({}) })) })
    const Routes = z.record(z.string(), z.looseObject({ requestBody: Body.optional() }))
    const document = z
      .object({ paths: z.record(z.string(), Routes) })
      .parse((await shop.client.get('/v1/openapi.json')).body)
    const takers = Object.entries(document.paths).flatMap(([path, routes]) =>
      Object.entries(routes).flatMap(([method, { requestBody }]) => {
        if (requestBody === undefined) return []
        const route = `${method.toUpperCase()} ${path}`
        const takesReason = JSON.stringify(requestBody.content).includes('"reason"')
        return [{ route, takesReason }]
      }),
    )
    const without = takers.filter(({ takesReason }) => !takesReason).map(({ route }) => route)
    expect(without.toSorted()).toEqual([
      'DELETE /v1/trace-keys/{kid}',
      'POST /v1/api-keys',
      'POST /v1/checks/{namespace}/{name}',
      'POST /v1/graphs/{namespace}/{name}/trace-tokens',
      'POST /v1/import',
      'POST /v1/session',
      'POST /v1/session/links',
      'POST /v1/trace-keys',
    ])
    expect(takers.length - without.length).toBeGreaterThan(15)
  })

  it('is refused when it is empty, too long or no text, and is no change by itself', async () => {
    await using shop = await startShop()
    const { client } = shop
    for (const reason of ['', '  ', 'x'.repeat(501), 5, null]) {
      const reply = await client.put(SCHEMA, { sdl: 'type Query { b: Int }', reason })
      expect(refusal(reply)).toEqual([400, 'INVALID_REQUEST'])
    }
    for (const path of ['/v1/graphs/default/shop', '/v1/subgraphs/default/orders']) {
      const reply = await client.patch(path, { reason: 'nothing else' })
      expect(refusal(reply)).toEqual([400, 'INVALID_REQUEST'])
    }
    expect(
      outcome(await client.put(SCHEMA, { sdl: 'type Query { b: Int }', reason: 'x'.repeat(500) })),
    ).toMatchObject({ changed: true })
  })

  it('does not make a repeated command another one', async () => {
    await using shop = await startShop()
    const { client, storage } = shop
    const again = { 'idempotency-key': 'once' }
    const body = { sdl: 'type Query { b: Int }' }
    const first = outcome(await client.put(SCHEMA, { ...body, reason: 'first' }, again))
    const second = outcome(await client.put(SCHEMA, { ...body, reason: 'second' }, again))
    expect(second.sequence).toBe(first.sequence)
    expect((await recordAt(storage, first)).reason).toBe('first')
  })
})

describe('sequences of commands', () => {
  it('are the last thousand of a graph at least, and says when some are forgotten', () => {
    const sequences = new CommandSequences()
    for (let sequence = 1; sequence <= 2500; sequence += 1) sequences.note('default', ['shop'], sequence)
    expect(sequences.between(GRAPH, 1499, 2500)).toHaveLength(1001)
    expect(sequences.between(GRAPH, 2498, 2499)).toEqual([2499])
    expect(sequences.between(GRAPH, 10, 2500)).toBeNull()
    expect(sequences.between({ namespace: 'default', graph: 'other' }, 0, 2500)).toEqual([])
  })
})
