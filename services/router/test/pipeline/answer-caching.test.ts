import { createLogger, openPropagation } from '@switchyard/service-kit'
import { Agent, cacheStores, type Dispatcher, interceptors } from 'undici'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ConfigWorld } from '../support/config-world.ts'
import { post, routerOn, send, type TestRouter } from '../support/router.ts'
import { type Shop, startShop } from '../support/shop.ts'

const PUBLIC = 'public, max-age=60, s-maxage=600'
const WHO = '{ who: header(name: "x-user") }'

const stack = new AsyncDisposableStack()
let shop: Shop
let world: ConfigWorld
let router: TestRouter

beforeAll(async () => {
  shop = stack.use(await startShop())
  world = stack.use(await ConfigWorld.create())
  await world.publish({ revision: 1, base: shop.base, flags: { next: shop.flag } })
  router = stack.use(
    await routerOn(world, {
      settings: `
response: { cache_control: "${PUBLIC}" }
headers:
  request: [{ propagate: X-User }, { propagate: cookie }]
  subgraphs: { reviews: { request: [{ propagate: Accept-Language, rename: lang }, { set: x-key, value: a }] } }
tracing: { vendor: Shop }
dev_mode: true
`,
    }),
  )
  await router.ready
})
afterAll(() => stack.disposeAsync())

const get = (query: string, headers: Record<string, string> = {}) =>
  send(`${router.graphqlUrl}?query=${encodeURIComponent(query)}`, {
    headers: { 'apollo-require-preflight': '1', ...headers },
  })
const cachingOf = ({ headers }: Awaited<ReturnType<typeof get>>) => headers['cache-control']

describe('Cache-Control', () => {
  it('is what the settings say for a query without errors', async () => {
    const reply = await get('{ version }')
    expect([reply.status, cachingOf(reply)]).toEqual([200, PUBLIC])
  })

  it.each([
    ['x-user', 'ann'],
    ['cookie', 'session=1'],
    ['accept-language', 'de'],
  ])('keeps the answer out of shared caches when %s reaches a subgraph', async (name, value) => {
    expect(cachingOf(await get('{ version }', { [name]: value }))).toBe('private, max-age=60')
  })

  it.each([
    ['an answer with errors', () => get('{ version fails }')],
    ['an operation that is refused', () => get('{ nothing }')],
    ['a query that cannot be read', () => get('{')],
    ['a mutation', () => post(router, { query: 'mutation { rename(upc: "1", name: "x") { upc } }' })],
    ['a mutation by GET', () => get('mutation { rename(upc: "1", name: "x") { upc } }')],
    ['an answer with a trace', () => get('{ version }', { 'x-shop-trace': 'true' })],
    ['an unacceptable type', () => get('{ version }', { accept: 'text/html' })],
    ['a method that is not taken', () => send(router.graphqlUrl, { method: 'DELETE' })],
    ['a path that there is not', () => send(`${router.url}/nothing`)],
    ['health', () => send(`${router.url}/health/ready`)],
  ])('is no-store for %s', async (_, ask) => {
    expect(cachingOf(await ask())).toBe('no-store')
  })
})

describe('Vary', () => {
  it('names each request header that an answer depends on, once', async () => {
    expect((await get('{ version }')).headers.vary).toBe(
      'Accept, X-Feature-Flag, Cookie, X-User, Accept-Language, X-Shop-Trace, X-Shop-Token, X-Shop-Trace-As',
    )
  })

  it('names what chooses the form and the composition where nothing is stored', async () => {
    await using plain = await routerOn(world, { settings: 'headers: { request: [{ propagate: x-user }] }' })
    await plain.ready
    expect((await post(plain, { query: '{ version }' })).headers.vary).toBe('Accept, X-Feature-Flag, Cookie')
  })
})

describe('a shared cache in front of a router', () => {
  it('answers nobody with what was meant for somebody else', async () => {
    const cache = new Agent().compose(
      interceptors.cache({ store: new cacheStores.MemoryCacheStore(), type: 'shared' }),
    )
    const ask = (query: string, headers: Record<string, string> = {}) => cached(cache, query, headers)
    shop.products.requests.length = 0
    expect(await ask(WHO)).toEqual({ who: null })
    expect(await ask(WHO)).toEqual({ who: null })
    // It is a cache: the second answer is the first one.
    expect(shop.products.requests).toHaveLength(1)
    expect(await ask(WHO, { 'x-user': 'ann' })).toEqual({ who: 'ann' })
    expect(await ask(WHO, { 'x-user': 'bob' })).toEqual({ who: 'bob' })
    expect(await ask(WHO, { 'x-user': 'ann' })).toEqual({ who: 'ann' })
    expect(shop.products.requests).toHaveLength(4)
    expect(await ask(WHO)).toEqual({ who: null })
    expect(await ask('{ version }')).toEqual({ version: 'products' })
    expect(await ask('{ version }', { 'x-feature-flag': 'next' })).toEqual({ version: 'products-next' })
    await cache.close()
  })
})

it.each([
  ['tracecontext', PUBLIC, false],
  ['tracecontext,baggage', 'private, max-age=60', true],
])(
  'an answer to a request with baggage, where OTEL_PROPAGATORS is %s, is %s',
  async (names, caching, varies) => {
    const propagation = await openPropagation({ OTEL_PROPAGATORS: names }, createLogger({ name: 'test' }))
    await using other = await routerOn(world, {
      settings: `response: { cache_control: "${PUBLIC}" }`,
      propagation,
    })
    await other.ready
    const url = `${other.graphqlUrl}?query=${encodeURIComponent('{ version }')}`
    const { headers } = await send(url, { headers: { 'apollo-require-preflight': '1', baggage: 'user=ann' } })
    expect(headers['cache-control']).toBe(caching)
    expect(String(headers.vary).split(', ').includes('baggage')).toBe(varies)
  },
)

it('no answer is kept for others where a pattern says which headers subgraphs see', async () => {
  await using other = await routerOn(world, {
    settings: `
response: { cache_control: "${PUBLIC}" }
headers: { request: [{ propagate_matching: x-tenant-* }] }
`,
  })
  await other.ready
  const url = `${other.graphqlUrl}?query=${encodeURIComponent('{ version }')}`
  const ask = async (own: Record<string, string>) => {
    const { headers } = await send(url, { headers: { 'apollo-require-preflight': '1', ...own } })
    return [headers.vary, headers['cache-control']]
  }
  expect(await ask({})).toEqual(['*', PUBLIC])
  expect(await ask({ 'x-tenant-a': '1' })).toEqual(['*', 'private, max-age=60'])
})

async function cached(dispatcher: Dispatcher, query: string, headers: Record<string, string>) {
  const { origin, pathname } = new URL(router.graphqlUrl)
  const path = `${pathname}?query=${encodeURIComponent(query)}`
  const { body } = await dispatcher.request({ origin, path, method: 'GET', headers: { ...headers } })
  const answer: unknown = await body.json()
  return typeof answer === 'object' && answer !== null && 'data' in answer ? answer.data : answer
}
