import { CreatedApiKey, FeatureFlagList, PreviewList, PreviewView } from '@switchyard/contracts'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  type Client,
  outcome,
  problemOf,
  refusal,
  SDL,
  type Shop,
  startClient,
  startShop,
} from '../harness.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const URL_OF_PR = 'https://pr-481.previews.internal/graphql'
const PREVIEWS = '/v1/previews/default'

let shop: Shop
let client: Client
/** The time of the registries. */
let now = Date.parse('2026-11-29T08:00:00.000Z')

beforeEach(async () => {
  now = Date.parse('2026-11-29T08:00:00.000Z')
  shop = await startShop({ now: () => now, previewExpiryIntervalMs: 20 })
  client = shop.client
})
afterEach(async () => {
  await shop[Symbol.asyncDispose]()
})

const allow = (...previewHosts: string[]) => client.patch('/v1/namespaces/default?wait=0', { previewHosts })
const subgraph = (more: object = {}) => ({
  subgraph: 'orders',
  routingUrl: URL_OF_PR,
  sdl: `${SDL} # preview`,
  ...more,
})
const create = (more: object = {}, headers = {}) =>
  client.post(PREVIEWS, { name: 'pr-481', subgraphs: [subgraph()], ...more }, headers)
const list = async () => PreviewList.parse((await client.get(PREVIEWS)).body).previews
const get = async (name = 'pr-481') => PreviewView.parse((await client.get(`${PREVIEWS}/${name}`)).body)

