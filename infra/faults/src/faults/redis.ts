/** Redis, which holds what routers read: killed, emptied, set back, slow. */
import type { Fault } from '../fault.ts'

export const redisKilled: Fault = {
  name: 'Redis killed',
  done: '`kill -9`, started again empty two seconds later',
  why:
    'Nothing is in Redis alone. Commands go on, since the commit of a revision is a record in the log; config-distribution writes the ' +
    'newest one again when Redis is back, and routers serve from memory meanwhile.',
  begin: ({ redis }) => redis.kill9(),
  lasts: 2000,
  end: ({ redis }) => redis.restart(),
  healsWithin: 15_000,
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
  healsWithin: 10_000,
}
