/** Servers that stand in for one another: one of three of NATS, the primary of Redis. */
import { natsClusterAvailable } from '@switchyard/testkit'
import type { Fault } from '../fault.ts'
import { isServed } from '../run/fresh-publish.ts'
import type { World } from '../world/world.ts'

export const natsReplicaLost: Fault = {
  name: 'NATS: one of three replicas lost',
  done: '`kill -9` of the server that leads the log of commands, for 8 s; every log has three copies',
  why:
    'The other two have all that was acknowledged, and choose a leader. Commands wait for that, or get 503 and are repeated; those whose ' +
    'answer was lost are found in the log by their id.',
  world: 'nats-cluster',
  missing: () =>
    natsClusterAvailable() ? null : 'no NATS server for a cluster is here (scripts/nats-versions.sh)',
  begin: async (world) => {
    const leader = await clusterOf(world).leaderOf('registry')
    await leader.kill9()
  },
  lasts: 8000,
  during: isServed(30_000),
  end: async (world) => {
    for (const node of clusterOf(world).nodes) if (!node.running) await node.restart()
  },
  after: (world) => clusterOf(world).whenHealthy(),
  healsWithin: 30_000,
}

export const redisFailedOver: Fault = {
  name: 'Redis failed over by Sentinel',
  done: '`kill -9` of the primary; sentinels promote its replica after two seconds; the old one comes back as a replica',
  why:
    'Services ask the sentinels where the primary is. What the replica had not got yet is written again from the log. Seconds count from ' +
    'when the primary was killed.',
  world: 'sentinel',
  begin: async (world) => {
    const primary = await sentinelsOf(world).primary()
    await primary.kill9()
  },
  lasts: 0,
  end: async () => {},
  after: async (world) => {
    for (const server of sentinelsOf(world).servers) if (!server.running) await server.restart()
    await sentinelsOf(world).whenComplete()
  },
  healsWithin: 30_000,
}

function clusterOf({ stores }: World) {
  if (stores.natsCluster === null) throw new Error('this set-up has no cluster of NATS')
  return stores.natsCluster
}

function sentinelsOf({ stores }: World) {
  if (stores.sentinels === null) throw new Error('this set-up has no sentinels')
  return stores.sentinels
}