describe('a preview', () => {
  beforeEach(async () => {
    await allow('*.previews.internal')
  })

  it('is one command: its subgraph with its schema, for three days, under a name that nobody guesses', async () => {
    const reply = await create()
    expect(reply.status).toBe(201)
    const told = outcome(reply)
    const { flag, ...preview } = await get()
    expect(flag).toMatch(/^pr-481-[0-9a-f]{16}$/)
    expect(told).toMatchObject({ changed: true, affectedGraphs: ['shop'], pending: false })
    expect(told.message).toContain(`"${flag}"`)
    expect(told.compositions.map(({ featureFlag, status }) => [featureFlag, status])).toEqual([
      [null, 'unchanged'],
      [flag, 'composed'],
    ])
    expect(preview).toMatchObject({
      name: 'pr-481',
      expires: new Date(now + 3 * DAY_MS).toISOString(),
      subgraphs: [{ base: 'orders', routingUrl: URL_OF_PR }],
      graphs: [{ graph: 'shop', state: 'served' }],
    })
  })

  it('is no feature flag and no feature subgraph', async () => {
    await create()
    const flags = FeatureFlagList.parse((await client.get('/v1/feature-flags/default')).body)
    expect(flags.featureFlags).toEqual([])
    expect(JSON.stringify((await client.get('/v1/subgraphs/default')).body)).not.toContain('pr-481')
  })

  it('gets another name each time, and the same answer when a request is repeated', async () => {
    const first = await create({}, { 'idempotency-key': 'ci-1' })
    now += 60_000
    const again = await create({}, { 'idempotency-key': 'ci-1' })
    expect(outcome(again)).toMatchObject({ changed: true, sequence: outcome(first).sequence })
    const before = await get()
    await client.delete(`${PREVIEWS}/pr-481`)
    await create()
    expect((await get()).flag).not.toBe(before.flag)
  })

  it('is refused under a name that is taken, or updated if that was asked for, and keeps its name', async () => {
    await create()
    const before = await get()
    expect(refusal(await create())).toEqual([409, 'ALREADY_EXISTS'])
    now += DAY_MS
    const next = subgraph({ sdl: `${SDL} # second push` })
    expect(outcome(await create({ subgraphs: [next], orUpdate: true })).changed).toBe(true)
    const after = await get()
    expect(after.flag).toBe(before.flag)
    expect(after.subgraphs[0]?.schema).not.toBe(before.subgraphs[0]?.schema)
    expect(after.expires).toBe(new Date(now + 3 * DAY_MS).toISOString())
  })

  it('takes further subgraphs, and lets some go', async () => {
    await client.put('/v1/subgraphs/default/stock/schema', {
      sdl: 'type Query { stock: Int }',
      routingUrl: 'http://stock.internal',
    })
    await create()
    const stock = { subgraph: 'stock', routingUrl: URL_OF_PR, sdl: 'type Query { stock: Float }' }
    await client.patch(`${PREVIEWS}/pr-481`, { subgraphs: [stock] })
    expect((await get()).subgraphs.map(({ base }) => base)).toEqual(['orders', 'stock'])
    await client.patch(`${PREVIEWS}/pr-481`, { without: ['orders'] })
    expect((await get()).subgraphs.map(({ base }) => base)).toEqual(['stock'])
    expect(problemOf(await client.patch(`${PREVIEWS}/pr-481`, { without: ['stock'] })).detail).toContain(
      'delete it instead',
    )
  })

  it('lives for fourteen days at most, and a graph has twenty of them at most', async () => {
    expect(refusal(await create({ ttlSeconds: 14 * 24 * 3600 + 1 }))).toEqual([400, 'INVALID_REQUEST'])
    for (let index = 0; index < 20; index += 1)
      expect(
        (await client.post(`${PREVIEWS}?wait=0`, { name: `p-${index}`, subgraphs: [subgraph()] })).status,
      ).toBe(201)
    const refused = problemOf(await create())
    expect(refused).toMatchObject({ code: 'PREVIEW_INVALID', status: 422 })
    expect(refused.problems).toEqual([
      'Federated graph "shop" has 20 previews, and 20 is the limit. Delete those that nobody looks at any more.',
    ])
  })

  it('says all that is wrong with it', async () => {
    const subgraphs = [
      subgraph({ subgraph: 'order' }),
      subgraph({ subgraph: 'orders-next', routingUrl: 'https://evil.example/' }),
    ]
    expect(problemOf(await create({ subgraphs })).problems).toEqual([
      'The routing URL https://evil.example/ for "orders-next" is at none of the hosts that namespace "default" allows for previews: *.previews.internal.',
      'There is no subgraph "order" in namespace "default". Did you mean "orders"?',
      '"orders-next" is a feature subgraph. Name the subgraph that it replaces: "orders".',
    ])
    expect(refusal(await create({ subgraphs: [subgraph({ sdl: 'type Query {' })] }))).toEqual([
      422,
      'SCHEMA_INVALID',
    ])
  })

  it('makes no publish wait or fail, and no publish makes it anything but newer', async () => {
    await create()
    const { flag } = await get()
    shop.downstream.failing.add(flag)
    const told = outcome(await client.put('/v1/subgraphs/default/orders/schema', { sdl: `${SDL} # newer` }))
    expect(told.compositions.map(({ featureFlag }) => featureFlag)).toEqual([null])
    expect(told.pending).toBe(false)
  })

  it('needs no more than the scope of previews, which is of no other use', async () => {
    const created = await client.post('/v1/api-keys', { name: 'ci', scopes: ['preview:default'] })
    const authorization = `Bearer ${CreatedApiKey.parse(created.body).key}`
    expect((await create({}, { authorization })).status).toBe(201)
    const hosts = await client.patch(
      '/v1/namespaces/default',
      { previewHosts: ['*.evil.example'] },
      { authorization },
    )
    expect(refusal(hosts)).toEqual([403, 'FORBIDDEN'])
    const published = await client.put('/v1/subgraphs/default/orders/schema', { sdl: SDL }, { authorization })
    expect(refusal(published)).toEqual([403, 'FORBIDDEN'])
    const rights = await fetch(`${client.registry.url}${PREVIEWS}`)
    expect(rights.status).toBe(401)
  })

  it('ends by itself, in one record of all registries, and its name is free', async () => {
    await using second = await startClient(shop.storage, { now: () => now, previewExpiryIntervalMs: 20 })
    await create({ ttlSeconds: 3600 })
    const { flag } = await get()
    now += 3600_000
    await vi.waitFor(async () => expect(await list()).toEqual([]), { timeout: 10_000 })
    const other = await second.get(PREVIEWS)
    expect(PreviewList.parse(other.body).previews).toEqual([])
    const { body } = await client.get('/v1/log?order=newest&limit=5')
    const ended = (body as { records: { summary: string; actor: string }[] }).records.filter(
      ({ summary }) => summary === 'preview "pr-481" ended',
    )
    expect(ended.map(({ actor }) => actor)).toEqual(['system'])
    expect((await create()).status).toBe(201)
    expect((await get()).flag).not.toBe(flag)
  })

  it('ends nowhere before its time, also if it was made to live longer', async () => {
    await create({ ttlSeconds: 60 })
    now += 59_000
    await client.patch(`${PREVIEWS}/pr-481`, { ttlSeconds: 60 })
    now += 59_000
    // Several rounds of the expiry pass.
    const looks = vi.fn(list)
    await vi.waitFor(async () => {
      expect(await looks()).toHaveLength(1)
      expect(looks.mock.calls.length).toBeGreaterThan(5)
    })
    now += 1000
    await vi.waitFor(async () => expect(await list()).toEqual([]), { timeout: 10_000 })
  })

  it('cannot be kept alive by somebody who uses up the id of its end', async () => {
    await create({ ttlSeconds: 60 })
    const { flag, expires } = await get()
    for (const id of [`expire-preview ${flag} ${expires}`, `expire-preview%20${flag}`]) {
      const key = await create({ orUpdate: true }, { 'idempotency-key': id })
      if (id.includes(' ')) expect(refusal(key)).toEqual([400, 'INVALID_REQUEST'])
    }
  })
})

