/** NATS that goes away and comes back, and streams that keep what was published meanwhile. */
import { jetstreamManager } from '@nats-io/jetstream'
import { natsServerAvailable } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { until } from '../support/router.ts'
import { type Reading, subscribe } from '../subscriptions/support/read-events.ts'
import { type BrokerWorld, startBrokerWorld } from './support/broker-world.ts'

const CHANGED = { query: 'subscription { orderChanged(id: "1") { id } }' }
const STORED = { query: 'subscription { orderStored { id } }' }

function ids({ events }: Reading, field: string): readonly string[] {
  return events.flatMap(([, data]) => {
    const { data: shown } = data as { readonly data?: Readonly<Record<string, { readonly id: string }>> }
    return shown?.[field]?.id ?? []
  })
}

async function storing(world: BrokerWorld) {
  const manager = await jetstreamManager(world.link.connection)
  await manager.streams.add({ name: 'ORDERS', subjects: ['stored.orders.>'] })
  const consumers = async () => (await manager.consumers.list('ORDERS').next()).length
  return { consumers }
}

describe.skipIf(!natsServerAvailable())('a NATS that goes away', () => {
  it('and comes back in time goes on, and the next event says that some may be missing', async () => {
    await using world = await startBrokerWorld()
    const reading = subscribe(world.router, CHANGED)
    await world.subscribed('orders.changed.1', 1)
    world.publish('orders.changed.1', { id: '1' })
    await reading.until(({ events }) => events.length === 1, 'an event')
    await world.nats.restart()
    await world.link.whenConnected()
    await world.subscribed('orders.changed.1', 1)
    for (const id of ['2', '3']) world.publish('orders.changed.1', { id })
    await reading.until(({ events }) => events.length === 3, 'three events')
    expect(reading.events.map(([, data]) => data)).toEqual([
      { data: { orderChanged: { id: '1' } } },
      { data: { orderChanged: { id: '2' } }, extensions: { missed: 'unknown' } },
      { data: { orderChanged: { id: '3' } } },
    ])
  })

  it('for too long ends subscriptions with an error', async () => {
    await using world = await startBrokerWorld({ settings: 'upstream: { reconnect_window: 300ms }' })
    const reading = subscribe(world.router, CHANGED)
    await world.subscribed('orders.changed.1', 1)
    await world.nats.stop()
    await reading.until(({ end }) => end === 'whole', 'the end')
    expect(reading.events).toMatchObject([
      ['next', { errors: [{ extensions: { code: 'SUBGRAPH_UNREACHABLE' } }] }],
      ['complete', null],
    ])
  })

  it('is waited for at the beginning, as long as a subscription may take to open', async () => {
    await using world = await startBrokerWorld({ settings: 'upstream: { open_timeout: 500ms }' })
    await world.nats.stop()
    await until(() => !world.link.connected, 'the loss')
    const late = subscribe(world.router, CHANGED)
    await late.until(({ end }) => end === 'whole', 'the end')
    expect(late.events[0]).toMatchObject(['next', { errors: [{ extensions: { code: 'SUBGRAPH_TIMEOUT' } }] }])
    await world.nats.restart()
    await world.link.whenConnected()
    const reading = subscribe(world.router, CHANGED)
    await world.subscribed('orders.changed.1', 1)
    world.publish('orders.changed.1', { id: '1' })
    await reading.until(({ events }) => events.length === 1, 'an event')
  })
})

describe.skipIf(!natsServerAvailable())('a stream', () => {
  it('is read from what is stored after the subscription, and its consumer ends with it', async () => {
    await using world = await startBrokerWorld()
    const { consumers } = await storing(world)
    for (const id of ['1', '2']) world.publish('stored.orders.a', { id })
    await world.link.connection.flush()
    const readings = [subscribe(world.router, STORED), subscribe(world.router, STORED)]
    await until(async () => (await consumers()) === 1, 'a consumer for both')
    for (const id of ['3', '4']) world.publish('stored.orders.b.c', { id })
    for (const reading of readings) {
      await reading.until(({ events }) => events.length === 2, 'two events')
      expect(ids(reading, 'orderStored')).toEqual(['3', '4'])
      reading.leave()
    }
    await until(async () => (await consumers()) === 0, 'no consumer')
  })

  it('loses nothing and repeats nothing when NATS dies and comes back', async () => {
    await using world = await startBrokerWorld()
    const { consumers } = await storing(world)
    const reading = subscribe(world.router, STORED)
    await until(async () => (await consumers()) === 1, 'a consumer')
    const sent: string[] = []
    const send = async (count: number): Promise<void> => {
      for (let left = count; left > 0; left--) {
        const id = String(sent.length + 1)
        await world.link.connection.request('stored.orders.a', JSON.stringify({ id }))
        sent.push(id)
      }
    }
    for (const round of [1, 2]) {
      await send(20)
      await reading.until(({ events }) => events.length > 0, 'an event')
      await world.nats.stop()
      await world.nats.restart()
      await world.link.whenConnected()
      await send(20 * round)
    }
    await reading.until(({ events }) => events.length >= sent.length, 'all events')
    expect(ids(reading, 'orderStored')).toEqual(sent)
    expect(reading.text).not.toContain('missed')
  })

  it('that there is not ends its subscriptions', async () => {
    await using world = await startBrokerWorld()
    const reading = subscribe(world.router, STORED)
    await reading.until(({ end }) => end === 'whole', 'the end')
    expect(reading.events[0]).toMatchObject([
      'next',
      { errors: [{ extensions: { code: 'SUBGRAPH_UNREACHABLE' } }] },
    ])
  })
})
