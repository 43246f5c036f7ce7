/** The audit log over HTTP: who sees which records, in which order, and what each of them tells. */
import { join } from 'node:path'
import { CreatedTraceKey, RevisionList } from '@switchyard/contracts'
import { createMemoryAnnouncer, openNatsStorage } from '@switchyard/event-log'
import { natsServerAvailable, PATIENTLY, startNatsServer, temporaryDirectory } from '@switchyard/testkit'
import { describe, expect, it, vi } from 'vitest'
import { startDownstream } from '../downstream.ts'
import {
  type Client,
  openStorage,
  outcome,
  problemOf,
  refusal,
  setUpShop,
  startClient,
  startShop,
} from '../harness.ts'
import { exportText, importText } from '../transfer/support.ts'
import { askLog, createKey, FLAG, LogWriter, publish, readLog, sequencesOf, walkLog } from './support.ts'

async function untilRevision(client: Client, count: number): Promise<void> {
  const asked = () => client.get('/v1/graphs/default/shop')
  await vi.waitFor(async () => expect((await asked()).body).toMatchObject({ revision: count }), PATIENTLY)
}

describe('a record of the audit log', () => {
  it('tells who changed what, when, why, and the revisions that came of it', async () => {
    await using shop = await startShop()
    const { client } = shop
    await untilRevision(client, 1)
    const key = await createKey(client, 'release-bot', 'deploy:default')
    const headers = { authorization: `Bearer ${key}`, 'idempotency-key': 'friday-1' }
    const created = outcome(
      await client.post('/v1/feature-flags/default', { ...FLAG, enabled: true, reason: 'friday' }, headers),
    )
    await untilRevision(client, 2)
    const { records, ...rest } = await readLog(client, `?after=${created.sequence - 1}`)
    expect(rest).toEqual({ last: created.sequence, more: false, end: created.sequence })
    expect(records).toEqual([
      {
        sequence: created.sequence,
        namespace: 'default',
        time: expect.stringMatching(/^\d{4}-.*Z$/),
        actor: expect.stringMatching(/^key:/),
        apiKey: 'release-bot',
        reason: 'friday',
        commandId: 'friday-1',
        summary: 'feature flag "new" created',
        events: [{ type: 'feature-flag.created', ...FLAG, labels: [], enabled: true }],
        graphs: [{ graph: 'shop', revisions: [{ epoch: 1_700_000_000_000, revision: 2 }] }],
        graphCount: 1,
      },
    ])
  })

  it('names the same revisions whose history names the command', async () => {
    await using shop = await startShop()
    const { client, downstream } = shop
    await untilRevision(client, 1)
    downstream.failing.add(null)
    const schema = '/v1/subgraphs/default/orders/schema'
    // Waits for their compositions: these have to have failed before others succeed.
    for (const field of ['one', 'two']) await client.put(schema, { sdl: `type Query { ${field}: Int }` })
    downstream.failing.clear()
    await publish(client, 'three')
    await untilRevision(client, 2)
    // Base first, the flag a revision later: both reflect the command.
    downstream.late.add('new')
    await client.post('/v1/feature-flags/default?wait=0', FLAG)
    await client.post('/v1/feature-flags/default/new/enable?wait=0', {})
    const sdl = 'type Query { four: Int }'
    await client.put(`${schema}?wait=0`, { sdl })
    await untilRevision(client, 3)
    await vi.waitFor(async () => {
      await downstream.finish()
      expect((await client.get('/v1/graphs/default/shop')).body).toMatchObject({ revision: 4 })
    }, PATIENTLY)
    await client.put('/v1/graphs/default/shop/pin', { revision: 1 })
    await untilRevision(client, 5)
    const told = RevisionList.parse((await client.get('/v1/graphs/default/shop/revisions')).body)
    const byHistory = told.revisions.flatMap(({ revision, changes }) =>
      (changes ?? []).map(({ sequence }) => `${sequence} made ${revision}`),
    )
    const byLog = (await walkLog(client, { order: 'oldest', limit: () => 100 })).flatMap(
      ({ sequence, graphs }) =>
        (graphs ?? []).flatMap(({ graph, revisions }) => {
          expect(graph).toBe('shop')
          return (revisions ?? []).map(({ revision }) => `${sequence} made ${revision}`)
        }),
    )
    expect(byLog.toSorted()).toEqual(byHistory.toSorted())
    await using later = await startClient(shop.storage)
    expect(await readLog(later)).toEqual(await readLog(client))
  })

  it('has no revision while its composition fails, or is on the way', async () => {
    await using shop = await startShop()
    const { client, downstream } = shop
    await untilRevision(client, 1)
    downstream.failing.add(null)
    const sequence = await publish(client, 'broken')
    expect((await readLog(client, `?after=${sequence - 1}`)).records).toMatchObject([
      { graphs: [{ graph: 'shop', revisions: [] }], graphCount: 1 },
    ])
  })

  it('keeps a reason as it was given, whatever is in it', async () => {
    await using shop = await startShop()
    const reason = 'too slow\u001b[31m\n"for" \u202eus\u0000\\'
    const sequence = await publish(shop.client, 'other', reason)
    expect((await readLog(shop.client, `?after=${sequence - 1}`)).records).toMatchObject([{ reason }])
  })

  it('holds neither schemas nor keys, nor hashes of API keys', async () => {
    await using storage = await openStorage()
    await using folder = await temporaryDirectory()
    const traceKeys = { file: join(folder.path, 'keys.json'), createFirst: false }
    await using client = await startClient(storage, { traceKeys })
    await setUpShop(client)
    const key = await createKey(client, 'ci', 'publish:default')
    const { kid } = CreatedTraceKey.parse((await client.post('/v1/trace-keys', {})).body)
    const { body } = await client.get('/v1/api-keys')
    const [{ id }] = (body as { apiKeys: [{ id: string }] }).apiKeys
    await client.delete(`/v1/api-keys/${id}`)
    const page = await readLog(client)
    const text = JSON.stringify(page)
    expect(text).not.toContain('type Query')
    expect(text).not.toContain(key)
    expect(text).not.toContain('"sha256"')
    expect(page.records.filter(({ namespace }) => namespace === null)).toMatchObject([
      {
        summary: 'API key "ci" created for publish:default',
        events: [{ type: 'api-key.created', id, name: 'ci', scopes: ['publish:default'] }],
        graphs: null,
      },
      { summary: `trace key "${kid}" created`, events: [{ type: 'trace-key.created', kid }] },
      { summary: 'API key "ci" deleted', events: [{ type: 'api-key.deleted', id }] },
    ])
  })
})

