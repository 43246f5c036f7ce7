/** A field that reads several subjects of a JetStream stream, on each NATS that is built for tests. */
import { jetstreamManager } from '@nats-io/jetstream'
import { natsServerAvailable, natsVersions } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { until } from '../support/router.ts'
import { subscribe } from '../subscriptions/support/read-events.ts'
import { type BrokerWorld, startBrokerWorld } from './support/broker-world.ts'

const EVENTS = `
  type Subscription {
    changed(id: ID!): Order!
      @edfs__natsSubscribe(
        subjects: ["stored.orders.{{ args.id }}", "stored.returns.*"]
        streamConfiguration: { streamName: "ORDERS", consumerName: "router" }
      )
  }
  type Order @key(fields: "id", resolvable: false) { id: ID! @external }`
const CHANGED = { query: 'subscription { changed(id: "a") { id } }' }

async function storing({ link }: BrokerWorld) {
  const manager = await jetstreamManager(link.connection)
  await manager.streams.add({ name: 'ORDERS', subjects: ['stored.>'] })
  return { consumers: async () => (await manager.consumers.list('ORDERS').next()).length }
}

describe.skipIf(natsVersions().length === 0)('several subjects of a stream', () => {
  it.each(natsVersions())(
    'are read in the order of the stream, and no others: NATS $version',
    async ({ path }) => {
      await using world = await startBrokerWorld({ events: EVENTS, path })
      const { consumers } = await storing(world)
      const reading = subscribe(world.router, CHANGED)
      await until(async () => (await consumers()) === 1, 'a consumer')
      const send = async (from: number, subjects: readonly string[]) => {
        for (const [index, subject] of subjects.entries())
          await world.link.connection.request(
            `stored.${subject}`,
            JSON.stringify({ id: String(from + index) }),
          )
      }
      const ids = () =>
        reading.events.map(([, data]) => (data as { data: { changed: { id: string } } }).data.changed.id)
      await send(1, [
        'orders.a',
        'returns.x',
        'orders.b',
        'returns.y',
        'orders.a',
        'returns.a.b',
        'returns.z',
      ])
      await until(() => ids().includes('7'), 'the last one')
      expect(ids()).toEqual(['1', '2', '4', '5', '7'])
      await world.nats.stop()
      await world.nats.restart()
      await world.link.whenConnected()
      await send(8, ['returns.x', 'orders.b', 'orders.a'])
      await until(() => ids().includes('10'), 'the last one after NATS was away')
      expect(ids().slice(5)).toEqual(['8', '10'])
      expect(reading.text).not.toContain('missed')
      reading.leave()
      await until(async () => (await consumers()) === 0, 'no consumer')
    },
  )
})

const isOld = /\bv?2\.9\./

describe.skipIf(!natsServerAvailable())('several subjects of a stream on a NATS before 2.10', () => {
  it('end their subscriptions, and the log says why', async ({ skip }) => {
    await using world = await startBrokerWorld({ events: EVENTS })
    if (!isOld.test(world.link.connection.info?.version ?? '')) skip('the NATS of this machine is newer')
    await storing(world)
    const reading = subscribe(world.router, CHANGED)
    await reading.until(({ end }) => end === 'whole', 'the end')
    expect(reading.events[0]).toMatchObject([
      'next',
      { errors: [{ extensions: { code: 'SUBGRAPH_UNREACHABLE' } }] },
    ])
    const lost = world.router.logs.filter(({ event }) => event === 'subscription.upstream-lost')
    expect(lost).toMatchObject([{ detail: "'filter_subjects' requires server 2.10.0" }])
  })
})
