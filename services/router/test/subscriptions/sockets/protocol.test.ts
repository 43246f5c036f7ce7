/**
 * The protocol `graphql-transport-ws`, statement by statement of its document:
 * https://github.com/enisdenjo/graphql-ws/blob/master/PROTOCOL.md
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { until } from '../../support/router.ts'
import { type ShopRouter, startShopRouter } from '../../support/shop-router.ts'
import { Talk } from './talk.ts'

const stack = new AsyncDisposableStack()
let started: ShopRouter
let url: string

beforeAll(async () => {
  const settings = `
subscriptions: { enabled: true, sockets: { max_operations: 3, init_timeout: 1s } }
limits: { max_body_size: 64KiB }
engine: { enable_defer: true }
`
  started = stack.use(await startShopRouter({ settings }))
  url = started.router.graphqlUrl
})
afterAll(() => stack.disposeAsync())

const SLOW = '{ slow(milliseconds: 60000) }'

describe('connection_init', () => {
  it.each([undefined, null, {}, { a: [1, { b: null }] }])(
    'is acknowledged with the payload %j',
    async (payload) => {
      await using talk = await Talk.open(url)
      talk.say({ type: 'connection_init', payload })
      expect(await talk.hear('connection_ack')).toEqual({ type: 'connection_ack' })
    },
  )
  it('comes once: a second one closes with 4429', async () => {
    await using talk = await Talk.ready(url)
    talk.say({ type: 'connection_init' })
    expect(await talk.closed).toEqual({ code: 4429, reason: 'Too many initialisation requests' })
  })
  it('comes once, even before the acknowledgement', async () => {
    await using talk = await Talk.open(url)
    talk.say({ type: 'connection_init' })
    talk.say({ type: 'connection_init' })
    expect((await talk.closed).code).toBe(4429)
  })
  it('has to come in time: 4408', async () => {
    await using talk = await Talk.open(url)
    expect(await talk.closed).toEqual({ code: 4408, reason: 'Connection initialisation timeout' })
  })
  it('comes before subscribe: 4401', async () => {
    await using talk = await Talk.open(url)
    talk.subscribe('1', '{ version }')
    expect(await talk.closed).toEqual({ code: 4401, reason: 'Unauthorized' })
  })
})

describe('ping and pong', () => {
  it.each([
    [{}, {}],
    [{ payload: { a: 1 } }, { payload: { a: 1 } }],
    [{ payload: null }, {}],
    [{ payload: { long: 'x'.repeat(2000) } }, {}],
  ])('a ping with %j is answered, before connection_init, too', async (ping, pong) => {
    await using talk = await Talk.open(url)
    talk.say({ type: 'ping', ...ping })
    expect(await talk.hear('pong')).toEqual({ type: 'pong', ...pong })
  })
  it('a pong that nobody asked for is ignored', async () => {
    await using talk = await Talk.ready(url)
    talk.say({ type: 'pong', payload: { a: 1 } })
    talk.subscribe('1', '{ version }')
    await talk.hear('complete', '1')
  })
})

describe('subscribe', () => {
  it('is answered with next and then complete', async () => {
    await using talk = await Talk.ready(url)
    talk.subscribe('1', '{ version }')
    await talk.hear('complete')
    expect(talk.heard).toEqual([{ id: '1', type: 'next', payload: { data: { version: 'products' } } }])
  })
  it('is answered with error, and nothing after it, if nothing is executed', async () => {
    await using talk = await Talk.ready(url)
    talk.subscribe('1', '{')
    talk.subscribe('2', '{ version }')
    await talk.hear('complete', '2')
    expect(talk.heard.filter(({ id }) => id === '1')).toEqual([
      {
        id: '1',
        type: 'error',
        payload: [expect.objectContaining({ extensions: { code: 'GRAPHQL_PARSE_FAILED' } })],
      },
    ])
  })
  it('of several operations is answered for each, whichever is ready first', async () => {
    await using talk = await Talk.ready(url)
    talk.subscribe('slow', '{ slow(milliseconds: 300) }')
    talk.subscribe('fast', '{ version }')
    await talk.hear('complete', 'slow')
    expect(talk.heard.map(({ id, type }) => `${String(id)} ${type}`)).toEqual([
      'fast next',
      'fast complete',
      'slow next',
    ])
  })
  it('may use an id again that is not in use any more', async () => {
    await using talk = await Talk.ready(url)
    for (let turn = 0; turn < 3; turn++) {
      talk.subscribe('1', '{ version }')
      await talk.hear('complete', '1')
    }
    talk.subscribe('1', SLOW)
    talk.say({ id: '1', type: 'complete' })
    talk.subscribe('1', '{ version }')
    await talk.hear('complete', '1')
  })
  it('with an id in use closes with 4409', async () => {
    await using talk = await Talk.ready(url)
    talk.subscribe('one', SLOW)
    talk.subscribe('one', '{ version }')
    expect(await talk.closed).toEqual({ code: 4409, reason: 'Subscriber for one already exists' })
  })
  it('passes numbers on with all their digits, and extensions', async () => {
    await using talk = await Talk.ready(url)
    talk.say(
      '{"id":"1","type":"subscribe","payload":{"query":"query Q($n: Int) { topProducts(first: $n) { upc } }","variables":{"n":1e0},"operationName":"Q","extensions":{"a":{}}}}',
    )
    expect(await talk.hear('next')).toMatchObject({ payload: { data: { topProducts: [{ upc: '1' }] } } })
  })
  it('of a subscription is answered with an error', async () => {
    await using talk = await Talk.ready(url)
    talk.subscribe('1', 'subscription { nothing }')
    expect(await talk.hear('error')).toMatchObject({ id: '1', payload: [{ message: expect.any(String) }] })
  })
  it('with a list is refused, as a batch has no place here', async () => {
    await using talk = await Talk.ready(url)
    talk.say({ id: '1', type: 'subscribe', payload: [{ query: '{ version }' }] })
    expect((await talk.closed).code).toBe(4400)
  })
  it('beyond the operations that are allowed at once is refused alone', async () => {
    await using talk = await Talk.ready(url)
    for (const id of ['1', '2', '3']) talk.subscribe(id, SLOW)
    talk.subscribe('4', '{ version }')
    expect(await talk.hear('error')).toMatchObject({
      id: '4',
      payload: [{ extensions: { code: 'OVERLOADED' }, message: expect.stringContaining('3 operations') }],
    })
    talk.say({ id: '3', type: 'complete' })
    talk.subscribe('5', '{ version }')
    await talk.hear('complete', '5')
  })
})

describe('complete', () => {
  it('ends an operation, of which nothing more is heard, and which is cancelled', async () => {
    const { router } = started
    await using talk = await Talk.ready(url)
    talk.subscribe('1', SLOW)
    await until(() => router.activeRequests() === 1, 'a request')
    talk.say({ id: '1', type: 'complete' })
    await until(() => router.activeRequests() === 0, 'its end')
    talk.subscribe('2', '{ version }')
    await talk.hear('complete', '2')
    expect(talk.heard.filter(({ id }) => id === '1')).toEqual([])
  })
  it('of an operation that is over, or never was, is ignored', async () => {
    await using talk = await Talk.ready(url)
    talk.say({ id: 'never', type: 'complete' })
    talk.subscribe('1', '{ version }')
    await talk.hear('complete', '1')
    talk.say({ id: '1', type: 'complete' })
    talk.subscribe('2', '{ version }')
    await talk.hear('complete', '2')
  })
  it('is said by the end of the WebSocket for all of its operations', async () => {
    const { router } = started
    const talk = await Talk.ready(url)
    for (const id of ['1', '2', '3']) talk.subscribe(id, SLOW)
    await until(() => router.activeRequests() === 3, 'three requests')
    await talk[Symbol.asyncDispose]()
    await until(() => router.activeRequests() === 0, 'its end')
  })
})

describe('an invalid message closes with 4400:', () => {
  it.each<[string, unknown, string]>([
    ['no JSON', 'nonsense', 'expected a JSON object'],
    ['half of it', '{"type":"ping"', 'expected a JSON object'],
    ['more than one', '{"type":"ping"}{"type":"ping"}', 'expected a JSON object'],
    ['a list', [], 'expected a JSON object'],
    ['a string', '"ping"', 'expected a JSON object'],
    ['nothing', '', 'expected a JSON object'],
    ['no type', {}, 'unknown type none'],
    ['an unknown type', { type: 'start' }, 'unknown type start'],
    ['a type of the server', { type: 'connection_ack' }, 'unknown type connection_ack'],
    ['a type that is no string', { type: 1 }, 'unknown type none'],
    ['a type twice', '{"type":"ping","type":"ping"}', 'expected a JSON object'],
    ['an init with a list', { type: 'connection_init', payload: [] }, 'connection_init is no object'],
    ['an init with a text', { type: 'connection_init', payload: 'x' }, 'connection_init is no object'],
    ['a large init', { type: 'connection_init', payload: { a: 'x'.repeat(40_000) } }, 'too large'],
    ['no id', { type: 'subscribe', payload: { query: '{ version }' } }, 'expected an id'],
    ['an empty id', { id: '', type: 'subscribe', payload: { query: '{ version }' } }, 'expected an id'],
    ['a number as id', { id: 1, type: 'subscribe', payload: { query: '{ version }' } }, 'expected an id'],
    ['a long id', { id: 'x'.repeat(1001), type: 'subscribe', payload: {} }, 'expected an id'],
    ['no payload', { id: '1', type: 'subscribe' }, 'payload of subscribe is no object'],
    ['a text as payload', { id: '1', type: 'subscribe', payload: 'x' }, 'payload of subscribe is no object'],
    ['complete without id', { type: 'complete' }, 'expected an id'],
    ['binary data', Buffer.from('{"type":"ping"}'), 'expected text'],
  ])('%s', async (_, message, reason) => {
    await using talk = await Talk.open(url)
    talk.say(message === undefined ? '' : message)
    const closed = await talk.closed
    expect(closed.code).toBe(4400)
    expect(closed.reason).toContain(reason)
  })
})

it('a message that is larger than a body may be closes with 1009', async () => {
  await using talk = await Talk.ready(url)
  talk.subscribe('1', `{ version } #${'x'.repeat(70 * 1024)}`)
  expect((await talk.closed).code).toBe(1009)
})

it('each operation is logged as a request, and the WebSocket once', async () => {
  const { router } = started
  const talk = await Talk.ready(url, undefined, { 'x-request-id': 'of the handshake' })
  talk.subscribe('1', 'query Alone { version }')
  await talk.hear('complete')
  talk.ws.close(1000)
  await talk.closed
  const line = await until(
    () => router.logs.findLast(({ event, operations }) => event === 'sockets.ended' && operations === 1),
    'the line',
  )
  expect(line).toMatchObject({ reason: 'client', code: 1000, operations: 1 })
  const answered = router.logs.filter(
    ({ event, operation }) => event === 'request.answered' && operation === 'Alone',
  )
  expect(answered).toEqual([expect.objectContaining({ method: 'POST', path: '/graphql', status: 200 })])
  expect(answered[0]?.['request_id']).not.toBe('of the handshake')
})
