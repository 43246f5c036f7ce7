/** `@defer` over WebSockets: in one piece, or in the parts of a multipart answer, as the client said. */
import { createClient } from 'graphql-ws'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { ConfigWorld } from '../../support/config-world.ts'
import { DEFERRING, gatedWorld } from '../../support/gated-world.ts'
import { MarkedSubgraphs } from '../../support/marked-subgraphs.ts'
import { PartReader } from '../../support/parts.ts'
import { post, routerOn, type TestRouter, until } from '../../support/router.ts'
import { startShop } from '../../support/shop.ts'
import { Warehouse } from '../../support/warehouse.ts'
import { Talk } from './talk.ts'

const SOCKETS = 'subscriptions: { enabled: true }'
const PARTS = { incrementalSpec: 'v0.2' }
const ITEM = '{ item { name ...@defer { count } } }'

/** Each has one fragment that is delivered after another, if several, so that their order is one. */
const QUERIES = [
  ITEM,
  '{ items { name ...@defer(label: "--graphql") { count place { shelf } } } }',
  '{ grid { name ...@defer { count } } }',
  '{ items { name ...@defer { count ...@defer { stars } } } }',
  'mutation { order { name ...@defer { count ...@defer { stars } } } }',
  // Nothing is left to deliver, and the answer is in parts all the same.
  '{ item { name ...@defer { name } } }',
  '{ item { name ...@defer { must } } }',
]

let warehouse: Warehouse
let router: TestRouter
beforeAll(async () => {
  warehouse = await Warehouse.start(SOCKETS)
  router = await warehouse.router()
})
afterAll(() => warehouse[Symbol.asyncDispose]())
beforeEach(() => warehouse.suffer(null))

/** The texts of all messages. */
function textsOf(talk: Talk): readonly string[] {
  const texts: string[] = []
  talk.ws.on('message', (data: Buffer) => texts.push(data.toString()))
  return texts
}

async function multipart(query: string): Promise<readonly string[]> {
  const { text } = await post(router, { query }, { accept: 'multipart/mixed;incrementalSpec=v0.2' })
  return new PartReader().read(Buffer.from(text)).map((part) => part.text)
}

const answered = (from: number) =>
  until(
    () => router.logs.slice(from).find(({ event }) => event === 'request.answered'),
    'a line of the access log',
  )

describe('a query with @defer of a client that says nothing about parts', () => {
  it.each(QUERIES)('is answered in one piece, as without the directive: %s', async (query) => {
    await using talk = await Talk.ready(router.graphqlUrl)
    talk.subscribe('1', query)
    await talk.hear('complete')
    const { json } = await post(router, { query: query.replaceAll(/@defer(\(.*?\))?/g, '') })
    expect(json).toHaveProperty('data')
    expect(talk.heard).toEqual([{ id: '1', type: 'next', payload: json }])
  })

  it('has a plan of its own, and so has the same query in parts', async () => {
    await using talk = await Talk.ready(router.graphqlUrl)
    await using parts = await Talk.ready(router.graphqlUrl, PARTS)
    const query = 'query Own { items { name color ...@defer { count } } }'
    const inParts = await multipart(query)
    for (let time = 0; time < 2; time++) {
      talk.subscribe('1', query)
      await talk.hear('complete')
      expect(talk.heard.splice(0)).toMatchObject([{ payload: { data: { items: [{ count: 1 }, {}] } } }])
      parts.subscribe('1', query)
      await parts.hear('complete')
      expect(parts.heard.splice(0).map(({ payload }) => JSON.stringify(payload))).toEqual(inParts)
      expect(await multipart(query)).toEqual(inParts)
    }
  })

  it('has the nulls of an answer in one piece where a fragment fails', async () => {
    warehouse.suffer({ subgraph: 'stock', field: 'must', fault: 'null' })
    await using talk = await Talk.ready(router.graphqlUrl)
    talk.subscribe('1', '{ item { name ...@defer { must } } }')
    expect(await talk.hear('next')).toMatchObject({
      payload: { data: { item: null }, errors: [{ path: ['item', 'must'] }] },
    })
  })

  it('is joined by no request over HTTP, whose answer would be another', async () => {
    await using talk = await Talk.ready(router.graphqlUrl)
    warehouse.hold('stock')
    const query = 'query Joined { item { name ...@defer { count } } }'
    talk.subscribe('1', query)
    await until(() => warehouse.calls['stock'] === 1, 'the call has begun')
    const reply = post(router, { query }, { accept: 'application/graphql-response+json' })
    await Promise.race([reply, until(() => router.activeRequests() === 2, 'a request that waits')])
    warehouse.release('stock')
    const { json } = await reply
    expect(json.errors).toMatchObject([{ extensions: { code: 'DEFER_BAD_HEADER' } }])
    await talk.hear('complete')
  })

  it('shows introspection the directive', async () => {
    await using talk = await Talk.ready(router.graphqlUrl)
    talk.subscribe('1', '{ __schema { directives { name } } item { name ...@defer { count } } }')
    const { payload } = await talk.hear('next')
    expect(JSON.stringify(payload)).toContain('{"name":"defer"}')
    expect(payload).toMatchObject({ data: { item: { name: 'b', count: 2 } } })
  })
})

