/** A router that has nobody but itself. */
import { query, variantOf } from '@switchyard/e2e'
import { waitFor } from '@switchyard/testkit'
import type { Fault } from '../fault.ts'
import { PROGRAMS } from '../world/programs.ts'
import type { World } from '../world/world.ts'

const OTHERS = PROGRAMS.filter((name) => !name.startsWith('router'))

export const routerAlone: Fault = {
  name: 'router restarted with everything else down',
  done: 'NATS, Redis, registries, composers and config-distribution stopped; a router killed and started again; then all of them started',
  why: 'It starts from its last-known-good copy. Queries fail while it is down: those that were on it, and those that were sent to it alone.',
  begin: async (world) => {
    for (const name of OTHERS) await world.program(name).kill9()
    await world.nats.kill9()
    await world.redis.kill9()
    const router = world.program('router-0')
    await router.kill9()
    await router.start()
    await servesAgain(world)
  },
  lasts: 2000,
  end: async (world) => {
    await world.nats.restart()
    await world.redis.restart()
    for (const name of OTHERS) await world.program(name).start()
  },
  mayFail: /^connection:|NOT_READY|cut-stream/,
  healsWithin: 40_000,
}

async function servesAgain({ system }: World): Promise<void> {
  const [url = ''] = system.routerUrls
  await waitFor('the router to start from its copy', async () => (await fetch(`${url}/health/ready`)).ok)
  const variant = variantOf(await query(url))
  if (variant !== 'base') throw new Error(`the router that was started again answers ${variant}`)
}
