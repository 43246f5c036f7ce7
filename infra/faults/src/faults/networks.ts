/** NATS or Redis cut off from one service, or silent to all of them. */
import type { Fault } from '../fault.ts'
import { isServed } from '../run/fresh-publish.ts'
import { PROGRAMS, type ProgramName, READS_REDIS, type Store } from '../world/programs.ts'
import type { World } from '../world/world.ts'

const CUT_MS = 5000

function cutOff(name: ProgramName, from: Store, why: string): Fault {
  return {
    name: `${from === 'nats' ? 'NATS' : 'Redis'} cut off from ${name}`,
    done: 'connections reset, new ones as well, for 5 s',
    why,
    begin: async (world) => world.wire(name, from).cut(),
    lasts: CUT_MS,
    end: async (world) => world.wire(name, from).pass(),
    healsWithin: 30_000,
  }
}

export const cutOffFaults: readonly Fault[] = [
  cutOff(
    'registry-0',
    'nats',
    'This registry answers 503 and says that it is not ready; the same command, repeated at the other one, is carried out once.',
  ),
  cutOff('composer-0', 'nats', 'The other composer takes over within three seconds.'),
  cutOff(
    'config-distribution',
    'nats',
    'Commands and compositions go on; what they change waits in the log, and becomes a revision when the connection is back.',
  ),
  cutOff(
    'router-0',
    'nats',
    'It hears of nothing, and polls the config store every ten seconds instead. Heartbeats are missing, so that it is not waited for.',
  ),
  cutOff(
    'config-distribution',
    'redis',
    'Revisions are committed to the log all the same, and the newest one is written to Redis when it is there again.',
  ),
  cutOff('router-0', 'redis', 'It serves what it has, and reads the newest when Redis is there again.'),
]

/**
 * Silences connections, as a firewall that forgets them: nobody is told, they stay dead, and new ones work.
 */
function silence(store: Store, names: readonly ProgramName[]): (world: World) => Promise<void> {
  return async (world) => {
    for (const name of names) {
      world.wire(name, store).silence()
      world.wire(name, store).pass()
    }
  }
}

export const natsSilent: Fault = {
  name: 'NATS connections forgotten',
  done: 'all connections of all services die and nobody is told; new ones work',
  why:
    'Only what is not answered tells. A service that waits for an answer gives up after 5 s, and each asks NATS every 2.5 s ' +
    'whether it is there. Commands are repeated under their key meanwhile.',
  begin: silence('nats', PROGRAMS),
  lasts: 500,
  end: async () => {},
  healsWithin: 45_000,
}

export const redisSilent: Fault = {
  name: 'Redis connections forgotten',
  done: 'all connections of all services die and nobody is told; new ones work',
  why: 'A connection on which an answer does not come within 5 s is given up for a new one.',
  begin: silence('redis', READS_REDIS),
  lasts: 500,
  end: async () => {},
  healsWithin: 30_000,
}

export const redisSlow: Fault = {
  name: 'Redis slow',
  done: 'each answer comes 500 ms later, for 8 s',
  why: 'A publish takes some seconds to reach routers. Queries ask nothing of Redis.',
  begin: async (world) => {
    for (const name of READS_REDIS) world.wire(name, 'redis').delay(500)
  },
  lasts: 8000,
  during: isServed(30_000),
  end: async (world) => {
    for (const name of READS_REDIS) world.wire(name, 'redis').pass()
  },
  healsWithin: 30_000,
}
