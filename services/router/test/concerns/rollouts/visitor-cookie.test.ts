/** The cookie that the router assigns: who gets one, what it decides, and who never sees it. */
import { createSecretKey } from 'node:crypto'
import type { ManifestRollout } from '@switchyard/contracts'
import { bucketOf } from '@switchyard/rollouts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { VisitorCookies, withoutVisitor } from '../../../src/concerns/rollouts/visitor-cookie.ts'
import { ConfigWorld } from '../../support/config-world.ts'
import { rollout } from '../../support/rollouts.ts'
import { post, type Reply, routerOn, send, type TestRouter, until } from '../../support/router.ts'
import { type Shop, startShop } from '../../support/shop.ts'
import { traceIn } from '../../tracing/recorder/traced.ts'

const KEY = 'k'.repeat(32)
const QUERY = { query: '{ version }' }
const BY_VISITOR = rollout({ key: ['visitor_cookie'] })
const LOCAL = /^switchyard_visitor=([\w-]{22})\.[\w-]{22}; Max-Age=15552000; Path=\/; HttpOnly; SameSite=Lax$/
const PUBLIC = { 'x-forwarded-for': '192.0.2.7' }

const stack = new AsyncDisposableStack()
let shop: Shop
let router: TestRouter
beforeAll(async () => {
  shop = stack.use(await startShop())
  router = await serving([BY_VISITOR], 'headers: { request: [{ propagate: cookie }] }')
})
afterAll(() => stack.disposeAsync())

async function serving(
  rollouts: readonly ManifestRollout[],
  settings = '',
  own = `rollouts: { visitor_cookie: true, visitor_cookie_key: ${KEY} }`,
): Promise<TestRouter> {
  const world = stack.use(await ConfigWorld.create())
  await world.publish({ revision: 1, base: shop.base, flags: { next: shop.flag }, rollouts })
  const options = { settings: `${own}\n${settings}`, source: { trusted: true } }
  const made = stack.use(await routerOn(world, options))
  await made.ready
  return made
}

const cookiesOf = ({ headers }: Reply) => headers['set-cookie'] ?? []
const idOf = (reply: Reply) => LOCAL.exec(cookiesOf(reply)[0] ?? '')?.[1] ?? ''
const sentBack = (reply: Reply) => ({ cookie: cookiesOf(reply)[0]?.split(';', 1)[0] ?? '' })
const isNext = ({ json }: Reply) => json.data?.['version'] === 'products-next'
const get = (headers: Record<string, string>, from = router) =>
  send(`${from.graphqlUrl}?query=${encodeURIComponent(QUERY.query)}`, { headers })
const PREFLIGHT = { 'apollo-require-preflight': '1' }

describe('a visitor', () => {
  it('gets a cookie with the first answer, which it decided already, and keeps its side', async () => {
    for (let count = 0; count < 20; count++) {
      const first = await post(router, QUERY)
      expect(cookiesOf(first)).toEqual([expect.stringMatching(LOCAL)])
      expect(isNext(first)).toBe(bucketOf('salt', idOf(first)) < 5000)
      const cookie = { cookie: `a=b; ${sentBack(first).cookie}` }
      const later = await Promise.all([post(router, QUERY, cookie), get({ ...PREFLIGHT, ...cookie })])
      expect(later.map(isNext)).toEqual([isNext(first), isNext(first)])
      expect(later.flatMap(cookiesOf)).toEqual([])
    }
  })

  it('shares no cookie with those whose execution its request joined', async () => {
    const replies = await Promise.all(Array.from({ length: 60 }, () => post(router, QUERY)))
    expect(new Set(replies.map(idOf)).size).toBe(replies.length)
    expect(replies.map(isNext)).toEqual(replies.map((reply) => bucketOf('salt', idOf(reply)) < 5000))
    await until(() => router.logs.some(({ joined }) => joined === true), 'some were joined')
  })

  it.each([
    ['a wrong signature', `switchyard_visitor=${'A'.repeat(22)}.${'A'.repeat(22)}`],
    ['a cookie of another form', 'switchyard_visitor=ann'],
    ['one for other hosts', `__Host-switchyard_visitor=${'A'.repeat(22)}.${'A'.repeat(22)}`],
  ])('with %s gets another one', async (_, cookie) => {
    expect(cookiesOf(await post(router, QUERY, { cookie }))).toEqual([expect.stringMatching(LOCAL)])
  })

  it('has one cookie at all routers with the same key', async () => {
    const other = await serving([BY_VISITOR])
    const cookie = sentBack(await post(router, QUERY))
    expect(cookiesOf(await post(other, QUERY, cookie))).toEqual([])
    const stranger = await serving(
      [BY_VISITOR],
      '',
      `rollouts: { visitor_cookie: true, visitor_cookie_key: ${'o'.repeat(32)} }`,
    )
    expect(cookiesOf(await post(stranger, QUERY, cookie))).toHaveLength(1)
  })

  it('gets a cookie of the host alone and with Secure, but on loopback', async () => {
    const [cookie] = cookiesOf(await post(router, QUERY, PUBLIC))
    expect(cookie).toMatch(
      /^__Host-switchyard_visitor=\S+; Max-Age=\d+; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    )
    const [proxied] = cookiesOf(await post(router, QUERY, { host: 'shop.example' }))
    expect(proxied).toMatch(/^__Host-/)
  })
})

