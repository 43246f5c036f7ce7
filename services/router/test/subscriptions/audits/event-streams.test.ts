/**
 * GraphQL over server-sent events, distinct connections mode, statement by statement of its document:
 * https://github.com/enisdenjo/graphql-sse/blob/master/PROTOCOL.md
 */
import { createClient, NetworkError } from 'graphql-sse'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { post, send, until } from '../../support/router.ts'
import { type ShopRouter, startShopRouter } from '../../support/shop-router.ts'
import { Heard } from '../clients/heard.ts'
import { type EventWorld, startEventWorld } from '../support/event-world.ts'
import { Reading, subscribe } from '../support/read-events.ts'

const stack = new AsyncDisposableStack()
let shop: ShopRouter
let world: EventWorld

beforeAll(async () => {
  shop = stack.use(await startShopRouter({ settings: 'subscriptions: { enabled: true }' }))
  world = stack.use(await startEventWorld('keep_alive: 1s'))
})
afterAll(() => stack.disposeAsync())

type Body = Readonly<Record<string, unknown>>

/** Reads an answer to its end. */
async function whole(reading: Reading): Promise<Reading> {
  await reading.until(({ end }) => end !== null, 'the end')
  expect(reading.end).toBe('whole')
  return reading
}

function get(parameters: Readonly<Record<string, string>>): Reading {
  const headers = { accept: 'text/event-stream', 'apollo-require-preflight': 'true' }
  const url = `${shop.router.graphqlUrl}?${new URLSearchParams(parameters).toString()}`
  return new Reading(url, { method: 'GET', headers })
}

const VARIABLE = 'query Top($n: Int!) { topProducts(first: $n) { upc } }'
const answer = (data: unknown) => [
  ['next', { data }],
  ['complete', null],
]
const refused = (code: string) => [
  ['next', { errors: [expect.objectContaining({ extensions: { code } })] }],
  ['complete', null],
]

describe('the result of an operation is streamed, and complete follows', () => {
  it.each<[string, Body, unknown]>([
    ['a query', { query: '{ version }' }, { version: 'products' }],
    [
      'a mutation',
      { query: 'mutation { rename(upc: "1", name: "Desk") { name } }' },
      { rename: { name: 'Desk' } },
    ],
    [
      'an operation with variables',
      { query: VARIABLE, variables: { n: 1 } },
      { topProducts: [{ upc: '1' }] },
    ],
    [
      'one of several operations',
      { query: 'query A { version } query B { b: version }', operationName: 'B' },
      { b: 'products' },
    ],
    [
      'an operation whose other parameters are null',
      { query: '{ version }', variables: null, operationName: null, extensions: null },
      { version: 'products' },
    ],
    [
      'an operation with the id of a single connection, which is ignored',
      { query: '{ version }', extensions: { operationId: '1' } },
      { version: 'products' },
    ],
  ])('%s', async (_what, body, data) => {
    const reading = await whole(subscribe(shop.router, body))
    expect([reading.status, reading.headers['content-type']]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
    ])
    expect(reading.events).toEqual(answer(data))
  })

  it('of a query by GET, with variables and the name of the operation', async () => {
    const reading = await whole(get({ query: VARIABLE, variables: '{"n":1}', operationName: 'Top' }))
    expect(reading.events).toEqual(answer({ topProducts: [{ upc: '1' }] }))
  })

  it('of a query whose fields fail, with data and errors in one result', async () => {
    const reading = await whole(subscribe(shop.router, { query: '{ fails version }' }))
    expect(reading.events).toMatchObject([
      ['next', { data: { fails: null, version: 'products' }, errors: [{ path: ['fails'] }] }],
      ['complete', null],
    ])
  })
})

describe('what is refused before execution is told in a next event, and complete follows', () => {
  it.each<[string, Body, string]>([
    ['what is not GraphQL', { query: '{' }, 'GRAPHQL_PARSE_FAILED'],
    ['an unknown field', { query: '{ nothing }' }, 'GRAPHQL_VALIDATION_FAILED'],
    [
      'an unknown operation',
      { query: 'query A { version }', operationName: 'B' },
      'OPERATION_RESOLUTION_FAILURE',
    ],
    [
      'several operations without a name',
      { query: 'query A { version } query B { version }' },
      'OPERATION_RESOLUTION_FAILURE',
    ],
    ['a variable of another type', { query: VARIABLE, variables: { n: 'x' } }, 'BAD_USER_INPUT'],
    ['a variable that is missing', { query: VARIABLE }, 'BAD_USER_INPUT'],
  ])('%s', async (_what, body, code) => {
    const reading = await whole(subscribe(shop.router, body))
    expect([reading.status, reading.headers['content-type']]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
    ])
    expect(reading.events).toMatchObject(refused(code))
  })

  it('also by GET', async () => {
    expect((await whole(get({ query: '{ nothing }' }))).events).toMatchObject(
      refused('GRAPHQL_VALIDATION_FAILED'),
    )
  })
})

