/** A client that leaves a stream, whatever the router is waiting for at that moment. */
import { request as httpRequest } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DEFERRING, gatedWorld } from '../support/gated-world.ts'
import { post, routerOn, type TestRouter, until } from '../support/router.ts'
import { startShop } from '../support/shop.ts'
import { http2SessionOn, overHttp1, overHttp2 } from '../support/streams.ts'
import { type Name, Warehouse } from '../support/warehouse.ts'

let warehouse: Warehouse
let router: TestRouter
beforeAll(async () => {
  warehouse = await Warehouse.start()
  router = await warehouse.router()
})
afterAll(() => warehouse[Symbol.asyncDispose]())

type Moment = {
  readonly what: string
  readonly query: string
  /** These never answer. */
  readonly held: readonly Name[]
  /** That the client reads before it leaves. */
  readonly parts: number
  readonly calls: Readonly<Record<Name, number>>
}

const MOMENTS: readonly Moment[] = [
  {
    what: 'while a fragment is waited for',
    query: '{ item { name ...@defer { count } } }',
    held: ['stock'],
    parts: 1,
    calls: { shop: 1, stock: 1, stars: 0 },
  },
  {
    what: 'while two fragments of a list are waited for',
    query: '{ items { name ...@defer { count } ...@defer { stars } } }',
    held: ['stock', 'stars'],
    parts: 1,
    calls: { shop: 1, stock: 1, stars: 1 },
  },
  {
    what: 'between two fragments of a list of lists',
    query: '{ grid { name ...@defer { count } ...@defer { stars } } }',
    held: ['stars'],
    parts: 2,
    calls: { shop: 1, stock: 1, stars: 1 },
  },
  {
    what: 'while a fragment inside another is waited for',
    query: '{ items { name ...@defer { count ...@defer { stars } } } }',
    held: ['stars'],
    parts: 2,
    calls: { shop: 1, stock: 1, stars: 1 },
  },
  {
    what: 'while a fragment below a mutation field is waited for',
    query: 'mutation { order { name ...@defer { count ...@defer { stars } } } }',
    held: ['stock'],
    parts: 1,
    calls: { shop: 1, stock: 1, stars: 0 },
  },
]

describe.each(['HTTP/1.1', 'HTTP/2'])('a client that leaves a stream of %s', (protocol) => {
  it.each(MOMENTS)(
    '$what: the calls are given up, nothing else begins, and nobody calls it an error',
    async ({ query, held, parts, calls }) => {
      warehouse.suffer(null)
      for (const name of held) warehouse.hold(name)
      const before = router.logs.length
      using session = await http2SessionOn(router)
      const stream = await (protocol === 'HTTP/2' ? overHttp2(session, query) : overHttp1(router, query))
      for (let part = 0; part < parts; part++) expect(await stream.next()).toMatchObject({ hasNext: true })
      await until(() => held.every((name) => warehouse.calls[name] === 1), 'the held calls have begun')
      stream.leave()
      await until(() => held.every((name) => warehouse.givenUp[name] === 1), 'the held calls are given up')
      for (const name of held) warehouse.release(name)
      const line = await until(
        () => router.logs.slice(before).find(({ event }) => event === 'request.answered'),
        'the request is logged',
      )
      expect(line).toMatchObject({ aborted: true, parts })
      expect(router.logs.slice(before).filter(({ level }) => level !== 'info')).toEqual([])
      // Whatever was still to come would have come before the answer to this.
      expect((await post(router, { query: '{ items { name } }' })).status).toBe(200)
      expect(warehouse.calls).toMatchObject({ ...calls, shop: calls.shop + 1 })
    },
  )

  it('before the first part', async () => {
    warehouse.suffer(null)
    warehouse.hold('shop')
    const before = router.logs.length
    const query = '{ item { name ...@defer { count } } }'
    const leave = protocol === 'HTTP/2' ? await askOverHttp2(query) : askOverHttp1(query)
    await until(() => warehouse.calls['shop'] === 1, 'the call has begun')
    leave()
    await until(() => warehouse.givenUp['shop'] === 1, 'the call is given up')
    warehouse.release('shop')
    const line = await until(
      () => router.logs.slice(before).find(({ event }) => event === 'request.answered'),
      'the request is logged',
    )
    expect(line).toMatchObject({ aborted: true })
    expect(router.logs.slice(before).filter(({ level }) => level !== 'info')).toEqual([])
    expect(warehouse.calls).toMatchObject({ shop: 1, stock: 0 })
  })

  it('lets go of the graph on which it was answered', async () => {
    await using stack = new AsyncDisposableStack()
    const shop = stack.use(await startShop())
    const urls = { products: shop.products.url, reviews: shop.reviews.url }
    const { world, gate, compose } = await gatedWorld(stack, urls)
    const swapped = stack.use(await routerOn(world, { settings: DEFERRING }))
    await swapped.ready
    gate.close()
    const query = '{ product(upc: "1") { name ...@defer { reviews { body } } } }'
    using session = await http2SessionOn(swapped)
    const stream = await (protocol === 'HTTP/2' ? overHttp2(session, query) : overHttp1(swapped, query))
    expect(await stream.next()).toMatchObject({ hasNext: true })
    await world.publish({ revision: 2, base: compose('next', shop.next.url) })
    await until(
      async () => (await post(swapped, { query: '{ version }' })).json.data?.['version'] === 'products-next',
      'the next revision is served',
    )
    const released = () => swapped.logs.some(({ event }) => event === 'generation.released')
    expect(released()).toBe(false)
    stream.leave()
    await until(released, 'the first generation is released')
    await until(() => gate.held.aborted > 0, 'the deferred call is given up')
  })
})

