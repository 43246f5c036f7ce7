/** Promoting a feature flag over the management API, and the stages of flags. */
import { createHash } from 'node:crypto'
import { FeatureFlagDetail, FeatureFlagList, NamespaceSnapshot } from '@switchyard/contracts'
import { describe, expect, it, vi } from 'vitest'
import {
  beat,
  BOOTSTRAP_KEY,
  openStorage,
  outcome,
  problemOf,
  refusal,
  SDL,
  startClient,
  startShop,
} from './harness.ts'
import { gone, HOUR_MS, OFTEN } from './sweep/support.ts'

const FLAG = { name: 'new', featureSubgraphs: ['orders-next'], enabled: true }
const PROMOTE = '/v1/feature-flags/default/new/promote'
const NEXT = `${SDL} # next`
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

type Shop = Awaited<ReturnType<typeof startShop>>

async function startFlagged(more: Parameters<typeof startShop>[0] = {}): Promise<Shop> {
  const shop = await startShop(more)
  await shop.client.post('/v1/feature-flags/default', FLAG)
  return shop
}
const snapshot = async ({ client }: Shop) =>
  NamespaceSnapshot.parse((await client.get('/v1/namespaces/default/snapshot')).body)
const flagOf = async ({ client }: Shop) =>
  FeatureFlagDetail.parse((await client.get('/v1/feature-flags/default/new')).body)
const schemaOf = async (shop: Shop, name: string) =>
  (await snapshot(shop)).subgraphs.find((subgraph) => subgraph.name === name)?.schema?.sha256

describe('promoting a feature flag', () => {
  it('publishes its schemas as those of the subgraphs that it replaces, in one record', async () => {
    await using shop = await startFlagged()
    const done = outcome(await shop.client.post(PROMOTE, { reason: 'week three' }))
    expect(done).toMatchObject({ changed: true, affectedGraphs: ['shop'], pending: false })
    expect(done.message).toContain('Feature flag "new" was launched')
    expect(await schemaOf(shop, 'orders')).toBe(sha256(NEXT))
    expect(await flagOf(shop)).toMatchObject({
      enabled: true,
      stage: 'launched',
      launched: {
        sequence: done.sequence,
        promoted: [{ subgraph: 'orders', before: { schema: sha256(SDL) }, after: { schema: sha256(NEXT) } }],
      },
    })
    const again = outcome(await shop.client.post(PROMOTE, {}))
    expect(again).toMatchObject({ changed: false, namedGraphs: ['shop'] })
  })

  it('is told in the audit log with all that an undo needs', async () => {
    await using shop = await startFlagged()
    await shop.client.post(PROMOTE, { reason: 'week three' })
    expect((await shop.client.get('/v1/log?order=newest&limit=1')).body).toMatchObject({
      records: [
        {
          reason: 'week three',
          summary: 'feature flag "new" launched, schema of "orders" published',
          events: [
            { type: 'feature-flag.launched', promoted: [{ before: { schema: sha256(SDL) } }] },
            { type: 'subgraph.schema-published' },
          ],
        },
      ],
    })
  })

  it('is refused if what it was judged on was changed since', async () => {
    await using shop = await startFlagged()
    const { sequence: expectedSequence } = await snapshot(shop)
    await shop.client.put('/v1/subgraphs/default/orders-next/schema', { sdl: `${NEXT}!` })
    const reply = await shop.client.post(PROMOTE, { expectedSequence })
    expect(refusal(reply)).toEqual([409, 'STATE_CHANGED'])
    expect(problemOf(reply).problems).toEqual([
      'Something of federated graph "shop" was changed.',
      '"orders-next" was changed.',
    ])
    expect(await schemaOf(shop, 'orders')).toBe(sha256(SDL))
    const judgedAnew = { expectedSequence: (await snapshot(shop)).sequence }
    expect(outcome(await shop.client.post(PROMOTE, judgedAnew)).changed).toBe(true)
  })

  it('is refused if a feature subgraph was changed that is in no graph so far', async () => {
    await using shop = await startFlagged()
    const { client } = shop
    await client.patch('/v1/feature-flags/default/new', { labels: ['team=none'] })
    const { sequence: expectedSequence } = await snapshot(shop)
    await client.put('/v1/subgraphs/default/orders-next/schema', { sdl: `${NEXT}!` })
    const reply = await client.post(PROMOTE, { expectedSequence })
    expect(problemOf(reply)).toMatchObject({
      code: 'STATE_CHANGED',
      problems: ['"orders-next" was changed.'],
    })
  })

  it('is not hindered by what has nothing to do with it', async () => {
    await using shop = await startFlagged()
    const { sequence: expectedSequence } = await snapshot(shop)
    await shop.client.post('/v1/subgraphs/default', {
      name: 'far',
      routingUrl: 'http://far/',
      labels: ['a=b'],
    })
    expect(outcome(await shop.client.post(PROMOTE, { expectedSequence })).changed).toBe(true)
  })

  it('needs the scope to deploy, as does the undo', async () => {
    await using shop = await startFlagged()
    const { body } = await shop.client.post('/v1/api-keys', { name: 'ci', scopes: ['publish:default'] })
    const headers = { authorization: `Bearer ${(body as { key: string }).key}` }
    expect(refusal(await shop.client.post(PROMOTE, {}, headers))).toEqual([403, 'FORBIDDEN'])
    expect(refusal(await shop.client.delete(PROMOTE, headers))).toEqual([403, 'FORBIDDEN'])
  })
})

