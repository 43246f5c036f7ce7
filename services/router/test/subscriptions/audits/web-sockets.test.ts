/**
 * Subscriptions by `graphql-transport-ws`, statement by statement of its document:
 * https://github.com/enisdenjo/graphql-ws/blob/master/PROTOCOL.md. What it says of all operations is in
 * `sockets/protocol.test.ts`.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Talk } from '../sockets/talk.ts'
import { type EventWorld, startEventWorld } from '../support/event-world.ts'

const stack = new AsyncDisposableStack()
let world: EventWorld
let url: string

beforeAll(async () => {
  world = stack.use(await startEventWorld())
  url = world.router.graphqlUrl
})
afterAll(() => stack.disposeAsync())

const TICKS = 'subscription { ticks }'
const next = (id: string, data: unknown) => ({ id, type: 'next', payload: { data } })

/** Asks something on the WebSocket, so that everything before its answer has been heard. */
async function settle(talk: Talk): Promise<void> {
  talk.subscribe('settle', '{ __typename }')
  await talk.hear('complete', 'settle')
  await talk.hear('next', 'settle')
}

describe('subscribe', () => {
  it('begins events, which come as next in their order, and complete follows', async () => {
    await using talk = await Talk.ready(url)
    talk.subscribe('1', TICKS)
    await world.subscribed(1)
    for (const ticks of [1, 2, 3]) world.events.send({ ticks })
    world.events.send(null)
    expect(await talk.hear('complete', '1')).toEqual({ id: '1', type: 'complete' })
    expect(talk.heard).toEqual([1, 2, 3].map((ticks) => next('1', { ticks })))
    await settle(talk)
    expect(talk.heard).toHaveLength(3)
  })

  it('of several subscriptions on one WebSocket gives each its own events', async () => {
    await using talk = await Talk.ready(url)
    talk.subscribe('ticks', TICKS)
    talk.subscribe('changed', 'subscription { changed { upc price } }')
    await world.subscribed(2)
    world.events.send({ ticks: 1, changed: { upc: '2' } })
    expect(await talk.hear('next', 'ticks')).toEqual(next('ticks', { ticks: 1 }))
    expect(await talk.hear('next', 'changed')).toEqual(next('changed', { changed: { upc: '2', price: 20 } }))
    world.events.send(null)
    await talk.hear('complete', 'ticks')
    await talk.hear('complete', 'changed')
  })

  it('takes null for what it may leave out', async () => {
    await using talk = await Talk.ready(url)
    const payload = { query: TICKS, variables: null, operationName: null, extensions: null }
    talk.say({ id: '1', type: 'subscribe', payload })
    await world.subscribed(1)
    world.events.send({ ticks: 1 })
    expect(await talk.hear('next')).toEqual(next('1', { ticks: 1 }))
  })

  it('names one of several operations, and gives its variables', async () => {
    await using talk = await Talk.ready(url)
    const query = `${TICKS.replace('{', 'A {')} subscription B($t: String) { changed(type: $t) { upc } }`
    talk.say({
      id: '1',
      type: 'subscribe',
      payload: { query, operationName: 'B', variables: { t: 'tent' } },
    })
    await world.subscribed(1)
    expect(world.events.open[0]?.variables).toEqual({ type: 'tent' })
  })

  it('with the id of a subscription in progress closes with 4409, and ends all of them', async () => {
    await using talk = await Talk.ready(url)
    talk.subscribe('1', TICKS)
    talk.subscribe('2', 'subscription { changed { upc } }')
    await world.subscribed(2)
    talk.subscribe('1', TICKS)
    expect(await talk.closed).toEqual({ code: 4409, reason: 'Subscriber for 1 already exists' })
    await world.subscribed(0)
  })

  it('may use the id again of a subscription that was completed, ended or refused', async () => {
    await using talk = await Talk.ready(url)
    talk.subscribe('1', TICKS)
    await world.subscribed(1)
    talk.say({ id: '1', type: 'complete' })
    talk.subscribe('1', 'subscription { nothing }')
    await talk.hear('error', '1')
    await world.subscribed(0)
    talk.subscribe('1', TICKS)
    await world.subscribed(1)
    world.events.send(null)
    await talk.hear('complete', '1')
    talk.subscribe('1', TICKS)
    await world.subscribed(1)
    world.events.send({ ticks: 5 })
    expect(await talk.hear('next', '1')).toEqual(next('1', { ticks: 5 }))
  })
})

