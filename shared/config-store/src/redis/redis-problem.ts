/** Failures of Redis in words that say what to do. */
import { type ServerProblem, type ServerProblemCode, tlsProblemOf } from '@switchyard/service-kit'
import type { RedisProblemCode } from './problem-codes.ts'

/** A failure of Redis. */
export type RedisProblem = ServerProblem<RedisProblemCode | ServerProblemCode>

type Known = {
  readonly pattern: RegExp
  readonly code: RedisProblemCode
  readonly meaning: (server: string, text: string, user: string) => string
}

const KNOWN: readonly Known[] = [
  {
    pattern: /WRONGPASS|NOAUTH|invalid (?:username-password|password)|without any password configured/,
    code: 'REDIS_CREDENTIALS_REFUSED',
    meaning: (server, text) =>
      `${server} refused the credentials of this service (${text}). Set the right ones in SWITCHYARD_REDIS_URL, or in the files of SWITCHYARD_REDIS_PASSWORD_FILE and, for sentinels, SWITCHYARD_REDIS_SENTINEL_PASSWORD_FILE; files are read again at each attempt.`,
  },
  {
    pattern: /NOPERM|ACL failure in script|can't run this command or subcommand/,
    code: 'REDIS_PERMISSION_MISSING',
    meaning: (server, text, user) =>
      `${server} does not permit something that ${user} needs (${text}). docs/nats-and-redis.md has the rules (ACL) of each service.`,
  },
  {
    pattern: /READONLY/,
    code: 'REDIS_READ_ONLY',
    meaning: (server) =>
      `${server} is a replica and takes no writes. Name the primary in SWITCHYARD_REDIS_URL, or use redis-sentinel:// so that it is found after a failover.`,
  },
  {
    pattern: /\bMOVED\b|CROSSSLOT/,
    code: 'REDIS_IS_A_CLUSTER',
    meaning: (server) =>
      `${server} is a node of a Redis Cluster and has only some of the keys. Use redis-cluster:// in SWITCHYARD_REDIS_URL.`,
  },
  {
    pattern: /cluster support disabled/,
    code: 'REDIS_IS_NO_CLUSTER',
    meaning: (server) =>
      `${server} is no Redis Cluster. Use redis:// or redis-sentinel:// in SWITCHYARD_REDIS_URL.`,
  },
  {
    pattern: /No such master with that name|invalid reply: null|IDONTKNOW/,
    code: 'REDIS_MASTER_UNKNOWN',
    meaning: (server) =>
      `${server}: the sentinels answer and watch no primary of that name. Set ?name= in SWITCHYARD_REDIS_URL to the name of "sentinel monitor".`,
  },
]

const NAMES = {
  url: 'SWITCHYARD_REDIS_URL',
  caFile: 'SWITCHYARD_REDIS_CA_FILE',
  certFile: 'SWITCHYARD_REDIS_CERT_FILE',
  keyFile: 'SWITCHYARD_REDIS_KEY_FILE',
}

/** `server`: as describeAddress says; `user`: the service. */
export function redisProblemOf(error: unknown, server: string, user: string): RedisProblem {
  const text = error instanceof Error ? error.message : String(error)
  const known = KNOWN.find(({ pattern }) => pattern.test(text))
  if (known !== undefined) return { code: known.code, message: known.meaning(server, firstLine(text), user) }
  return (
    tlsProblemOf(error, server, NAMES) ?? {
      code: 'REDIS_UNREACHABLE',
      message: `${server} cannot be used: ${firstLine(text)}. This service goes on trying.`,
    }
  )
}

/**
 * Returns the first line of a message, without the parts that differ each time: addresses, hashes of scripts
 * and times of waiting.
 */
function firstLine(text: string): string {
  const [line = ''] = text.split('\n')
  return line
    .replace(/^All sentinels are unreachable\..*?(?:Last error: |$)/, 'all sentinels: ')
    .slice(0, 300)
}

/** Whether the problem is about a command, and not about the connection. */
export function isAboutCommand({ code }: RedisProblem): boolean {
  return code === 'REDIS_READ_ONLY' || code === 'REDIS_IS_A_CLUSTER'
}
