/** The codes of problems with Redis, with their rows of docs/errors.md. */
export const REDIS_PROBLEMS = {
  REDIS_CREDENTIALS_REFUSED: {
    happened: 'Redis, or a sentinel, does not know the user or the password',
    remedy: 'Set the right ones. Files are read again at each attempt.',
  },
  REDIS_IS_A_CLUSTER: {
    happened: '`redis://` names a node of a cluster',
    remedy: 'Use `redis-cluster://`.',
  },
  REDIS_IS_NO_CLUSTER: {
    happened: '`redis-cluster://` names a single server',
    remedy: 'Use `redis://` or `redis-sentinel://`.',
  },
  REDIS_MASTER_UNKNOWN: {
    happened: 'The sentinels watch no primary of that name',
    remedy: 'Set `?name=` to the name of `sentinel monitor`.',
  },
  REDIS_PERMISSION_MISSING: {
    happened: 'The user may not run a command, or not on that key',
    remedy: 'Give it [its rules](nats-and-redis.md#rights-on-redis).',
  },
  REDIS_READ_ONLY: {
    happened: 'The server is a replica',
    remedy: 'Name the primary, or use `redis-sentinel://`.',
  },
  REDIS_UNREACHABLE: {
    happened: 'No connection to Redis, or it is not ready',
    remedy: 'The message says why; see to the address, the network and the server.',
  },
}

/** A code of a problem with Redis. */
export type RedisProblemCode = keyof typeof REDIS_PROBLEMS
