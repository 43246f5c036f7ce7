/** Header rules for requests that the composition of a feature flag answers, over HTTP. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadRouterConfig, RouterConfigError } from '../../../src/config/router-config.ts'
import { ConfigWorld } from '../../support/config-world.ts'
import { post, routerOn, send, type TestRouter, until } from '../../support/router.ts'
import { type Shop, startShop } from '../../support/shop.ts'

const SETTINGS = `
headers:
  request: [{ set: x-tier, value: general }, { propagate: x-user }]
  response: [{ set: x-served, value: base }, { set: x-only, value: all }]
  subgraphs: { products-next: { request: [{ set: x-tier, value: subgraph }] } }
  flags:
    next:
      request: [{ set: x-tier, value: flag }, { remove: x-user }, { propagate: x-beta }]
      response: [{ set: x-served, value: next }, { remove: x-only }]
`
const NEXT = { 'x-feature-flag': 'next' }
const SENT = '{ tier: header(name: "x-tier") user: header(name: "x-user") beta: header(name: "x-beta") }'
const FROM_CLIENT = { 'x-user': 'ann', 'x-beta': 'yes' }

const stack = new AsyncDisposableStack()
let shop: Shop
let world: ConfigWorld
let router: TestRouter
beforeAll(async () => {
  shop = stack.use(await startShop())
  world = stack.use(await ConfigWorld.create())
  // Both flags have the same composition, and share all that is built of it.
  await world.publish({ revision: 1, base: shop.base, flags: { next: shop.flag, other: shop.flag } })
  router = stack.use(await routerOn(world, { settings: SETTINGS }))
  await router.ready
})
afterAll(() => stack.disposeAsync())

describe('rules of a flag', () => {
  it('come after all others, for requests that its composition answers', async () => {
    const { json, headers } = await post(router, { query: SENT }, { ...NEXT, ...FROM_CLIENT })
    expect(json.data).toEqual({ tier: 'flag', user: null, beta: 'yes' })
    expect([headers['x-served'], headers['x-only']]).toEqual(['next', undefined])
  })

  it('hold by the cookie as well', async () => {
    const { json, headers } = await post(router, { query: SENT }, { cookie: 'feature_flag=next' })
    expect([json.data?.['tier'], headers['x-served']]).toEqual(['flag', 'next'])
  })

  it('hold for nobody else: not for base, nor for a flag of the same composition', async () => {
    const base = await post(router, { query: SENT }, FROM_CLIENT)
    expect(base.json.data).toEqual({ tier: 'general', user: 'ann', beta: null })
    expect([base.headers['x-served'], base.headers['x-only']]).toEqual(['base', 'all'])
    const other = await post(router, { query: SENT }, { 'x-feature-flag': 'other', ...FROM_CLIENT })
    expect(other.json.data).toEqual({ tier: 'subgraph', user: 'ann', beta: null })
    expect(other.headers['x-served']).toBe('base')
  })

  it('hold for refusals as well, where they set a header', async () => {
    const { headers } = await post(router, { query: '{ nothing }' }, NEXT)
    expect(headers['x-served']).toBe('next')
  })

  it('keep requests apart that are sent at the same time', async () => {
    const query = `{ slow(milliseconds: 200) ${SENT.slice(1)}`
    const asked = ['next', 'other', 'next', 'other'].map((flag, index) =>
      post(router, { query }, { 'x-feature-flag': flag, 'x-beta': String(index % 4 < 2) }),
    )
    const tiers = (await Promise.all(asked)).map(({ json }) => json.data?.['tier'])
    expect(tiers).toEqual(['flag', 'subgraph', 'flag', 'subgraph'])
    const betas = await Promise.all(
      ['a', 'b'].map((beta) => post(router, { query }, { ...NEXT, 'x-beta': beta })),
    )
    expect(betas.map(({ json }) => json.data?.['beta'])).toEqual(['a', 'b'])
    await until(() => router.activeRequests() === 0, 'all are answered')
  })

  it('count for what caches may keep', async () => {
    await using caching = await routerOn(world, {
      settings: `response: { cache_control: "public, max-age=60" }\n${SETTINGS}`,
    })
    await caching.ready
    const ask = (headers: Record<string, string>) =>
      send(`${caching.graphqlUrl}?query=${encodeURIComponent('{ version }')}`, {
        headers: { 'apollo-require-preflight': '1', ...headers },
      })
    const { headers } = await ask({})
    expect(headers.vary).toContain('x-beta')
    expect((await ask({ 'x-beta': '1' })).headers['cache-control']).toBe('private, max-age=60')
  })
})

describe('settings', () => {
  const load = (rules: string) =>
    loadRouterConfig({ file: { path: 'router.yaml', text: `headers: { flags: { next: ${rules} } }` } })

  it.each([
    [
      '{ request: [{ propagate: X-VENDOR-Token }] }',
      'headers.flags.next.request.0": the header X-VENDOR-Token is never',
    ],
    ['{ request: [{ set: x, from_claim: sub }] }', 'headers.flags.next.request.0": no tokens are accepted'],
    [
      '{ response: [{ set: a, value: b }, { set: A, value: c }] }',
      'headers.flags.next.response.1": another rule gives',
    ],
    [
      '{ response: [{ set: x-request-id, value: b }] }',
      'headers.flags.next.response.0": the header x-request-id',
    ],
    ['{ requests: [] }', 'did you mean "headers.flags.next.request"'],
  ])('refuse %s', (rules, message) => {
    const loading = () => load(rules)
    expect(loading).toThrow(RouterConfigError)
    expect(loading).toThrow(message)
  })
})
