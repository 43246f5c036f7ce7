/** Faults that subscriptions might notice: a source that breaks, and brokers that are away. */
import { waitFor } from '@switchyard/testkit'
import type { Fault } from '../fault.ts'
import type { SalesClient } from '../world/sales.ts'
import type { World } from '../world/world.ts'

type OnSubscriptions = Pick<Fault, 'name' | 'done' | 'why' | 'healsWithin'> & {
  readonly breaks: (world: World) => Promise<void>
  readonly mends: (world: World) => Promise<void>
  /** How often each client must be told that sales may be missing. */
  readonly gaps: number
}

/** Makes a fault during which a client of each router listens to sales. */
function onSubscriptions({ breaks, mends, gaps, ...fault }: OnSubscriptions): Fault {
  let clients: readonly SalesClient[] = []
  return {
    ...fault,
    begin: async (world) => {
      clients = await (await world.sales()).listen()
      await breaks(world)
    },
    lasts: 2000,
    end: mends,
    after: async () => {
      try {
        await Promise.all(clients.map((client) => goesOn(client)))
      } finally {
        await Promise.all(clients.map((client) => client.stop()))
      }
      for (const client of clients) {
        if (client.complaints.length > 0) throw new Error(`a subscription: ${client.complaints.join('; ')}`)
        if (client.gaps !== gaps)
          throw new Error(`a subscription was told of ${client.gaps} gaps, expected ${gaps}`)
      }
    },
  }
}

/** Waits until sales come again, under the schema that was published last. */
async function goesOn(client: SalesClient): Promise<void> {
  const before = client.sales.length
  await waitFor('more sales', () => {
    if (client.complaints.length > 0) throw new Error(client.complaints.join('; '))
    return client.sales.length > before + 50 || undefined
  })
}

export const subscriptionFaults: readonly Fault[] = [
  onSubscriptions({
    name: 'subscriptions: the connection to the source is cut',
    done: 'the connection of both routers to a subgraph that sends events is reset, and each new one as well, for 2 seconds',
    why: 'Clients keep their subscriptions. The routers subscribe again, and the next event says that some may be missing.',
    breaks: async (world) => (await world.sales()).network.cut(),
    mends: async (world) => (await world.sales()).network.pass(),
    gaps: 1,
    healsWithin: 10_000,
  }),
  onSubscriptions({
    name: 'subscriptions: NATS and Redis are away',
    done: 'NATS and Redis killed under subscriptions, started again after 2 seconds, and then a schema is published',
    why: 'Events need neither of them. The subscriptions move to the new schema and lose no event.',
    breaks: async (world) => {
      await world.nats.kill9()
      await world.redis.kill9()
    },
    mends: async (world) => {
      await world.nats.restart()
      await world.redis.restart()
    },
    gaps: 0,
    healsWithin: 30_000,
  }),
]