describe('nobody gets a cookie', () => {
  it('by GET, and then the next key decides', async () => {
    const reply = await get(PREFLIGHT)
    expect([cookiesOf(reply), reply.headers['x-feature-flag']]).toEqual([[], undefined])
  })

  it('where no rollout asks for it, or the setting is off', async () => {
    const unasked = await serving([rollout()])
    const off = await serving([BY_VISITOR], '', '')
    expect([...cookiesOf(await post(unasked, QUERY)), ...cookiesOf(await post(off, QUERY))]).toEqual([])
  })

  it.each([
    ['of another origin', '', { origin: 'https://other.example' }, 0],
    ['of an opaque origin', '', { origin: 'null' }, 0],
    ['of another site that hides its origin', '', { 'sec-fetch-site': 'cross-site' }, 0],
    ['of another origin of its site that hides it', '', { 'sec-fetch-site': 'same-site' }, 0],
    [
      'of another site at the same host, as over another scheme',
      '',
      { origin: 'http://shop.example', host: 'shop.example', 'sec-fetch-site': 'cross-site' },
      0,
    ],
    ['of nobody: it was typed in', '', { 'sec-fetch-site': 'none' }, 1],
    [
      'of another site with CORS and credentials, in its own words',
      'cors: { origins: [https://a.example], credentials: true }',
      { origin: 'https://a.example', 'sec-fetch-site': 'cross-site' },
      1,
    ],
    ['of the same origin', '', { origin: 'http://shop.example', host: 'shop.example' }, 1],
    [
      'of the same origin behind a proxy',
      '',
      { origin: 'https://a.example', 'sec-fetch-site': 'same-origin' },
      1,
    ],
    [
      'with CORS, without credentials',
      'cors: { origins: [https://a.example] }',
      { origin: 'https://a.example' },
      0,
    ],
    ['with CORS and any origin', 'cors: { origins: ["*"] }', { origin: 'https://a.example' }, 0],
    [
      'with CORS and credentials',
      'cors: { origins: [https://a.example], credentials: true }',
      { origin: 'https://a.example' },
      1,
    ],
    [
      'with credentials for others',
      'cors: { origins: [https://b.example], credentials: true }',
      { origin: 'https://a.example' },
      0,
    ],
  ])('on a page %s that may not keep it', async (_, cors, headers, count) => {
    const by = await serving([BY_VISITOR], cors)
    const reply = await post(by, QUERY, { ...headers })
    expect([reply.status, cookiesOf(reply).length]).toEqual([200, count])
    // Who cannot keep a side has none.
    if (count === 0) expect(isNext(reply)).toBe(false)
  })
})