describe('a page of the audit log', () => {
  it('shows each key what it may read, and tells the same place to all of them', async () => {
    await using storage = await openStorage()
    await using client = await startClient(storage)
    await setUpShop(client)
    await client.post('/v1/namespaces', { name: 'team' })
    await client.post('/v1/graphs/team?wait=0', { name: 'board' })
    const keys = {
      reader: await createKey(client, 'reader', 'read'),
      publisher: await createKey(client, 'publisher', 'publish:default'),
      both: await createKey(client, 'both', 'deploy:team', 'publish:default'),
      stranger: await createKey(client, 'stranger', 'deploy:elsewhere'),
      tracer: await createKey(client, 'tracer', 'trace:default'),
    }
    const all = (await readLog(client)).records
    const { end } = await readLog(client)
    const seenBy = async (key: string, query = '') => {
      const page = await readLog(client, query, key)
      expect([page.last, page.end, page.more]).toEqual([end, end, false])
      return sequencesOf(page.records)
    }
    const of = (...namespaces: readonly (string | null)[]) =>
      sequencesOf(all.filter(({ namespace }) => namespaces.includes(namespace)))
    expect(of(null)).toHaveLength(5)
    expect(await seenBy(keys.reader)).toEqual(of('default', 'team'))
    expect(await seenBy(keys.publisher)).toEqual(of('default'))
    expect(await seenBy(keys.both)).toEqual(of('default', 'team'))
    expect(await seenBy(keys.both, '?namespace=team')).toEqual(of('team'))
    expect(await seenBy(keys.stranger)).toEqual([])
    expect(refusal(await askLog(client, '', keys.tracer))).toEqual([403, 'FORBIDDEN'])
    const other = await askLog(client, '?namespace=team', keys.publisher)
    expect(refusal(other)).toEqual([403, 'FORBIDDEN'])
    expect(problemOf(other).detail).toContain('"read"')
  })

  it('lets the former owner of a deleted namespace read what was done in it', async () => {
    await using storage = await openStorage()
    await using client = await startClient(storage)
    await client.post('/v1/namespaces', { name: 'team' })
    const key = await createKey(client, 'team', 'deploy:team')
    await client.delete('/v1/namespaces/team?wait=0')
    const { records } = await readLog(client, '', key)
    expect(records.map(({ summary }) => summary)).toEqual(['namespace created', 'namespace deleted'])
  })

  it('begins at either end, between two bounds, and says what is left', async () => {
    await using storage = await openStorage()
    await using client = await startClient(storage)
    await setUpShop(client)
    const { records, end } = await readLog(client)
    const all = sequencesOf(records)
    expect(all).toEqual([1, 2, 3, 4])
    const read = async (query: string) => {
      const page = await readLog(client, query)
      return { sequences: sequencesOf(page.records), last: page.last, more: page.more, end: page.end }
    }
    expect(await read('?limit=2')).toEqual({ sequences: [1, 2], last: 2, more: true, end })
    expect(await read('?after=2&limit=2')).toEqual({ sequences: [3, 4], last: 4, more: false, end })
    expect(await read('?order=newest&limit=3')).toEqual({ sequences: [4, 3, 2], last: 2, more: true, end })
    expect(await read('?order=newest&before=2')).toEqual({ sequences: [1], last: 1, more: false, end })
    expect(await read('?after=1&before=4&order=newest')).toMatchObject({ sequences: [3, 2], more: false })
    expect(await read('?after=4')).toEqual({ sequences: [], last: 4, more: false, end })
    // As after a restore of an older backup.
    expect(await read('?after=90')).toEqual({ sequences: [], last: 90, more: false, end })
  })

  it.each([
    'limit=0',
    'limit=1001',
    'limit=many',
    'after=-1',
    'after=1.5',
    'after=1e400',
    'before=0',
    'order=random',
    'namespace=not%20one',
    'since=2h',
  ])('refuses what it does not understand: %s', async (query) => {
    await using storage = await openStorage()
    await using client = await startClient(storage)
    expect(refusal(await askLog(client, `?${query}`))).toEqual([400, 'INVALID_REQUEST'])
  })

  it('leaves out what lost a race or is no record, and goes on behind it', async () => {
    await using storage = await openStorage()
    await using client = await startClient(storage)
    await setUpShop(client)
    const writer = new LogWriter(storage.log)
    const enabled = { type: 'namespace.created' } as const
    const lost = await writer.write('default', [enabled], { after: 1 })
    const nonsense = [await writer.writeNonsense('default'), await writer.writeNonsense('team')]
    const applied = await writer.write('team', [enabled])
    // The same command once more.
    await writer.write('team', [enabled], { commandId: 'written-2' })
    const end = await writer.writeNonsense(null)
    expect([lost, ...nonsense, applied, end]).toEqual([5, 6, 7, 8, 10])
    for (const order of ['oldest', 'newest'] as const) {
      const found = sequencesOf(await walkLog(client, { order, limit: () => 1 }))
      expect(order === 'oldest' ? found : found.toReversed()).toEqual([1, 2, 3, 4, 8])
    }
    await client.post('/v1/graphs/default?wait=0', { name: 'after' })
    expect((await readLog(client, '?after=8')).records).toMatchObject([{ sequence: 11 }])
  })

  it('is short when its records are long', async () => {
    await using storage = await openStorage()
    await using client = await startClient(storage)
    const writer = new LogWriter(storage.log)
    const events = Array.from({ length: 1000 }, (_, number) => ({
      type: 'subgraph.updated' as const,
      name: 'orders',
      routingUrl: `http://localhost/${'x'.repeat(100)}${number}`,
    }))
    for (let count = 0; count < 12; count += 1) await writer.write('team', events)
    const page = await readLog(client, '?limit=1000')
    expect(page.more).toBe(true)
    expect(page.records.length).toBeLessThan(9)
    expect(JSON.stringify(page).length).toBeLessThan(1_300_000)
    const back = await readLog(client, '?limit=1000&order=newest')
    expect(sequencesOf(back.records)[0]).toBe(12)
    expect(back.records.length).toBe(page.records.length)
    expect(await walkLog(client, { order: 'oldest', limit: () => 1000 })).toHaveLength(12)
  })

  it('is the same in a registry that imported the log', async () => {
    await using shop = await startShop()
    const { client } = shop
    await untilRevision(client, 1)
    await publish(client, 'second', 'before the move')
    await untilRevision(client, 2)
    const before = await readLog(client)
    await using other = await openStorage()
    await using target = await startClient(other)
    expect((await importText(target, await exportText(client))).status).toBe(200)
    expect(await readLog(target)).toEqual(before)
  })

  it('tells everything of a graph that was deleted and created again', async () => {
    await using shop = await startShop()
    const { client } = shop
    await untilRevision(client, 1)
    const deleted = outcome(await client.delete('/v1/graphs/default/shop'))
    const created = outcome(await client.post('/v1/graphs/default', { name: 'shop' }))
    await untilRevision(client, 3)
    const { records } = await readLog(client, `?after=${deleted.sequence - 1}`)
    expect(records).toMatchObject([
      { sequence: deleted.sequence, graphs: [{ graph: 'shop', revisions: [{ revision: 2 }] }] },
      { sequence: created.sequence, graphs: [{ graph: 'shop', revisions: [{ revision: 3 }] }] },
    ])
  })

  it('gives whoever follows each record once, while others write', async () => {
    await using shop = await startShop()
    const { client } = shop
    const written: number[] = []
    let isWriting = true
    const writing = (async () => {
      for (let count = 0; count < 30; count += 1) written.push(await publish(client, `field${count}`))
      isWriting = false
    })()
    const seen: number[] = []
    for (let after = 0, isOver = false; !isOver; ) {
      isOver = !isWriting
      const page = await readLog(client, `?after=${after}&limit=3`)
      seen.push(...sequencesOf(page.records))
      after = page.last
      if (page.more) isOver = false
    }
    await writing
    expect(seen).toEqual(Array.from(seen, (_, index) => index + 1))
    expect(seen.slice(-30)).toEqual(written)
  })
})

