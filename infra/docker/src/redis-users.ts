/**
 * The users of Redis (an ACL file): config-distribution writes the config store, routers read it, and who has
 * no password learns only that the server is there. Passwords stand in it as hashes.
 */
import { createHash } from 'node:crypto'

export type RedisUser = 'config-distribution' | 'router'

/** The commands that every client sends at its start. To a cluster it also sends those that locate keys. */
const CONNECTING = '+info +ping +hello +select +client|setname +client|id +cluster|slots +cluster|info'
const WRITER =
  '+eval +type +hstrlen +hmget +hset +lrange +rpush +zrange +zadd +zrem +set +del +exists +strlen +getrange'
/**
 * EVAL asks for keys that may be written, whatever the script does; the commands in it are checked as well.
 */
const READER = '+eval +hstrlen +hmget +type +strlen +getrange'

export function redisUsers(passwords: Readonly<Record<RedisUser, string>>): string {
  const hash = (user: RedisUser) => `#${createHash('sha256').update(passwords[user]).digest('hex')}`
  const rights = (commands: string) => `${commands} ${CONNECTING}`
  return [
    'user default on nopass resetkeys resetchannels -@all +ping',
    `user config-distribution on ${hash('config-distribution')} resetchannels ~switchyard:* -@all ${rights(WRITER)}`,
    `user router on ${hash('router')} resetchannels ~switchyard:* -@all ${rights(READER)}`,
    '',
  ].join('\n')
}