describe('the cookie', () => {
  it('reaches no subgraph, and the others do', async () => {
    const cookie = `before=1; ${sentBack(await post(router, QUERY)).cookie}; after=2`
    for (const { requests } of [shop.products, shop.next]) requests.length = 0
    await post(router, QUERY, { cookie })
    const [seen] = [...shop.products.requests, ...shop.next.requests]
    expect(seen?.headers.cookie?.split(';').map((pair) => pair.trim())).toEqual(['before=1', 'after=2'])
    for (const { requests } of [shop.products, shop.next]) requests.length = 0
    await post(router, QUERY, sentBack(await post(router, QUERY)))
    const all = [...shop.products.requests, ...shop.next.requests]
    expect(all.map(({ headers }) => headers.cookie)).toEqual([undefined, undefined])
  })

  it('is no credential that a foreign page could use, if it is the only one', async () => {
    const { cookie } = sentBack(await post(router, QUERY))
    expect((await get({ cookie })).status).toBe(200)
    expect((await get({ cookie: `${cookie}; session=1` })).json.errors?.[0]?.extensions['code']).toBe(
      'CSRF_PREVENTED',
    )
  })

  it('makes answers private and short', async () => {
    const kept = await serving([BY_VISITOR], 'response: { cache_control: "public, max-age=600" }')
    const first = await post(kept, QUERY)
    expect([first.headers['cache-control'], cookiesOf(first).length]).toEqual(['private, max-age=60', 1])
  })

  it('of somebody who stands in decides, and is neither assigned nor shown', async () => {
    const shown = 'tracing: { allowed_headers: [cookie] }'
    const forwarding = 'headers: { request: [{ propagate: cookie }] }'
    const open = await serving([BY_VISITOR], `dev_mode: true\n${shown}\n${forwarding}`)
    const visitors = await Promise.all(Array.from({ length: 20 }, () => post(open, QUERY)))
    const of = (isInside: boolean) => visitors.find((reply) => isNext(reply) === isInside) ?? visitors[0]
    const [inside, outside] = [of(true), of(false)].map((reply) => sentBack(reply as Reply).cookie)
    const cookie = `a=b; ${String(inside).replace('switchyard', '__Host-switchyard')}`
    const as = Buffer.from(JSON.stringify({ headers: { Cookie: cookie } })).toString('base64')
    const query = '{ version header(name: "cookie") }'
    const headers = { 'x-vendor-trace': 'true', 'x-vendor-trace-as': as, cookie: `c=d; ${outside}` }
    const reply = await post(open, { query }, headers)
    expect(reply.json.data).toEqual({ version: 'products-next', header: 'c=d' })
    expect(cookiesOf(reply)).toEqual([])
    expect(traceIn(reply).stand_in).toEqual({ headers: { cookie: 'a=b' } })
    expect(reply.text).not.toContain(String(inside).slice('switchyard_visitor='.length))
    // The one without a cookie gets one, as without a stand-in.
    const { cookie: _, ...without } = headers
    expect(cookiesOf(await post(open, QUERY, without))).toEqual([expect.stringMatching(LOCAL)])
  })

  it('is one for all operations of a batch', async () => {
    const batching = await serving([BY_VISITOR], 'batching: { enabled: true }')
    for (let count = 0; count < 10; count++) {
      const reply = await post(batching, JSON.stringify([QUERY, QUERY, QUERY]))
      const isInside = bucketOf('salt', idOf(reply)) < 5000
      const versions = new Set(
        JSON.parse(reply.text).map((answer: Reply['json']) => answer.data?.['version']),
      )
      expect([cookiesOf(reply).length, [...versions]]).toEqual([1, [isInside ? 'products-next' : 'products']])
    }
  })

  it('keeps sides of progressive overrides, too', async () => {
    const own = await serving([], 'progressive_override: { key: [visitor_cookie] }')
    expect(cookiesOf(await post(own, QUERY))).toEqual([expect.stringMatching(LOCAL)])
    expect(cookiesOf(await post(own, QUERY, { 'x-feature-flag': 'next' }))).toHaveLength(1)
  })
})

describe('cookies of visitors', () => {
  const cookies = new VisitorCookies({
    key: createSecretKey(Buffer.from(KEY)),
    isSecure: true,
    areKept: () => true,
  })

  it('are random', () => {
    const ids = Array.from(
      { length: 1000 },
      () => cookies.visitorOf({ method: 'POST', headers: {}, client: '192.0.2.7' })?.id,
    )
    expect(new Set(ids).size).toBe(1000)
  })

  it.each([
    ['a=b', 'a=b'],
    ['', ''],
    ['switchyard_visitor=x', null],
    ['__Host-switchyard_visitor=x; switchyard_visitor=y', null],
    ['a=b; __Host-switchyard_visitor=x;c=d', 'a=b;c=d'],
    ['a=switchyard_visitor; my_switchyard_visitor=1', 'a=switchyard_visitor; my_switchyard_visitor=1'],
  ])('are taken out of %j', (header, rest) => {
    expect(withoutVisitor(header)).toBe(rest)
  })
})