/** Each asks, waits for nothing, and returns how to leave. */
function askOverHttp1(query: string): () => void {
  const headers = { 'content-type': 'application/json' }
  const outgoing = httpRequest(router.graphqlUrl, { agent: false, method: 'POST', headers })
  outgoing.on('error', () => {})
  outgoing.end(JSON.stringify({ query }))
  return () => outgoing.destroy()
}

async function askOverHttp2(query: string): Promise<() => void> {
  const session = await http2SessionOn(router)
  overHttp2(session, query).catch(() => {})
  return () => session.destroy()
}

describe('a request that cannot be executed', () => {
  it.each([
    ['that cannot be parsed', { query: '{ item { ...@defer { name }' }, 'GRAPHQL_PARSE_FAILED'],
    ['with an unknown field', { query: '{ item { ...@defer { no } } }' }, 'GRAPHQL_VALIDATION_FAILED'],
    [
      'with one label for two fragments',
      { query: '{ item { ...@defer(label: "a") { name } ...@defer(label: "a") { count } } }' },
      'GRAPHQL_VALIDATION_FAILED',
    ],
    [
      'with @defer on a mutation root',
      { query: 'mutation { ...@defer { order { id } } }' },
      'GRAPHQL_VALIDATION_FAILED',
    ],
    [
      'without a variable that it needs',
      { query: 'query Q($later: Boolean!) { item { ...@defer(if: $later) { name } } }' },
      'BAD_USER_INPUT',
    ],
    [
      'with an unknown operation name',
      { query: 'query Q { item { ...@defer { name } } }', operationName: 'R' },
      'OPERATION_RESOLUTION_FAILURE',
    ],
  ])('%s is answered by JSON, not in parts', async (_what, body, code) => {
    warehouse.suffer(null)
    const { headers, json } = await post(router, body, { accept: 'multipart/mixed, application/json' })
    expect(headers['content-type']).toBe('application/json; charset=utf-8')
    expect(Object.keys(json)).toEqual(['errors'])
    expect(json.errors?.map(({ extensions }) => extensions['code'])).toEqual([code])
    expect(warehouse.calls).toEqual({ shop: 0, stock: 0, stars: 0, order: 0 })
  })
})