describe('a query with @defer of a client that takes parts', () => {
  it.each(QUERIES)('has one message for each part of the multipart answer: %s', async (query) => {
    await using talk = await Talk.ready(router.graphqlUrl, PARTS)
    const texts = textsOf(talk)
    talk.subscribe('1', query)
    await talk.hear('complete')
    const parts = await multipart(query)
    expect(texts).toEqual([
      ...parts.map((part) => `{"id":"1","type":"next","payload":${part}}`),
      '{"id":"1","type":"complete"}',
    ])
  })

  it('has its first part while the rest is waited for, beside other operations', async () => {
    await using talk = await Talk.ready(router.graphqlUrl, PARTS)
    warehouse.hold('stock')
    const from = router.logs.length
    talk.subscribe('slow', ITEM)
    expect(await talk.hear('next', 'slow')).toMatchObject({ payload: { hasNext: true } })
    talk.subscribe('other', '{ item { name ...@defer { stars } } }')
    await talk.hear('complete', 'other')
    expect(talk.heard.splice(0)).toMatchObject([
      { id: 'other', payload: { hasNext: true } },
      { id: 'other', payload: { incremental: [{ data: { stars: 10 } }], hasNext: false } },
    ])
    talk.subscribe('plain', '{ item { name } }')
    await talk.hear('complete', 'plain')
    expect(talk.heard.splice(0)).toEqual([
      { id: 'plain', type: 'next', payload: { data: { item: { name: 'b' } } } },
    ])
    warehouse.release('stock')
    await talk.hear('complete', 'slow')
    const slow = () => router.logs.slice(from).filter(({ event }) => event === 'request.answered')[2]
    expect(await until(slow, 'three lines')).toMatchObject({ parts: 2, status: 200 })
  })

  it('is answered by graphql-ws part by part', async () => {
    const url = router.graphqlUrl.replace('http', 'ws')
    const client = createClient({ url, webSocketImpl: WebSocket, connectionParams: PARTS })
    warehouse.hold('stock')
    const results: unknown[] = []
    for await (const result of client.iterate({ query: ITEM })) {
      results.push(result)
      warehouse.release('stock')
    }
    expect(results.map((result) => JSON.stringify(result))).toEqual(await multipart(ITEM))
    await client.dispose()
  })

  it('gives up its calls when the client completes it between two parts', async () => {
    await using talk = await Talk.ready(router.graphqlUrl, PARTS)
    const from = router.logs.length
    warehouse.hold('stock')
    talk.subscribe('1', '{ items { name ...@defer { count ...@defer { stars } } } }')
    await talk.hear('next')
    await until(() => warehouse.calls['stock'] === 1, 'the call has begun')
    talk.say({ id: '1', type: 'complete' })
    await until(() => warehouse.givenUp['stock'] === 1, 'the call is given up')
    warehouse.release('stock')
    expect(await answered(from)).toMatchObject({ aborted: true, parts: 1 })
    // The id is free again, and nothing of the first operation comes any more.
    talk.subscribe('1', '{ item { name } }')
    await talk.hear('complete')
    expect(talk.heard).toEqual([{ id: '1', type: 'next', payload: { data: { item: { name: 'b' } } } }])
    expect(warehouse.calls['stars']).toBe(0)
  })

  it('gives up its calls when the client leaves', async () => {
    const talk = await Talk.ready(router.graphqlUrl, PARTS)
    warehouse.hold('stock')
    talk.subscribe('1', ITEM)
    await talk.hear('next')
    await until(() => warehouse.calls['stock'] === 1, 'the call has begun')
    await talk[Symbol.asyncDispose]()
    await until(() => warehouse.givenUp['stock'] === 1, 'the call is given up')
    warehouse.release('stock')
    await until(() => router.activeRequests() === 0, 'nothing is in progress')
  })

  it.each([
    ['{ item { nothing ...@defer { count } } }', 'GRAPHQL_VALIDATION_FAILED'],
    ['mutation { ...@defer { order { name } } }', 'GRAPHQL_VALIDATION_FAILED'],
    ['query ($a: Boolean!) { item { name @include(if: $a) ...@defer { count } } }', 'BAD_USER_INPUT'],
  ])('is refused with error before anything is executed: %s', async (query, code) => {
    await using talk = await Talk.ready(router.graphqlUrl, PARTS)
    talk.subscribe('1', query)
    expect(await talk.hear('error')).toMatchObject({ id: '1', payload: [{ extensions: { code } }] })
    talk.subscribe('1', '{ item { name } }')
    await talk.hear('complete')
  })

  it('tells which fragment failed', async () => {
    warehouse.suffer({ subgraph: 'stock', field: 'must', fault: 'null' })
    await using talk = await Talk.ready(router.graphqlUrl, PARTS)
    talk.subscribe('1', '{ item { name ...@defer { must } } }')
    await talk.hear('complete')
    expect(talk.heard).toMatchObject([
      { payload: { data: { item: { name: 'b' } } } },
      { payload: { completed: [{ id: '1', errors: [{ path: ['item', 'must'] }] }], hasNext: false } },
    ])
  })

  it('is answered in one piece where nothing may be deferred', async () => {
    const shop = await startShop()
    const urls = { products: shop.products.url, reviews: shop.reviews.url }
    await using stack = new AsyncDisposableStack()
    stack.use(shop)
    const { world } = await gatedWorld(stack, urls)
    await using plain = await routerOn(world, { settings: SOCKETS })
    await plain.ready
    await using talk = await Talk.ready(plain.graphqlUrl, PARTS)
    talk.subscribe('1', '{ product(upc: "1") { name ...@defer { price } } }')
    await talk.hear('complete')
    expect(talk.heard).toHaveLength(1)
    expect(talk.heard[0]?.['payload']).toEqual({ data: { product: { name: 'Table', price: 899 } } })
  })
})