describe('the hosts of previews', () => {
  it('are none at first, and the refusal says how to allow some', async () => {
    expect(problemOf(await create()).detail).toBe(
      'Preview "pr-481" was not created, and nothing was changed. Namespace "default" allows no host for previews. ' +
        "Whoever may deploy there allows some: switchyard namespace update default --preview-hosts '*.previews.internal'",
    )
  })

  it.each([
    'https://evil.example/graphql',
    'https://previews.internal/graphql',
    'https://evilpreviews.internal/',
    'https://pr.previews.internal.evil.example/',
    'https://pr.previews.internal./',
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://localhost/',
  ])('refuse %s', async (routingUrl) => {
    await allow('*.previews.internal')
    expect(refusal(await create({ subgraphs: [subgraph({ routingUrl })] }))).toEqual([422, 'PREVIEW_INVALID'])
  })

  it.each([
    'https://pr.previews.internal@evil.example/',
    'https://evil.example#.previews.internal/',
    'https://evil.example\\.previews.internal/',
    'ftp://pr.previews.internal/',
    'https://0x7f000001/',
    'https:///pr.previews.internal/',
  ])('do not even read %s', async (routingUrl) => {
    await allow('*.previews.internal')
    expect(refusal(await create({ subgraphs: [subgraph({ routingUrl })] }))).toEqual([400, 'INVALID_REQUEST'])
  })

  it.each([
    '*',
    '*.internal',
    '*.*.internal',
    '10.0.0.1',
    '*.0.0.1',
    '[::1]',
    'a.0x7f',
    'Host',
    'a:80',
    'a.',
    '',
  ])('are never %s', async (host) => {
    expect(refusal(await allow(host))).toEqual([400, 'INVALID_REQUEST'])
  })

  it('are a host, or all below one, at any depth and port', async () => {
    await allow('previews', '*.previews.internal')
    for (const [at, host] of ['previews:4001', 'a.b.previews.internal', 'PR.previews.internal'].entries()) {
      const subgraphs = [subgraph({ routingUrl: `http://${host}/graphql` })]
      expect((await create({ name: `p-${at}`, subgraphs })).status, host).toBe(201)
    }
  })

  it('end the previews that are elsewhere when they are changed', async () => {
    await allow('*.previews.internal', 'kept.internal')
    await create()
    await create({ name: 'kept', subgraphs: [subgraph({ routingUrl: 'http://kept.internal/' })] })
    expect(outcome(await allow('kept.internal')).message).toContain('Preview "pr-481" was deleted.')
    expect((await list()).map(({ name }) => name)).toEqual(['kept'])
  })
})
