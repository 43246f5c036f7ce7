/** Redis, which holds what routers read: killed, emptied, set back, its disk full. */
import { copyFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Fault } from '../fault.ts'
import { disksMissing } from '../world/disks.ts'

export const redisKilled: Fault = {
  name: 'Redis killed',
  done: '`kill -9`, started again empty two seconds later',
  why:
    'Nothing is in Redis alone. Commands go on, since the commit of a revision is a record in the log; config-distribution writes the ' +
    'newest one again when Redis is back, and routers serve from memory meanwhile.',
  begin: ({ redis }) => redis.kill9(),
  lasts: 2000,
  end: ({ redis }) => redis.restart(),
  healsWithin: 30_000,
}

export const redisFlushed: Fault = {
  name: 'Redis flushed',
  done: '`FLUSHALL`',
  why: 'The next revision is written with all that it needs; without a publish config-distribution compares log and store every 25 s.',
  begin: async (world) => {
    await world.tellRedis('FLUSHALL')
  },
  lasts: 500,
  end: async () => {},
  healsWithin: 30_000,
}

const OLDER_BY_MS = 3000

export const redisSetBack: Fault = {
  name: 'Redis restored from an old dump',
  done: '`kill -9`, started again with what it held 3 s and many revisions before',
  why: 'Routers take nothing older than what they serve. Config-distribution knows the newest by the log, and writes over what is older.',
  begin: async (world) => {
    const dump = join(world.disks.pathOf('redis'), 'dump.rdb')
    await world.tellRedis('SAVE')
    await copyFile(dump, `${dump}.old`)
    await sleep(OLDER_BY_MS)
    await world.redis.kill9()
    await rename(`${dump}.old`, dump)
    await world.redis.restart()
  },
  lasts: 1000,
  end: async () => {},
  healsWithin: 30_000,
}

export const redisDiskFull: Fault = {
  name: 'disk full: Redis',
  done: 'Redis writes all it gets to a disk (`appendonly`), and that is full for 5 s',
  why: 'Redis refuses writes and answers reads. The commit of a revision does not need it, and it gets the newest one when it takes it.',
  missing: disksMissing,
  begin: async (world) => {
    await world.tellRedis('CONFIG', 'SET', 'appendfsync', 'everysec', 'appendonly', 'yes')
    await sleep(500)
    await world.disks.fill('redis')
  },
  lasts: 5000,
  end: async (world) => {
    await world.disks.clear('redis')
    await world.tellRedis('CONFIG', 'SET', 'appendonly', 'no')
  },
  healsWithin: 30_000,
}
