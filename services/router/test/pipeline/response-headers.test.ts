/** Headers of subgraphs' answers that rules hand on to clients, over HTTP. */
import { once } from 'node:events'
import { connect } from 'node:http2'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildArtifact } from '../support/artifacts.ts'
import { ConfigWorld } from '../support/config-world.ts'
import { post, routerOn, send, type TestRouter, until } from '../support/router.ts'
import { startTalkingSubgraph, type TalkingSubgraph } from '../support/talking-subgraph.ts'

const RULES = `
  response:
    - { propagate: X-Region, strategy: first }
    - { propagate: x-served-by, strategy: append }
    - { propagate: x-last, rename: X-Version, strategy: last, default: none }
    - { propagate: set-cookie, strategy: append }
    - { set: Strict-Transport-Security, value: max-age=60 }
  subgraphs: { reviews: { response: [{ remove: x-region }] } }
`
const BOTH = { query: '{ product(upc: "1") { name reviews { body } } }' }
const ONE = { query: '{ product(upc: "1") { name } }' }

const stack = new AsyncDisposableStack()
let world: ConfigWorld
let products: TalkingSubgraph
let reviews: TalkingSubgraph
beforeAll(async () => {
  world = stack.use(await ConfigWorld.create())
  products = stack.use(await startTalkingSubgraph())
  reviews = stack.use(await startTalkingSubgraph())
  const base = buildArtifact('base', { products: products.url, reviews: reviews.url })
  await world.publish({ revision: 1, base, flags: {} })
})
afterAll(() => stack.disposeAsync())
beforeEach(() => {
  for (const subgraph of [products, reviews]) {
    subgraph.headers = () => []
    subgraph.held = Promise.resolve()
  }
})

async function started(settings: string): Promise<TestRouter> {
  const router = await routerOn(world, { settings })
  await router.ready
  return router
}

describe('header rules for answers', () => {
  const settings = `headers: ${RULES}`

  it('clients get the headers that rules name, and no others', async () => {
    await using router = await started(settings)
    products.headers = () => ['X-Region', 'eu', 'X-Served-By', 'p1', 'x-served-by', 'p2', 'x-other', 'no']
    reviews.headers = () => ['x-region', 'us', 'X-Served-By', 'r1', 'x-last', '7']
    const { headers, text } = await post(router, BOTH)
    expect(text).toBe('{"data":{"product":{"name":"Table","reviews":[{"body":"Good"}]}}}')
    expect(headers).toMatchObject({
      'x-region': 'eu',
      'x-served-by': 'p1, p2, r1',
      'x-version': '7',
      'strict-transport-security': 'max-age=60',
    })
    expect(headers['x-other']).toBeUndefined()
    expect(headers['x-last']).toBeUndefined()
    expect((await post(router, ONE)).headers).toMatchObject({ 'x-served-by': 'p1, p2', 'x-version': 'none' })
  })

  it('each cookie has a line of its own, and the answer is stored nowhere', async () => {
    await using router = await started(`${settings}\nresponse: { cache_control: 'public, max-age=60' }`)
    expect((await post(router, BOTH)).headers['cache-control']).toBe('public, max-age=60')
    products.headers = () => ['set-cookie', 'a=1; Expires=Thu, 01 Jan 2037 00:00:00 GMT', 'Set-Cookie', 'b=2']
    reviews.headers = () => ['set-cookie', 'c=3']
    const { headers } = await post(router, BOTH)
    expect(headers['set-cookie']).toEqual(['a=1; Expires=Thu, 01 Jan 2037 00:00:00 GMT', 'b=2', 'c=3'])
    expect(headers['cache-control']).toBe('no-store')
  })

  it('a header that could not be sent on breaks no answer', async () => {
    await using router = await started(settings)
    products.headers = () => ['x-region', 'M\u00fcnchen', 'x-served-by', 'p']
    const { status, headers } = await post(router, ONE)
    expect([status, headers['x-region'], headers['x-served-by']]).toEqual([200, undefined, 'p'])
  })
})

it('headers have the same form over HTTP/2', async () => {
  await using router = await started(`headers: ${RULES}`)
  products.headers = () => ['set-cookie', 'a=1', 'set-cookie', 'b=2', 'x-served-by', 'p']
  const session = connect(router.url)
  const stream = session.request({
    ':method': 'POST',
    ':path': '/graphql',
    'content-type': 'application/json',
  })
  stream.end(JSON.stringify(ONE))
  const [headers] = await once(stream, 'response')
  stream.resume()
  await once(stream, 'close')
  session.close()
  expect(headers['set-cookie']).toEqual(['a=1', 'b=2'])
  expect(headers['x-served-by']).toBe('p')
})

