/** Every fault, in the order of the table. A new one is a value in a file of this folder and a name in this list. */
import type { Fault } from '../fault.ts'
import { natsKilled, natsStopped } from './nats.ts'
import { redisFlushed, redisKilled } from './redis.ts'

export const FAULTS: readonly Fault[] = [natsKilled, natsStopped, redisKilled, redisFlushed]