describe('incrementalSpec in the payload of connection_init', () => {
  it.each(['v0.1', '', 2, true, ['v0.2']])('is refused where it names another format: %j', async (spec) => {
    await using talk = await Talk.open(router.graphqlUrl)
    talk.say({ type: 'connection_init', payload: { incrementalSpec: spec } })
    expect(await talk.closed).toEqual({
      code: 4400,
      reason:
        'Invalid connection_init: expected incrementalSpec to be "v0.2", or to be left out for whole results',
    })
  })
  it.each<[unknown, number]>([
    ['V0.2', 2],
    [null, 1],
  ])('may be %j', async (incrementalSpec, messages) => {
    await using talk = await Talk.ready(router.graphqlUrl, { incrementalSpec })
    talk.subscribe('1', ITEM)
    await talk.hear('complete')
    expect(talk.heard).toHaveLength(messages)
  })
})

describe('parts over a WebSocket', () => {
  async function gated(settings = '') {
    await using stack = new AsyncDisposableStack()
    const shop = stack.use(await startShop())
    const urls = { products: shop.products.url, reviews: shop.reviews.url }
    const { world, gate, compose } = await gatedWorld(stack, urls)
    const own = stack.use(await routerOn(world, { settings: `${DEFERRING}\n${SOCKETS}\n${settings}` }))
    await own.ready
    const talk = stack.use(await Talk.ready(own.graphqlUrl, PARTS))
    gate.close()
    talk.subscribe('1', '{ product(upc: "1") { name ...@defer { reviews { body } } } }')
    await talk.hear('next')
    await until(() => gate.held.count === 1, 'the call has begun')
    const parts = stack.move()
    return { shop, world, gate, compose, own, talk, [Symbol.asyncDispose]: () => parts.disposeAsync() }
  }
  const LAST = { incremental: [{ data: { reviews: [{ body: 'Review of 1' }] }, id: '1' }], hasNext: false }

  it('are finished on the graph that they began with', async () => {
    await using begun = await gated()
    const { shop, world, gate, compose, own, talk } = begun
    await world.publish({ revision: 2, base: compose('next', shop.products.url) })
    await until(() => own.logs.find(({ event }) => event === 'config.swapped'), 'another graph')
    gate.open()
    expect((await talk.hear('next'))['payload']).toMatchObject(LAST)
    await talk.hear('complete')
  })

  it('are finished by a router that stops, which closes then', async () => {
    await using begun = await gated()
    const { gate, own, talk } = begun
    const stopped = own[Symbol.asyncDispose]()
    await until(() => own.logs.find(({ event }) => event === 'router.draining'), 'draining')
    gate.open()
    expect((await talk.hear('next'))['payload']).toMatchObject(LAST)
    await talk.hear('complete')
    expect(await talk.closed).toEqual({ code: 1001, reason: 'The router is stopping' })
    await stopped
  })

  it('end as they should at the limit of draining', async () => {
    await using begun = await gated('shutdown: { drain_timeout: 100ms }')
    const { gate, own, talk } = begun
    const stopped = own[Symbol.asyncDispose]()
    const { payload } = await talk.hear('next')
    expect(payload).toMatchObject({
      completed: [{ id: '1', errors: [{ extensions: { code: 'DRAINING' } }] }],
      hasNext: false,
    })
    await talk.hear('complete')
    await talk.closed
    gate.open()
    await stopped
  })
})

