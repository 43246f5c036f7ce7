import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadRouterConfig } from '../../src/config/router-config.ts'
import { ConfigWorld } from '../support/config-world.ts'
import { post, routerOn, send, type TestRouter, until } from '../support/router.ts'
import { type Shop, startShop } from '../support/shop.ts'

const stack = new AsyncDisposableStack()
let shop: Shop
let world: ConfigWorld
let router: TestRouter

beforeAll(async () => {
  shop = stack.use(await startShop())
  world = stack.use(await ConfigWorld.create())
  await world.publish({ revision: 1, base: shop.base })
  router = await routerWith('')
})
afterAll(() => stack.disposeAsync())

async function routerWith(settings: string): Promise<TestRouter> {
  const started = stack.use(await routerOn(world, { settings }))
  await started.ready
  return started
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const SENT = '{ id: header(name: "x-request-id") other: reviewHeader(name: "x-request-id") }'

/** What client, subgraphs and log have as the id of one request. */
async function idsOf(of: TestRouter, headers: Record<string, string | string[]> = {}) {
  of.logs.length = 0
  const reply = await post(of, { query: SENT }, headers)
  const line = await until(() => of.logs.find(({ event }) => event === 'request.answered'), 'the log line')
  return {
    echoed: reply.headers['x-request-id'],
    sent: [reply.json.data?.['id'], reply.json.data?.['other']],
    logged: line['request_id'],
  }
}

describe('the id of a request', () => {
  it.each(['r-1', '01J9ZC5WQ2/edge.7', 'x'.repeat(128), 'Root=1-67891233-abcdef012345678912345678'])(
    'is the one that the client sent: %s',
    async (id) => {
      expect(await idsOf(router, { 'x-request-id': id })).toEqual({ echoed: id, sent: [id, id], logged: id })
    },
  )

  it.each([
    ['none', {}],
    ['an empty one', { 'x-request-id': '' }],
    ['one that is too long', { 'x-request-id': 'x'.repeat(129) }],
    ['one with white space', { 'x-request-id': 'a b' }],
    ['one with quotes', { 'x-request-id': '"}{"event":"forged' }],
    ['one with other letters', { 'x-request-id': 'caf\u00e9' }],
    ['several', { 'x-request-id': ['a', 'b'] }],
  ])('is made for a client that sends %s', async (_, headers: Record<string, string | string[]>) => {
    const { echoed, sent, logged } = await idsOf(router, headers)
    expect(echoed).toMatch(UUID)
    expect({ sent, logged }).toEqual({ sent: [echoed, echoed], logged: echoed })
    expect((await idsOf(router, headers)).echoed).not.toBe(echoed)
  })

  it('is with answers that refuse a request, and with those in parts', async () => {
    const refused = await send(router.graphqlUrl, { method: 'PUT', headers: { 'x-request-id': 'r-2' } })
    expect([refused.status, refused.headers['x-request-id']]).toEqual([405, 'r-2'])
    const deferring = await routerWith('engine: { enable_defer: true }')
    const parts = await post(
      deferring,
      { query: '{ topProducts { name ... @defer { reviews { body } } } }' },
      { accept: 'multipart/mixed', 'x-request-id': 'r-3' },
    )
    expect(parts.headers['content-type']).toMatch(/^multipart\/mixed/)
    expect(parts.headers['x-request-id']).toBe('r-3')
    const asked = shop.reviews.requests.at(-1)
    expect(asked?.headers['x-request-id']).toBe('r-3')
  })

  it('is with what is logged of a subgraph that failed', async () => {
    router.logs.length = 0
    await post(router, { query: '{ fails }' }, { 'x-request-id': 'r-4' })
    const line = router.logs.find(({ event }) => event === 'request.answered')
    expect(line).toMatchObject({ request_id: 'r-4', span_id: expect.stringMatching(/^[0-9a-f]{16}$/) })
  })

  it('is made by the router alone if clients are not trusted', async () => {
    const strict = await routerWith('request_id: { trust_clients: false }')
    expect((await idsOf(strict, { 'x-request-id': 'r-5' })).echoed).toMatch(UUID)
  })

  it('is in the header that the settings name', async () => {
    const renamed = await routerWith('request_id: { header: X-Correlation-Id }')
    const reply = await post(
      renamed,
      { query: '{ id: header(name: "x-correlation-id") old: header(name: "x-request-id") }' },
      { 'x-correlation-id': 'r-6', 'x-request-id': 'r-7' },
    )
    expect(reply.headers['x-correlation-id']).toBe('r-6')
    expect(reply.headers['x-request-id']).toBeUndefined()
    expect(reply.json.data).toEqual({ id: 'r-6', old: null })
  })

  it('is what a rule says for a subgraph, and only checked ids are propagated', async () => {
    const ruled = await routerWith(`
headers:
  request: [{ propagate: x-request-id }]
  subgraphs: { reviews: { request: [{ set: x-request-id, value: fixed }] } }
`)
    const { echoed, sent } = await idsOf(ruled, { 'x-request-id': 'a b' })
    expect(echoed).toMatch(UUID)
    expect(sent).toEqual([echoed, 'fixed'])
  })

  it('may be read and sent by pages of allowed origins', async () => {
    const open = await routerWith('cors: { origins: ["https://shop.example"] }')
    const origin = { origin: 'https://shop.example' }
    const reply = await post(open, { query: '{ __typename }' }, origin)
    expect(reply.headers['access-control-expose-headers']).toContain('X-Request-Id')
    const preflight = await send(open.graphqlUrl, { method: 'OPTIONS', headers: origin })
    expect(preflight.headers['access-control-allow-headers']).toContain('X-Request-Id')
  })
})

describe('the setting request_id.header', () => {
  const load = (header: string) =>
    loadRouterConfig({ file: { path: 'router.yaml', text: `request_id: { header: ${header} }` } })

  it.each([
    'authorization',
    'cookie',
    'content-id',
    'X-Feature-Flag',
    'x-forwarded-for',
    'X-VENDOR-Trace',
    'te',
    'x y',
  ])('does not take %s, which means something else', (header) => {
    expect(() => load(header)).toThrow(/request_id\.header/)
  })

  it.each(['x-request-id', 'Request-Id', 'x-correlation-id', 'X-Amzn-Trace-Id'])('takes %s', (header) => {
    expect(load(header).requestId.header).toBe(header)
  })
})
