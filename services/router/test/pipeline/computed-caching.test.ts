/** `response.cache_control: computed`, with real subgraphs, over HTTP. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { entityTag } from '../../src/pipeline/answers/entity-tag.ts'
import { type BuiltArtifact, buildArtifact, packed } from '../support/artifacts.ts'
import { ConfigWorld } from '../support/config-world.ts'
import { post, routerOn, send, type TestRouter, until } from '../support/router.ts'
import { startTalkingSubgraph, type TalkingSubgraph } from '../support/talking-subgraph.ts'

const ONE = '{ product(upc: "1") { name } }'
const BOTH = '{ product(upc: "1") { name reviews { body } } }'
const COMPUTED = 'response: { cache_control: computed }'

const stack = new AsyncDisposableStack()
let world: ConfigWorld
let products: TalkingSubgraph
let reviews: TalkingSubgraph
let base: BuiltArtifact
let router: TestRouter
beforeAll(async () => {
  world = stack.use(await ConfigWorld.create())
  products = stack.use(await startTalkingSubgraph())
  reviews = stack.use(await startTalkingSubgraph())
  base = buildArtifact('base', { products: products.url, reviews: reviews.url })
  await world.publish({ revision: 1, base, flags: { hinted: withHints(base) } })
  router = stack.use(await started(COMPUTED))
})
afterAll(() => stack.disposeAsync())
beforeEach(() => {
  products.headers = () => ['cache-control', 'public, max-age=60']
  reviews.headers = () => ['cache-control', 'max-age=30', 'age', '10']
  for (const subgraph of [products, reviews]) subgraph.held = Promise.resolve()
})

/** The same graph, whose schema says how long products may be kept. */
function withHints({ artifact }: BuiltArtifact): BuiltArtifact {
  const supergraphSdl = artifact.supergraphSdl
    .replace('type Product ', 'type Product @cacheControl(maxAge: 45) ')
    .replace('  name: String!', '  name: String! @cacheControl(maxAge: 40, scope: PRIVATE)')
    .concat('\ndirective @cacheControl(maxAge: Int, scope: Scope) on FIELD_DEFINITION | OBJECT')
    .concat('\nenum Scope { PUBLIC PRIVATE }\n')
  expect(supergraphSdl.match(/@cacheControl\(max/g)).toHaveLength(3)
  return packed({ ...artifact, supergraphSdl })
}

async function started(settings: string): Promise<TestRouter> {
  const made = await routerOn(world, { settings })
  await made.ready
  return made
}

const ask = (query: string, headers: Record<string, string> = {}, on = router) =>
  send(`${on.graphqlUrl}?query=${encodeURIComponent(query)}`, {
    headers: { 'apollo-require-preflight': '1', ...headers },
  })
const caching = async (query: string, headers: Record<string, string> = {}, on = router) =>
  (await ask(query, headers, on)).headers['cache-control']

describe('what subgraphs say', () => {
  it('is handed on: the most restrictive of all that were asked', async () => {
    expect(await caching(ONE)).toBe('max-age=60, public')
    expect(await caching(BOTH)).toBe('max-age=20, public')
    reviews.headers = () => ['cache-control', 'private, max-age=90']
    expect(await caching(BOTH)).toBe('max-age=60, private')
  })

  it('holds for POST as well', async () => {
    expect((await post(router, { query: ONE })).headers['cache-control']).toBe('max-age=60, public')
  })

  it('is no-store as soon as one of them says nothing, or that', async () => {
    reviews.headers = () => []
    expect(await caching(BOTH)).toBe('no-store')
    expect(await caching(ONE)).toBe('max-age=60, public')
    products.headers = () => ['cache-control', 'no-store']
    expect(await caching(ONE)).toBe('no-store')
  })

  it.each([
    ['an answer with errors', '{ product(upc: "1") { name } version }'],
    ['what no subgraph was asked', '{ __typename }'],
    ['introspection', '{ __schema { queryType { name } } }'],
  ])('is no-store for %s', async (_, query) => {
    expect(await caching(query)).toBe('no-store')
  })

  it('is private where the request carries what subgraphs get to see', async () => {
    await using forwarding = await started(`${COMPUTED}\nheaders: { request: [{ propagate: X-User }] }`)
    expect(await caching(ONE, {}, forwarding)).toBe('max-age=60, public')
    const { headers } = await ask(ONE, { 'x-user': 'ann' }, forwarding)
    expect(headers['cache-control']).toBe('max-age=60, private')
    expect(headers.vary).toContain('X-User')
  })

  it('counts for all who wait for the same calls', async () => {
    const gate = Promise.withResolvers<void>()
    reviews.held = gate.promise
    const first = ask(BOTH)
    const others = [ask(BOTH), ask(`query Other { product(upc: "1") { name reviews { body } } }`)]
    await until(() => router.activeRequests() === 3, 'all wait')
    gate.resolve()
    for (const { headers } of await Promise.all([first, ...others]))
      expect(headers['cache-control']).toBe('max-age=20, public')
  })
})

describe('what a schema says', () => {
  const hinted = (query: string) => caching(query, { 'x-feature-flag': 'hinted' })

  it('stands in for headers that are not there', async () => {
    products.headers = () => []
    expect(await hinted(ONE)).toBe('max-age=40, private')
    expect(await hinted('{ product(upc: "1") { upc } }')).toBe('max-age=45, public')
    // Base has no hints.
    expect(await caching(ONE)).toBe('no-store')
  })

  it('makes what headers say more restrictive, never less', async () => {
    expect(await hinted(ONE)).toBe('max-age=40, private')
    products.headers = () => ['cache-control', 'max-age=5']
    expect(await hinted(ONE)).toBe('max-age=5, private')
  })

  it('is nothing that clients get to see', async () => {
    const { text } = await ask('{ __schema { directives { name } } }', { 'x-feature-flag': 'hinted' })
    expect(text).toContain('"deprecated"')
    expect(text).not.toContain('cacheControl')
  })

  it('leaves to a setting what it does not say', async () => {
    products.headers = () => []
    await using lenient = await started('response: { cache_control: computed, default_max_age: 9s }')
    const flag = { 'x-feature-flag': 'hinted' }
    expect(await caching('{ header(name: "x") }', flag)).toBe('no-store')
    expect(await caching('{ header(name: "x") }', flag, lenient)).toBe('max-age=9, public')
    expect(await caching('{ header(name: "x") }', {}, lenient)).toBe('no-store')
  })
})

describe('a tag', () => {
  it('stands for an answer that may be kept, and is answered with 304 as long as it is right', async () => {
    const first = await ask(ONE)
    const tag = String(first.headers.etag)
    expect(tag).toMatch(/^W\/"[\w-]+"$/)
    const again = await ask(ONE, { 'if-none-match': `"other", ${tag}` })
    expect([again.status, again.text]).toEqual([304, ''])
    expect(again.headers).toMatchObject({ etag: tag, 'cache-control': 'max-age=60, public' })
    expect(again.headers.vary).toContain('Accept')
    expect((await ask(ONE, { 'if-none-match': '*' })).status).toBe(304)
    expect((await ask('{ product(upc: "1") { upc } }', { 'if-none-match': tag })).status).toBe(200)
    expect(router.logs.findLast(({ event }) => event === 'request.answered')).toMatchObject({ status: 200 })
    expect(router.logs.filter(({ status }) => status === 304)).toHaveLength(2)
  })

  it('stands for no answer to POST, and for none that nobody keeps', async () => {
    expect((await post(router, { query: ONE })).headers.etag).toBeUndefined()
    products.headers = () => []
    expect((await ask(ONE, { 'if-none-match': '*' })).headers.etag).toBeUndefined()
    await using plain = await started('')
    expect((await ask(ONE, { 'if-none-match': '*' }, plain)).status).toBe(200)
  })

  it('is the same however the answer was printed, and is missing where it would take long', () => {
    const text = '{"data":{"name":"Käse"}}'
    const pieces = [Buffer.from(text.slice(0, 9)), Buffer.from(text.slice(9))]
    expect(entityTag(pieces)).toBe(entityTag(text))
    expect(entityTag('x'.repeat(512 * 1024))).not.toBeNull()
    expect(entityTag('x'.repeat(512 * 1024 + 1))).toBeNull()
  })
})
