/** Names that cannot be looked up. */
import type { Fault } from '../fault.ts'
import { namesMissing } from '../world/names.ts'
import { PROGRAMS, READS_REDIS } from '../world/programs.ts'
import type { World } from '../world/world.ts'

export const dnsFails: Fault = {
  name: 'DNS fails',
  done: 'for 5 s no service can look up NATS or Redis, and all their connections are reset at its beginning',
  why: 'Whoever has no connection tries again until the name is known, and looks it up each time. Queries ask nothing of NATS or Redis.',
  world: 'names',
  missing: namesMissing,
  begin: async (world) => {
    world.names.take()
    resetAll(world)
  },
  lasts: 5000,
  end: async (world) => world.names.restore(),
  healsWithin: 30_000,
}

function resetAll(world: World): void {
  for (const name of PROGRAMS) {
    for (const store of READS_REDIS.includes(name) ? (['nats', 'redis'] as const) : (['nats'] as const)) {
      world.wire(name, store).cut()
      world.wire(name, store).pass()
    }
  }
}