describe.skipIf(!natsServerAvailable())('the audit log on NATS', () => {
  it('is the same whichever registry is asked, page by page', async () => {
    await using server = await startNatsServer()
    await using storage = await openNatsStorage({
      url: server.url,
      name: 'audit',
      owns: ['registry', 'compositions', 'configs'],
      ownsBlobs: true,
    })
    await using announcer = createMemoryAnnouncer()
    await using _downstream = startDownstream(storage.log, storage.blobs)
    await using one = await startClient({ ...storage, announcer })
    await using two = await startClient({ ...storage, announcer })
    await setUpShop(one)
    await one.post('/v1/namespaces', { name: 'team' })
    for (const field of ['a', 'b', 'c']) await publish(two, field, `for ${field}`)
    const key = await createKey(one, 'team', 'deploy:team')
    const all = await readLog(two)
    await vi.waitFor(async () => {
      const { records } = await readLog(one)
      expect(records.at(-2)?.graphs?.[0]?.revisions).toHaveLength(1)
      expect(await readLog(two)).toMatchObject({ records })
    }, PATIENTLY)
    for (const order of ['oldest', 'newest'] as const) {
      const found = sequencesOf(await walkLog(one, { order, limit: () => 2 }))
      expect(order === 'oldest' ? found : found.toReversed()).toEqual(sequencesOf(all.records))
    }
    expect((await readLog(two, '', key)).records).toMatchObject([{ summary: 'namespace created' }])
  })
})
