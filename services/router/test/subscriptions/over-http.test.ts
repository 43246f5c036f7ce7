/** Subscriptions over server-sent events and multipart answers, on a real router and real subgraphs. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { post, until } from '../support/router.ts'
import { startShopRouter } from '../support/shop-router.ts'
import { type EventWorld, startEventWorld } from './support/event-world.ts'
import { Reading, subscribe } from './support/read-events.ts'

const MULTIPART = { accept: 'multipart/mixed;subscriptionSpec="1.0", application/json' }
const CHANGED = { query: 'subscription ($type: String) { changed(type: $type) { upc price } }' }
const changed = (upc: string) => ({ changed: { upc } })
const priced = (upc: string) => ({ data: { changed: { upc, price: Number(upc) * 10 } } })

const stack = new AsyncDisposableStack()
let world: EventWorld

beforeAll(async () => {
  world = stack.use(await startEventWorld())
})
afterAll(() => stack.disposeAsync())

describe('an event stream', () => {
  it('has each event with what other subgraphs add, and ends with its source', async () => {
    const reading = subscribe(world.router, { ...CHANGED, variables: { type: 'tent' } })
    await world.subscribed(1)
    expect(world.events.open[0]?.variables).toEqual({ type: 'tent' })
    await reading.until(({ status }) => status === 200, 'headers before the first event')
    expect(reading.headers['content-type']).toBe('text/event-stream; charset=utf-8')
    expect(reading.headers['cache-control']).toBe('no-cache, no-store')
    world.events.send(changed('1'))
    await reading.until(({ events }) => events.length === 1, 'an event')
    world.events.send(changed('2'))
    world.events.send(null)
    await reading.until(({ end }) => end === 'whole', 'the end')
    expect(reading.events).toEqual([
      ['next', priced('1')],
      ['next', priced('2')],
      ['complete', null],
    ])
  })

  it('has its events in the order of the source, whatever takes longer to complete', async () => {
    const first = Promise.withResolvers<void>()
    const began: string[] = []
    world.stock.wait = async ([upc = '']) => {
      began.push(upc)
      if (upc === '1') await first.promise
    }
    const reading = subscribe(world.router, CHANGED)
    await world.subscribed(1)
    for (const upc of ['1', '2', '3']) world.events.send(changed(upc))
    await until(() => began.length === 3, 'three events that are completed at once')
    first.resolve()
    await reading.until(({ events }) => events.length === 3, 'three events')
    expect(reading.events.map(([, data]) => data)).toEqual([priced('1'), priced('2'), priced('3')])
    world.stock.wait = () => Promise.resolve()
    world.events.send(null)
  })

  it('ends at the subgraph when its client leaves', async () => {
    await world.subscribed(0)
    const reading = subscribe(world.router, CHANGED)
    await world.subscribed(1)
    reading.leave()
    await world.subscribed(0)
  })

  it('shares the source of equal subscriptions, and gives each its own events', async () => {
    const one = subscribe(world.router, CHANGED)
    const other = subscribe(world.router, { query: CHANGED.query.replace('price', 'price again: price') })
    await world.subscribed(1)
    await until(() => one.status === 200 && other.status === 200, 'both')
    world.events.send(changed('4'))
    await one.until(({ events }) => events.length === 1, 'an event')
    await other.until(({ events }) => events.length === 1, 'an event')
    expect(other.events).toEqual([['next', { data: { changed: { upc: '4', price: 40, again: 40 } } }]])
    world.events.send(null)
    await one.until(({ end }) => end === 'whole', 'the end')
  })

  it.each([
    ['is not GraphQL', 'subscription {', 'GRAPHQL_PARSE_FAILED'],
    ['asks for a field that is not there', 'subscription { nothing }', 'GRAPHQL_VALIDATION_FAILED'],
    ['has two root fields', 'subscription { ticks changed { upc } }', 'GRAPHQL_VALIDATION_FAILED'],
  ])('says in its only event why a subscription that %s is refused', async (_what, query, code) => {
    const reading = subscribe(world.router, { query })
    await reading.until(({ end }) => end === 'whole', 'the end')
    expect(reading.status).toBe(200)
    expect(reading.events).toMatchObject([
      ['next', { errors: [{ extensions: { code } }] }],
      ['complete', null],
    ])
  })

  it('answers a query of a client that accepts nothing else', async () => {
    const reading = subscribe(world.router, { query: '{ __typename }' })
    await reading.until(({ end }) => end === 'whole', 'the end')
    expect(reading.events).toEqual([
      ['next', { data: { __typename: 'Query' } }],
      ['complete', null],
    ])
  })

  it('can be asked for by GET', async () => {
    const url = `${world.router.graphqlUrl}?query=${encodeURIComponent('subscription { ticks }')}`
    const headers = { accept: 'text/event-stream', 'apollo-require-preflight': 'true' }
    const reading = new Reading(url, { method: 'GET', headers })
    await world.subscribed(1)
    world.events.send({ ticks: 7 })
    world.events.send(null)
    await reading.until(({ end }) => end === 'whole', 'the end')
    expect(reading.events).toEqual([
      ['next', { data: { ticks: 7 } }],
      ['complete', null],
    ])
  })
})

describe('a page that subscribes by GET', () => {
  const ask = (headers: Record<string, string>) => {
    const query = encodeURIComponent('subscription { ticks }')
    const all = { accept: 'text/event-stream', ...headers }
    return new Reading(`${world.router.graphqlUrl}?query=${query}`, { method: 'GET', headers: all })
  }

  it.each<[string, Record<string, string>]>([
    ['of the router itself', { 'sec-fetch-site': 'same-origin' }],
    ['of the router itself, in a browser that says its origin', { origin: 'ROUTER' }],
  ])('%s is served, though it can send no header of its own', async (_what, { origin, ...headers }) => {
    const reading = ask({ ...headers, ...(origin !== undefined && { origin: world.router.url }) })
    await reading.until(({ status }) => status !== 0, 'an answer')
    expect(reading.status).toBe(200)
    reading.leave()
    await world.subscribed(0)
  })

  it.each<[string, Record<string, string>]>([
    ['of another origin', { origin: 'https://elsewhere.example', cookie: 'session=1' }],
    ['of another site that hides its origin', { 'sec-fetch-site': 'cross-site' }],
    ['of a neighbour that hides its origin', { 'sec-fetch-site': 'same-site', 'x-requested-with': 'x' }],
    ['in a browser that says nothing of it', { cookie: 'session=1' }],
  ])('%s gets 403', async (_what, headers) => {
    const reading = ask(headers)
    await reading.until(({ end }) => end === 'whole', 'an answer')
    expect([reading.status, JSON.parse(reading.text).errors[0].extensions.code]).toEqual([
      403,
      'CSRF_PREVENTED',
    ])
  })
})

describe('a multipart answer', () => {
  it('has each event as the payload of a part', async () => {
    const reading = subscribe(world.router, CHANGED, MULTIPART)
    await world.subscribed(1)
    await reading.until(({ status }) => status === 200, 'headers')
    expect(reading.headers['content-type']).toBe('multipart/mixed; boundary="graphql"; subscriptionSpec=1.0')
    world.events.send(changed('5'))
    world.events.send(changed('--graphql'))
    world.events.send(null)
    await reading.until(({ end }) => end === 'whole', 'the end')
    expect(reading.parts).toMatchObject([
      { payload: priced('5') },
      { payload: { data: { changed: { upc: '--graphql', price: null } } } },
    ])
    expect(reading.text).toMatch(/--graphql--\r\n$/)
  })
})

describe('a subscription', () => {
  it.each(['application/json', '*/*', 'multipart/mixed', 'multipart/mixed;subscriptionSpec="2.0"'])(
    'of a client that accepts %s gets 406',
    async (accept) => {
      const reply = await post(world.router, CHANGED, { accept })
      expect([reply.status, reply.json.errors?.[0]?.extensions['code']]).toEqual([
        406,
        'SUBSCRIPTION_BAD_HEADER',
      ])
    },
  )

  it('is refused where subscriptions are not switched on', async () => {
    await using other = await startShopRouter()
    const reply = await post(other.router, { query: 'subscription { ticks }' })
    expect(reply.json.errors?.[0]?.extensions['code']).toBe('SUBSCRIPTIONS_NOT_SUPPORTED')
  })

  it('passes on what its subgraph refuses', async () => {
    const reading = subscribe(world.router, { query: 'subscription { ticks }' })
    await world.subscribed(1)
    world.events.send({ ticks: 'no number' })
    await reading.until(({ events }) => events.length === 1, 'an event')
    expect(reading.events[0]?.[1]).toMatchObject({
      data: { ticks: null },
      errors: [{ path: ['ticks'], extensions: { serviceName: 'events' } }],
    })
    reading.leave()
  })
})