describe('error', () => {
  it.each<[string, unknown, string]>([
    ['not GraphQL', { query: 'subscription {' }, 'GRAPHQL_PARSE_FAILED'],
    ['not valid', { query: 'subscription { nothing }' }, 'GRAPHQL_VALIDATION_FAILED'],
    ['of two root fields', { query: 'subscription { ticks b: ticks }' }, 'GRAPHQL_VALIDATION_FAILED'],
    ['unknown', { query: TICKS, operationName: 'Other' }, 'OPERATION_RESOLUTION_FAILURE'],
    [
      'of wrong variables',
      { query: 'subscription ($t: String!) { changed(type: $t) { upc } }' },
      'BAD_USER_INPUT',
    ],
  ])('tells that a subscription is %s, and no complete follows', async (_what, payload, code) => {
    await using talk = await Talk.ready(url)
    talk.say({ id: '1', type: 'subscribe', payload })
    expect(await talk.hear('error')).toMatchObject({ id: '1', payload: [{ extensions: { code } }] })
    await settle(talk)
    expect(talk.heard).toEqual([])
  })

  it('is not how fields that fail are told: those are in next, and the subscription goes on', async () => {
    await using talk = await Talk.ready(url)
    talk.subscribe('1', TICKS)
    await world.subscribed(1)
    world.events.send({ ticks: 'no number' })
    world.events.send({ ticks: 6 })
    expect(await talk.hear('next')).toMatchObject({
      payload: { data: { ticks: null }, errors: [{ path: ['ticks'] }] },
    })
    expect(await talk.hear('next')).toEqual(next('1', { ticks: 6 }))
  })
})

describe('complete', () => {
  it('of the client ends the subscription at the subgraph, and nothing more is heard of it', async () => {
    await using talk = await Talk.ready(url)
    talk.subscribe('1', TICKS)
    talk.subscribe('2', 'subscription { changed { upc } }')
    await world.subscribed(2)
    talk.say({ id: '1', type: 'complete' })
    await world.subscribed(1)
    world.events.send({ ticks: 1, changed: { upc: '1' } })
    await talk.hear('next', '2')
    await settle(talk)
    expect(talk.heard).toEqual([])
  })
})

describe('the end of a WebSocket ends all of its subscriptions:', () => {
  it.each<[string, (talk: Talk) => void, number]>([
    ['the client closes it with 1000', ({ ws }) => ws.close(1000), 1000],
    ['a message is none of the protocol', (talk) => talk.say({ type: 'start' }), 4400],
    ['the client initialises twice', (talk) => talk.say({ type: 'connection_init' }), 4429],
  ])('%s', async (_what, end, code) => {
    await using talk = await Talk.ready(url)
    talk.subscribe('1', TICKS)
    talk.subscribe('2', 'subscription { changed { upc } }')
    await world.subscribed(2)
    end(talk)
    expect((await talk.closed).code).toBe(code)
    await world.subscribed(0)
    expect(talk.heard).toEqual([])
  })
})

it('a ping is answered between events', async () => {
  await using talk = await Talk.ready(url)
  talk.subscribe('1', TICKS)
  await world.subscribed(1)
  world.events.send({ ticks: 1 })
  await talk.hear('next')
  talk.say({ type: 'ping', payload: { a: 1 } })
  expect(await talk.hear('pong')).toEqual({ type: 'pong', payload: { a: 1 } })
  world.events.send({ ticks: 2 })
  expect(await talk.hear('next')).toEqual(next('1', { ticks: 2 }))
})