describe('a client that takes parts and does not read', () => {
  const LARGE = 12 * 1024 * 1024
  const query = `{ product(upc: "padded-${LARGE}") { name ...@defer { a: reviews { id } } ...@defer { b: reviews { id } } } }`

  /** The first part of the answer waits for the client. */
  async function unread(settings: string) {
    await using stack = new AsyncDisposableStack()
    const subgraphs = stack.use(await MarkedSubgraphs.start())
    const world = stack.use(await ConfigWorld.create())
    await world.publish({ revision: 1, base: subgraphs.composition('base') })
    const own = stack.use(await routerOn(world, { settings: `${DEFERRING}\n${SOCKETS}\n${settings}` }))
    await own.ready
    const talk = stack.use(await Talk.ready(own.graphqlUrl, PARTS))
    talk.ws.pause()
    talk.subscribe('1', query)
    await until(() => subgraphs.received.products === 1, 'the call for the first part')
    const parts = stack.move()
    return { subgraphs, own, talk, [Symbol.asyncDispose]: () => parts.disposeAsync() }
  }

  it('is sent nothing more, and nothing more is fetched, until it is left', async () => {
    await using begun = await unread('traffic: { write_timeout: 1s }')
    const { subgraphs, own } = begun
    const event = (name: string) => own.logs.find((line) => line['event'] === name)
    expect(await until(() => event('sockets.ended'), 'the end')).toMatchObject({ reason: 'stalled' })
    expect(await until(() => event('request.answered'), 'its line')).toMatchObject({
      parts: 1,
      aborted: true,
    })
    expect(subgraphs.received.reviews).toBe(0)
  })

  it('has all of the parts once it reads', async () => {
    await using begun = await unread('')
    const { subgraphs, own, talk } = begun
    // A whole request of somebody else goes through meanwhile.
    const other = await post(own, { query: '{ product(upc: "2") { name } }' })
    expect([other.status, subgraphs.received.reviews]).toEqual([200, 0])
    talk.ws.resume()
    await talk.hear('complete')
    expect(talk.heard.map(({ payload }) => Object(payload)['hasNext'])).toEqual([true, true, false])
    expect(JSON.stringify(talk.heard[0]).length).toBeGreaterThan(LARGE)
    expect(subgraphs.received.reviews).toBeGreaterThan(0)
  })
})

it('a client that accepts nothing but event streams is told that it gets no parts', async () => {
  const { text } = await post(router, { query: ITEM }, { accept: 'text/event-stream' })
  const [next, complete] = text.split('\n\n')
  expect(JSON.parse(next?.split('data: ')[1] ?? '')).toMatchObject({
    errors: [{ extensions: { code: 'DEFER_BAD_HEADER' } }],
  })
  expect(complete).toContain('event: complete')
})
