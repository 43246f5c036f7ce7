/**
 * Every fault, in the order of the table. A new one is a value in a file of this folder and a name in this
 * list.
 */
import type { Fault } from '../fault.ts'
import { clockFaults } from './clocks.ts'
import { natsDiskFull, registryDiskFull, routerDiskFull } from './disks.ts'
import { killFaults } from './kills.ts'
import { dnsFails } from './names.ts'
import { natsKilled, natsStopped } from './nats.ts'
import { cutOffFaults, natsSilent, redisSilent, redisSlow } from './networks.ts'
import { recordsTwice, twoRegistries } from './records.ts'
import { redisDiskFull, redisFlushed, redisKilled, redisSetBack } from './redis.ts'
import { natsReplicaLost, redisFailedOver } from './replicas.ts'
import { routerAlone } from './routers.ts'
import { subscriptionFaults } from './subscriptions.ts'
import { slowConsumer } from './slow-consumer.ts'

export const FAULTS: readonly Fault[] = [
  natsKilled,
  natsStopped,
  ...cutOffFaults,
  natsSilent,
  redisKilled,
  redisFlushed,
  redisSetBack,
  redisSlow,
  redisSilent,
  ...killFaults,
  twoRegistries,
  recordsTwice,
  slowConsumer,
  ...subscriptionFaults,
  natsDiskFull,
  redisDiskFull,
  routerDiskFull,
  registryDiskFull,
  routerAlone,
  ...clockFaults,
  dnsFails,
  natsReplicaLost,
  redisFailedOver,
]