describe('a request that is none of GraphQL over HTTP has the status that it has there', () => {
  it.each<[string, () => Reading, number]>([
    ['no query', () => subscribe(shop.router, {}), 400],
    ['an empty query', () => subscribe(shop.router, { query: '' }), 400],
    ['a list of variables', () => subscribe(shop.router, { query: '{ version }', variables: [1] }), 400],
    ['no query by GET', () => get({}), 400],
    ['variables by GET that are no JSON', () => get({ query: '{ version }', variables: '{' }), 400],
    ['a mutation by GET', () => get({ query: 'mutation { rename(upc: "1", name: "No") { name } }' }), 405],
  ])('%s', async (_what, ask, status) => {
    const reading = await whole(ask())
    expect([reading.status, reading.headers['content-type']]).toEqual([
      status,
      'application/json; charset=utf-8',
    ])
  })
})

describe('Accept', () => {
  it.each([
    ['TEXT/Event-Stream', 'text/event-stream; charset=utf-8'],
    ['text/event-stream; charset=utf-8', 'text/event-stream; charset=utf-8'],
    ['text/event-stream, application/json', 'application/json; charset=utf-8'],
    ['*/*', 'application/json; charset=utf-8'],
  ])('%s of a query is answered with %s', async (accept, type) => {
    const { headers } = await post(shop.router, { query: '{ version }' }, { accept })
    expect(headers['content-type']).toBe(type)
  })

  it('of a subscription names the event stream, whatever else it names', async () => {
    const reading = subscribe(
      world.router,
      { query: 'subscription { ticks }' },
      { accept: 'application/json, multipart/mixed;subscriptionSpec="1.0";q=0.5, text/event-stream;q=0.1' },
    )
    await reading.until(({ status }) => status !== 0, 'headers')
    expect([reading.status, reading.headers['content-type']]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
    ])
    reading.leave()
    await world.subscribed(0)
  })

  it('without the event stream is no Accept of it, also with a quality of zero', async () => {
    const { status } = await post(
      world.router,
      { query: 'subscription { ticks }' },
      { accept: 'text/event-stream;q=0' },
    )
    expect(status).toBe(406)
  })
})

describe('the stream is one of server-sent events', () => {
  it('in which every line is a field or a comment, and the text of values is as it was', async () => {
    const reading = subscribe(world.router, { query: 'subscription { changed { upc } }' })
    await world.subscribed(1)
    const texts = [
      'a\nb',
      'a\r\nb',
      'a\rb',
      '\n\n',
      'data: x\n\nevent: complete\n',
      ': \u0000\u2028\u2029\uFEFF',
      'é✂😀',
      '',
    ]
    for (const upc of texts) world.events.send({ changed: { upc } })
    world.events.send(null)
    await whole(reading)
    expect(reading.events).toEqual([
      ...texts.map((upc) => ['next', { data: { changed: { upc } } }]),
      ['complete', null],
    ])
    for (const line of reading.text.split('\n'))
      expect(line).toMatch(/^(?:event: (?:next|complete)|data: .*|:.*|)$/s)
    expect(reading.text).not.toMatch(/\r|^\uFEFF/)
  })

  it('shows that it is there while nothing happens', async () => {
    const reading = subscribe(world.router, { query: 'subscription { ticks }' })
    await reading.until(({ text }) => text.includes(':\n\n'), 'a comment')
    expect(reading.events).toEqual([])
    reading.leave()
    await world.subscribed(0)
  })
})

describe('an operation ends when its client closes the connection', () => {
  it('a query', async () => {
    const reading = subscribe(shop.router, { query: '{ slow(milliseconds: 60000) }' })
    await until(() => shop.router.activeRequests() === 1, 'a request')
    reading.leave()
    await until(() => shop.router.activeRequests() === 0, 'its end')
  })

  it('a subscription, of which others that are equal go on', async () => {
    const leaving = subscribe(world.router, { query: 'subscription { ticks }' })
    const staying = subscribe(world.router, { query: 'subscription { ticks }' })
    await world.subscribed(1)
    for (const one of [leaving, staying]) await one.until(({ status }) => status === 200, 'headers')
    leaving.leave()
    world.events.send({ ticks: 1 })
    world.events.send(null)
    expect((await whole(staying)).events).toEqual(answer({ ticks: 1 }))
  })
})

describe('the single connection mode is not served', () => {
  it.each(['PUT', 'DELETE'])('%s gets 405, with the methods that are', async (method) => {
    const headers = { accept: 'text/event-stream' }
    const reply = await send(shop.router.graphqlUrl, { method, headers })
    expect([reply.status, reply.headers.allow]).toEqual([405, 'GET, POST'])
  })

  it('the client of graphql-sse is told so', async () => {
    const heard = new Heard()
    const client = createClient({ url: shop.router.graphqlUrl, singleConnection: true, retryAttempts: 0 })
    client.subscribe({ query: '{ version }' }, heard)
    await heard.isOver()
    expect(heard.end).toBeInstanceOf(NetworkError)
    expect(heard.end).toMatchObject({ response: { status: 405 } })
    client.dispose()
  })
})
