/** A service that does not read what NATS sends it, until NATS gives it up. */
import { connectNats } from '@switchyard/event-log'
import { waitFor } from '@switchyard/testkit'
import type { Fault } from '../fault.ts'
import type { World } from '../world/world.ts'

const SLOW = ['config-distribution', 'registry-0'] as const
const MESSAGE = JSON.stringify({ text: 'x'.repeat(64 * 1024) })
const MESSAGES = 400

export const slowConsumer: Fault = {
  name: 'slow consumer',
  done: 'config-distribution and a registry read nothing from NATS while 25 MB of heartbeats come for them, until NATS ends their connections',
  why: 'They connect anew and go on behind the last record that they have read; what was a notice only is lost, and nobody needs it.',
  begin: async (world) => {
    const before = await slowConsumersOf(world)
    for (const name of SLOW) world.wire(name, 'nats').stall()
    await using link = await connectNats({ url: world.stores.natsUrl('admin'), name: 'faults' })
    for (let sent = 0; sent < MESSAGES; sent++) {
      link.connection.publish('router.status.default.shop.nobody', MESSAGE)
      if (sent % 20 === 0) await link.connection.flush()
    }
    await link.connection.flush()
    await waitFor('NATS to give them up', async () => (await slowConsumersOf(world)) >= before + SLOW.length)
  },
  lasts: 1000,
  end: async (world) => {
    for (const name of SLOW) world.wire(name, 'nats').pass()
  },
  healsWithin: 30_000,
}

async function slowConsumersOf({ nats }: World): Promise<number> {
  const response = await fetch(`${nats.monitoringUrl}/varz`)
  const told: unknown = await response.json()
  return typeof told === 'object' && told !== null && 'slow_consumers' in told
    ? Number(told.slow_consumers)
    : 0
}