describe('undoing a promotion', () => {
  it('publishes again what was there, and leaves nothing of the promotion', async () => {
    await using shop = await startFlagged()
    const before = await snapshot(shop)
    await shop.client.post(PROMOTE, {})
    const done = outcome(await shop.client.delete(PROMOTE))
    expect(done).toMatchObject({ changed: true, affectedGraphs: ['shop'] })
    expect(await snapshot(shop)).toEqual({ ...before, sequence: done.sequence })
    expect((await shop.client.get('/v1/subgraphs/default/orders/schema')).body).toMatchObject({ sdl: SDL })
    expect(outcome(await shop.client.delete(PROMOTE)).changed).toBe(false)
  })

  it('can be judged before: the schema that it would publish is to be had, and no other', async () => {
    await using shop = await startFlagged()
    const path = (hash: string) => `/v1/subgraphs/default/orders/schema?sha256=${hash}`
    expect(refusal(await shop.client.get(path(sha256(NEXT))))).toEqual([404, 'NOT_FOUND'])
    await shop.client.post(PROMOTE, {})
    expect((await shop.client.get(path(sha256(SDL)))).body).toMatchObject({ sdl: SDL, sha256: sha256(SDL) })
    expect((await shop.client.get(path(sha256(NEXT)))).body).toMatchObject({ sdl: NEXT })
    expect(refusal(await shop.client.get(path(sha256('other'))))).toEqual([404, 'NOT_FOUND'])
  })

  it('finds the former schema after sweeps that remove what no record names', async () => {
    const monthsLater = { ...OFTEN, now: () => Date.now() + 60 * 24 * HOUR_MS }
    await using shop = await startFlagged(monthsLater)
    await shop.client.post(PROMOTE, {})
    await shop.storage.blobs.put(Buffer.from('an orphan'))
    await gone(shop.storage.blobs, 'an orphan')
    expect(outcome(await shop.client.delete(PROMOTE)).changed).toBe(true)
    expect((await shop.client.get('/v1/subgraphs/default/orders/schema')).body).toMatchObject({ sdl: SDL })
  })

  it('is possible after an export and an import', async () => {
    await using shop = await startFlagged()
    await shop.client.post(PROMOTE, {})
    const headers = { authorization: `Bearer ${BOOTSTRAP_KEY}` }
    const exported = await fetch(`${shop.client.registry.url}/v1/export`, { headers })
    await using storage = await openStorage()
    await using client = await startClient(storage)
    const imported = await client.request('POST', '/v1/import', {
      body: await exported.text(),
      headers: { 'content-type': 'application/x-ndjson' },
    })
    expect(imported.status).toBe(200)
    expect(outcome(await client.delete(`${PROMOTE}?wait=0`)).changed).toBe(true)
    expect((await client.get('/v1/subgraphs/default/orders/schema')).body).toMatchObject({ sdl: SDL })
  })

  it('is refused with the list of what others changed since', async () => {
    await using shop = await startFlagged()
    await shop.client.post(PROMOTE, {})
    await shop.client.put('/v1/subgraphs/default/orders/schema', { sdl: `${SDL} # fixed` })
    const reply = await shop.client.delete(PROMOTE)
    expect(problemOf(reply)).toMatchObject({
      status: 409,
      code: 'UNDO_NOT_POSSIBLE',
      problems: ['Subgraph "orders" has another schema than the promotion gave it.'],
    })
  })
})

describe('the stage of a flag', () => {
  const stage = async (shop: Shop) => (await flagOf(shop)).stage

  it('says whether nobody has it yet, a part, all who are meant, or nobody any more', async () => {
    let now = Date.now()
    await using shop = await startFlagged({ now: () => now })
    const { client } = shop
    const { listeningSince } = (await flagOf(shop)).use ?? {}
    expect(await flagOf(shop)).toMatchObject({ stage: 'new', use: { lastAskedFor: null } })
    now += 25 * 60 * 60 * 1000
    expect(await stage(shop)).toBe('unused')
    const rollout = { name: 'r', graph: 'shop', flag: 'new', percent: 5, key: ['claim:sub'] }
    await client.post('/v1/rollouts/default', rollout)
    expect(await stage(shop)).toBe('ramping')
    await client.post('/v1/rollouts/default/r/complete', {})
    expect(await stage(shop)).toBe('live')
    await client.patch('/v1/rollouts/default/r', { expires: new Date(now - 1).toISOString() })
    expect(await stage(shop)).toBe('unused')
    await client.post('/v1/feature-flags/default/new/disable', {})
    expect(await flagOf(shop)).toMatchObject({ stage: 'disabled', use: { listeningSince } })
  })

  it('is live when a router says that clients name it, and the last time is remembered', async () => {
    let now = Date.now()
    const lastAskedFor = new Date(now).toISOString()
    await using shop = await startFlagged({ now: () => now })
    beat(shop.storage.announcer, { flagsInUse: ['new'] })
    await vi.waitFor(async () => expect(await stage(shop)).toBe('live'))
    beat(shop.storage.announcer, { flagsInUse: [] })
    now += 16 * 60 * 1000
    expect(await stage(shop)).toBe('new')
    const { body } = await shop.client.get('/v1/feature-flags/default')
    expect(FeatureFlagList.parse(body).featureFlags).toMatchObject([{ use: { lastAskedFor } }])
  })

  it('is identical where the flag replaces a subgraph by itself', async () => {
    await using shop = await startFlagged()
    await shop.client.put('/v1/subgraphs/default/orders-next/schema', { sdl: SDL })
    expect(await stage(shop)).toBe('identical')
  })
})