it('mutations and answers with errors have them, and refusals what is set for all', async () => {
  await using router = await started(`headers: ${RULES}`)
  products.headers = () => ['x-region', 'eu']
  const changed = await post(router, { query: 'mutation { rename(upc: "1", name: "x") { name } }' })
  expect(changed.headers['x-region']).toBe('eu')
  const refused = await send(`${router.url}/graphql`, { method: 'PUT' })
  expect(refused.status).toBe(405)
  expect(refused.headers['strict-transport-security']).toBe('max-age=60')
  expect(refused.headers['x-version']).toBeUndefined()
})

it('a call that fails gives nothing', async () => {
  await using router = await started(`headers: ${RULES}`)
  products.headers = () => ['x-region', 'eu']
  reviews.headers = () => ['content-type', 'text/html', 'x-served-by', 'r']
  const { headers, json } = await post(router, BOTH)
  expect(json.errors?.[0]?.extensions['code']).toBe('SUBGRAPH_INVALID_RESPONSE')
  expect([headers['x-region'], headers['x-served-by']]).toEqual(['eu', undefined])
})

describe('requests that are alike', () => {
  const SHARED = 'headers: { response: [{ propagate: x-call, strategy: first }] }'
  const COOKIES = 'headers: { response: [{ propagate: set-cookie, strategy: append }] }'
  const held = () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    products.held = promise
    return resolve
  }

  /** `expected`: calls that are made for both. */
  async function twoAtOnce(settings: string, second: typeof ONE, expected: number) {
    await using router = await started(settings)
    products.headers = (call) => ['x-call', String(call), 'set-cookie', `session=${call}`]
    const [before, release] = [products.calls, held()]
    const replies = Promise.all([post(router, ONE), post(router, second)])
    await until(() => router.activeRequests() === 2, 'both are read')
    // What comes after them has its call made: then they have made theirs.
    const last = post(router, { query: '{ topProducts { name } }' })
    await until(() => products.calls > before + expected, 'the calls are made')
    const calls = products.calls - before - 1
    release()
    const headers = (await replies).map((reply) => reply.headers)
    await last
    return { headers, calls }
  }

  it.each([
    ['requests', ONE],
    ['fetches', { query: `${ONE.query} ` }],
  ])('have the same headers where %s are shared', async (_, second) => {
    const { headers, calls } = await twoAtOnce(SHARED, second, 1)
    expect(calls).toBe(1)
    expect(headers[0]?.['x-call']).toBeDefined()
    expect(headers[0]?.['x-call']).toBe(headers[1]?.['x-call'])
  })

  it.each([
    ['requests', ONE],
    ['fetches', { query: `${ONE.query} ` }],
  ])('never share %s whose answers may have cookies for clients', async (_, second) => {
    const { headers, calls } = await twoAtOnce(COOKIES, second, 2)
    expect(calls).toBe(2)
    expect(new Set(headers.map((each) => each['set-cookie']?.[0])).size).toBe(2)
  })
})

it('an answer in parts has the headers that are there with its first part', async () => {
  await using router = await started(`engine: { enable_defer: true }\nheaders: ${RULES}`)
  products.headers = () => ['x-region', 'eu', 'set-cookie', 'a=1']
  reviews.headers = () => ['x-served-by', 'late']
  const query = '{ product(upc: "1") { name ... @defer { reviews { body } } } }'
  const { headers, text } = await send(router.graphqlUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'multipart/mixed;incrementalSpec=v0.2' },
    body: JSON.stringify({ query }),
  })
  expect(text).toContain('Good')
  expect(headers['x-region']).toBe('eu')
  expect(headers['set-cookie']).toEqual(['a=1'])
  expect(headers['x-served-by']).toBeUndefined()
  expect(headers['cache-control']).toBe('no-cache, no-store')
})

it('a list of operations has none of subgraphs', async () => {
  await using router = await started(`batching: { enabled: true }\nheaders: ${RULES}`)
  products.headers = () => ['x-region', 'eu', 'set-cookie', 'a=1']
  const { headers, text } = await send(router.graphqlUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify([ONE, ONE]),
  })
  expect(text).toMatch(/^\[\{"data".*\]$/)
  expect([headers['x-region'], headers['set-cookie']]).toEqual([undefined, undefined])
  expect(headers['strict-transport-security']).toBe('max-age=60')
})

it('pages of other origins may read them', async () => {
  await using router = await started(`cors: { origins: [https://shop.example] }\nheaders: ${RULES}`)
  const { headers } = await post(router, ONE, { origin: 'https://shop.example' })
  expect(headers['access-control-expose-headers']).toBe(
    'X-Feature-Flag, X-Request-Id, X-Region, x-served-by, X-Version, Strict-Transport-Security',
  )
})
