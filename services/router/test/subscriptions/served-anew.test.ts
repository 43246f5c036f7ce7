/** What becomes of subscriptions when something else is served, and when the router stops. */
import { describe, expect, it } from 'vitest'
import { until } from '../support/router.ts'
import { startEventWorld } from './support/event-world.ts'
import { subscribe } from './support/read-events.ts'

const CHANGED = { query: 'subscription { changed { upc price } }' }
const changed = (upc: string) => ({ changed: { upc } })
const dataOf = ([, data]: readonly [string, unknown]): unknown => data
const errorWith = (code: string) => ['next', { errors: [{ extensions: { code } }] }]

describe('a subscription', () => {
  it('goes on under another schema without losing an event', async () => {
    await using world = await startEventWorld()
    const reading = subscribe(world.router, CHANGED)
    await world.subscribed(1)
    let sent = 0
    const send = (): void => world.events.send(changed(String(++sent)))
    for (const revision of [2, 3, 4]) {
      send()
      await world.publish(revision, revision === 3 ? 'price: Int' : 'price: Int weight: Int')
      // The old schema is let go only when nobody has it any more.
      await until(() => {
        send()
        return world.router.logs.filter(({ event }) => event === 'config.swapped').length === revision
      }, `revision ${revision}`)
    }
    await reading.until(({ events }) => events.length === sent, 'every event')
    expect(reading.events.map(dataOf)).toEqual(
      Array.from({ length: sent }, (_, index) => ({
        data: { changed: { upc: String(index + 1), price: (index + 1) * 10 } },
      })),
    )
    expect(world.events.open).toHaveLength(1)
  })

  it('ends with the reason when the schema has no place for it any more', async () => {
    await using world = await startEventWorld()
    const reading = subscribe(world.router, CHANGED)
    const other = subscribe(world.router, { query: 'subscription { ticks }' })
    await world.subscribed(2)
    await world.publish(2, 'weight: Int')
    await reading.until(({ end }) => end === 'whole', 'the end')
    expect(reading.events).toMatchObject([errorWith('SUBSCRIPTION_SCHEMA_CHANGED'), ['complete', null]])
    expect(reading.text).toContain('Cannot query field')
    await world.subscribed(1)
    world.events.send({ ticks: 1 })
    await other.until(({ events }) => events.length === 1, 'an event')
  })

  it('of a flag ends when the flag is switched off, and others go on', async () => {
    await using world = await startEventWorld()
    await world.publish(2, 'price: Int', { heavy: 'price: Int weight: Int' })
    const query = 'subscription { changed { upc weight } }'
    const flagged = await until(async () => {
      const reading = subscribe(world.router, { query }, { 'x-feature-flag': 'heavy' })
      await reading.until(({ status }) => status !== 0, 'an answer')
      if (reading.headers['x-feature-flag'] === 'heavy') return reading
      reading.leave()
      return null
    }, 'the flag')
    const base = subscribe(world.router, CHANGED)
    await base.until(({ status }) => status === 200, 'headers')
    // Both are the same events of the same subgraph.
    await world.subscribed(1)
    world.events.send(changed('1'))
    await flagged.until(({ events }) => events.length === 1, 'an event')
    expect(flagged.events.map(dataOf)).toEqual([{ data: { changed: { upc: '1', weight: 1 } } }])
    await world.publish(3)
    await flagged.until(({ end }) => end === 'whole', 'the end')
    expect(flagged.events.slice(1)).toMatchObject([
      errorWith('SUBSCRIPTION_SCHEMA_CHANGED'),
      ['complete', null],
    ])
    world.events.send(changed('2'))
    await base.until(({ events }) => events.length === 2, 'an event')
  })

  it('ends when other settings are in force', async () => {
    await using world = await startEventWorld()
    const reading = subscribe(world.router, CHANGED)
    await world.subscribed(1)
    await world.apply('subscriptions: { enabled: true, max_subscriptions: 5 }')
    await reading.until(({ end }) => end === 'whole', 'the end')
    expect(reading.events).toMatchObject([errorWith('SUBSCRIPTION_SETTINGS_CHANGED'), ['complete', null]])
    await until(() => world.router.versions() === 1, 'the end of the old settings')
    await world.subscribed(0)
  })
})

describe('a router that stops', () => {
  it('breaks event streams off, and ends multipart answers with the reason', async () => {
    const world = await startEventWorld()
    const stream = subscribe(world.router, CHANGED)
    const multipart = subscribe(
      world.router,
      { query: 'subscription { ticks }' },
      {
        accept: 'multipart/mixed;subscriptionSpec=1.0',
      },
    )
    await world.subscribed(2)
    await world[Symbol.asyncDispose]()
    await stream.until(({ end }) => end !== null, 'the end')
    await multipart.until(({ end }) => end !== null, 'the end')
    expect([stream.end, stream.text]).toEqual(['cut', ''])
    expect(multipart.end).toBe('whole')
    expect(multipart.parts).toMatchObject([{ payload: null, errors: [{ extensions: { code: 'DRAINING' } }] }])
  })
})

describe('a client that does not read', () => {
  it('misses the oldest events, is told how many, and holds nobody up', async () => {
    await using world = await startEventWorld('queue: { max_events: 3 }')
    const slow = subscribe(world.router, CHANGED)
    await slow.until(({ status }) => status === 200, 'headers')
    const quick = subscribe(world.router, { query: 'subscription { changed { upc } }' })
    await world.subscribed(1)
    await slow.pause()
    // Large enough to fill what the system keeps of an answer.
    const large = 'x'.repeat(200_000)
    let sent = 0
    await until(async () => {
      world.events.send(changed(`${++sent}-${large}`))
      await quick.until(({ events }) => events.length === sent, 'an event of the quick client')
      return sent === 60
    }, 'sixty events')
    await slow.resume()
    await slow.until(({ text }) => text.includes('"missed"'), 'an event that says what was missed')
    world.events.send(null)
    await slow.until(({ end }) => end === 'whole', 'the end')
    const results = slow.events.slice(0, -1).map(dataOf) as {
      readonly extensions?: { readonly missed: number }
    }[]
    const missed = results.reduce((sum, { extensions }) => sum + (extensions?.missed ?? 0), 0)
    expect(results.length + missed).toBe(60)
    expect(missed).toBeGreaterThan(0)
  })
})

describe('a process', () => {
  it('serves no more subscriptions than it may', async () => {
    await using world = await startEventWorld('max_subscriptions: 1')
    const first = subscribe(world.router, CHANGED)
    await world.subscribed(1)
    const second = subscribe(world.router, CHANGED)
    await second.until(({ end }) => end === 'whole', 'the refusal')
    expect([second.status, JSON.parse(second.text).errors[0].extensions.code]).toEqual([503, 'OVERLOADED'])
    first.leave()
    await world.subscribed(0)
    const third = subscribe(world.router, CHANGED)
    await world.subscribed(1)
    third.leave()
  })
})
