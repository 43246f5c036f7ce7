/** Subscriptions whose events come from a real NATS, on a real router. */
import { natsServerAvailable, recordSpans } from '@switchyard/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { until } from '../support/router.ts'
import { type Reading, subscribe } from '../subscriptions/support/read-events.ts'
import { type BrokerWorld, startBrokerWorld } from './support/broker-world.ts'

const stack = new AsyncDisposableStack()
let world: BrokerWorld

/** Subscribes, and waits until NATS knows it. */
async function subscribed(query: string, subject: string, variables = {}): Promise<Reading> {
  const reading = subscribe(world.router, { query, variables })
  await world.subscribed(subject, 1)
  await reading.until(({ status }) => status === 200, 'headers')
  return reading
}

function dataOf({ events }: Reading): readonly unknown[] {
  return events.map(([, data]) => data)
}

/** The events of orders, from a subject with this word in it. */
function eventsAt(word: string): string {
  return `
    type Subscription {
      orderChanged(id: ID!): Order! @edfs__natsSubscribe(subjects: ["orders.${word}.{{ args.id }}"])
    }
    type Order @key(fields: "id", resolvable: false) { id: ID! @external }`
}

const CHANGED = 'subscription ($id: ID!) { orderChanged(id: $id) { id status } }'

describe.skipIf(!natsServerAvailable())('events from NATS', () => {
  beforeAll(async () => {
    world = stack.use(await startBrokerWorld())
  })
  afterAll(() => stack.disposeAsync())

  it('reach clients with what other subgraphs add, in their order', async () => {
    const reading = await subscribed(CHANGED, 'orders.changed.7', { id: '7' })
    for (const id of ['7', '8', '9']) world.publish('orders.changed.7', { id })
    await reading.until(({ events }) => events.length === 3, 'three events')
    expect(dataOf(reading)).toEqual(
      ['7', '8', '9'].map((id) => ({ data: { orderChanged: { id, status: `status of ${id}` } } })),
    )
    reading.leave()
    await world.subscribed('orders.changed.7', 0)
  })

  it('have spans that say so', async () => {
    using spans = recordSpans()
    const reading = await subscribed(CHANGED, 'orders.changed.5', { id: '5' })
    world.publish('orders.changed.5', { id: '5' })
    await reading.until(({ events }) => events.length === 1, 'an event')
    reading.leave()
    await world.subscribed('orders.changed.5', 0)
    const named = (name: string) => until(() => spans.finished().find((span) => span.name === name), name)
    const source = {
      'switchyard.subscription.subgraph': 'events',
      'switchyard.subscription.protocol': 'nats',
    }
    for (const name of ['subscription event', 'POST /graphql'])
      expect((await named(name)).attributes).toMatchObject(source)
    const [event, call] = [await named('subscription event'), await named('subgraph orders')]
    expect(call.parentSpanContext?.spanId).toBe(event.spanContext().spanId)
  })

  it('come under the names that the client gives them, of all subjects of a field', async () => {
    const reading = await subscribed(
      'subscription { changed: anyOrderChanged { type: __typename first: id again: id price } }',
      'orders.other',
    )
    world.publish('orders.other', { __typename: 'Order', id: 1 })
    await reading.until(({ events }) => events.length === 1, 'an event')
    world.publish('orders.changed.x', { id: '2', more: { than: ['is', 'asked'] } })
    await reading.until(({ events }) => events.length === 2, 'two events')
    expect(dataOf(reading)).toEqual([
      { data: { changed: { type: 'Order', first: '1', again: '1', price: 10 } } },
      { data: { changed: { type: 'Order', first: '2', again: '2', price: 20 } } },
    ])
    reading.leave()
    await world.subscribed('orders.other', 0)
  })

  it('are shared by equal subjects, and each selection has its own', async () => {
    const one = await subscribed(CHANGED, 'orders.changed.3', { id: '3' })
    const others = [
      subscribe(world.router, { query: CHANGED, variables: { id: '3' } }),
      subscribe(world.router, { query: 'subscription { orderChanged(id: "3") { price } }' }),
    ]
    await until(() => others.every(({ status }) => status === 200), 'all')
    await world.subscribed('orders.changed.3', 1)
    world.publish('orders.changed.3', { id: '3' })
    const all = [one, ...others]
    for (const reading of all) await reading.until(({ events }) => events.length === 1, 'an event')
    expect(dataOf(all[2] ?? one)).toEqual([{ data: { orderChanged: { price: 30 } } }])
    for (const reading of all) reading.leave()
    await world.subscribed('orders.changed.3', 0)
  })

  it('have the type that they tell, where there are several', async () => {
    const reading = await subscribed(
      'subscription { noteWritten { text ... on Memo { pages } ... on Letter { to } } }',
      'notes.written',
    )
    world.publish('notes.written', { __typename: 'Memo', text: 'a', pages: [1, 2] })
    world.publish('notes.written', { __typename: 'Letter', text: 'b' })
    await reading.until(({ events }) => events.length === 2, 'two events')
    expect(dataOf(reading)).toEqual([
      { data: { noteWritten: { text: 'a', pages: [1, 2] } } },
      { data: { noteWritten: { text: 'b', to: null } } },
    ])
    reading.leave()
    await world.subscribed('notes.written', 0)
  })

  it('are those that the filter lets pass, by the arguments of each client', async () => {
    const FILTERED =
      'subscription ($shops: [ID!]!, $not: String) { ordersOf(shops: $shops, not: $not) { id } }'
    const one = await subscribed(FILTERED, 'orders.filtered', { shops: ['1', '2'] })
    const other = subscribe(world.router, { query: FILTERED, variables: { shops: ['2'], not: 'late' } })
    await until(() => other.status === 200, 'both')
    const orders = [
      { id: 'a', shop: { id: 1 }, tags: ['x'] },
      { id: 'b', shop: { id: '2' }, tags: ['late'] },
      { id: 'c', shop: { id: '2' }, tags: ['x', 'draft'] },
      { id: 'd', shop: { id: '3' }, tags: ['x'] },
      { id: 'e', tags: ['x'] },
      { id: 'f', shop: { id: '2' } },
      { id: 'g', shop: { id: '2' }, tags: [] },
      { id: 'h', shop: { id: 2 }, tags: ['x'] },
    ]
    for (const order of orders) world.publish('orders.filtered', order)
    const idsOf = (reading: Reading) =>
      dataOf(reading).map((data) => (data as { data: { ordersOf: { id: string } } }).data.ordersOf.id)
    await one.until((reading) => idsOf(reading).includes('h'), 'the last one')
    await other.until((reading) => idsOf(reading).includes('h'), 'the last one')
    expect(idsOf(one)).toEqual(['a', 'b', 'g', 'h'])
    expect(idsOf(other)).toEqual(['g', 'h'])
    one.leave()
    other.leave()
    await world.subscribed('orders.filtered', 0)
  })

  it('are refused for a filter with thousands of values', async () => {
    const shops = Array.from({ length: 1001 }, (_, index) => String(index))
    const reading = subscribe(world.router, {
      query: 'subscription ($shops: [ID!]!) { ordersOf(shops: $shops) { id } }',
      variables: { shops },
    })
    await reading.until(({ end }) => end === 'whole', 'the end')
    expect(reading.events[0]).toMatchObject([
      'next',
      { errors: [{ extensions: { code: 'BAD_USER_INPUT' } }] },
    ])
  })

  it('are skipped and logged with restraint if they do not fit the schema', async () => {
    const reading = await subscribed(
      'subscription { noteWritten { text ... on Memo { pages } } }',
      'notes.written',
    )
    const nonsense = [
      Buffer.from('{'),
      Buffer.from([0xff, 0xfe]),
      'text',
      null,
      [],
      {},
      { __typename: 'Order', text: 'a' },
      { __typename: 'Memo', text: 'a' },
      { __typename: 'Memo', text: null, pages: [] },
      { __typename: 'Memo', text: 'a', pages: [1, 'two'] },
      { __typename: 'Memo', text: 'a', pages: [2 ** 40] },
      { __typename: 'Memo', text: { secret: 'x' }, pages: [] },
    ]
    for (const payload of nonsense) world.publish('notes.written', payload)
    world.publish('notes.written', { __typename: 'Memo', text: 'z', pages: [] })
    await reading.until(({ events }) => events.length > 0, 'an event')
    expect(dataOf(reading)).toEqual([{ data: { noteWritten: { text: 'z', pages: [] } } }])
    const lines = world.router.logs.filter(({ event }) => event === 'events.message-skipped')
    expect(lines).toHaveLength(1)
    expect(lines[0]).toMatchObject({
      subgraph: 'events',
      field: 'Subscription.noteWritten',
      reason: 'is no JSON object',
      count: 1,
    })
    reading.leave()
    await world.subscribed('notes.written', 0)
  })

  it.each(['*', '>', '1.2', '', ' ', 'a b', 'ü', 'x'.repeat(129), '1\r\nPUB orders.changed.1 0\r\n'])(
    'are refused before a call for the argument %j',
    async (id) => {
      const reading = subscribe(world.router, { query: CHANGED, variables: { id } })
      await reading.until(({ end }) => end === 'whole', 'the end')
      expect(reading.events).toMatchObject([
        ['next', { errors: [{ extensions: { code: 'BAD_USER_INPUT' } }] }],
        ['complete', null],
      ])
    },
  )

  it.each([
    ['elsewhere', 'EVENT_PROVIDER_MISSING'],
    ['fromKafka', 'EVENT_SOURCE_NOT_SERVED'],
  ])('of %s are refused with %s', async (field, code) => {
    const reading = subscribe(world.router, { query: `subscription { ${field} { id } }` })
    await reading.until(({ end }) => end === 'whole', 'the end')
    expect(reading.events[0]).toMatchObject(['next', { errors: [{ extensions: { code } }] }])
  })

  it('go on when another composition is served, and end when their subjects are others', async () => {
    const own = stack.use(await startBrokerWorld())
    const reading = subscribe(own.router, { query: CHANGED, variables: { id: '1' } })
    await own.subscribed('orders.changed.1', 1)
    await own.serve(2, `${eventsAt('changed')} type Other { note: String }`)
    await until(
      () => own.router.logs.filter(({ event }) => event === 'config.swapped').length === 2,
      'revision 2',
    )
    own.publish('orders.changed.1', { id: '1' })
    await reading.until(({ events }) => events.length === 1, 'an event')
    await own.serve(3, eventsAt('moved'))
    await reading.until(({ end }) => end === 'whole', 'the end')
    expect(reading.events.at(-2)).toMatchObject([
      'next',
      { errors: [{ extensions: { code: 'SUBSCRIPTION_SCHEMA_CHANGED' } }] },
    ])
  })
})
