import { Cluster, type CommonRedisOptions, Redis } from 'ioredis'
import type { RedisAddress } from './redis-address.ts'

export type RedisClient = Redis | Cluster

const ANSWER_MS = 5_000

/**
 * A client that never queues: a command without a connection fails at once, and one in flight when the connection
 * breaks fails instead of being sent a second time. It reconnects by itself for ever.
 */
export function createRedisClient(address: RedisAddress, connectionName: string): RedisClient {
  const common = {
    connectionName,
    connectTimeout: ANSWER_MS,
    commandTimeout: ANSWER_MS,
    // A firewall may have forgotten the connection: nobody would ever answer on it, or say so.
    socketTimeout: ANSWER_MS,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    lazyConnect: true,
    ...(address.username === null ? {} : { username: address.username }),
    ...(address.password === null ? {} : { password: address.password }),
    ...(address.tls ? { tls: {} } : {}),
  } satisfies CommonRedisOptions & { tls?: object }
  const direct = { ...common, enableOfflineQueue: false, retryStrategy: retryDelay }
  switch (address.kind) {
    case 'single':
      return new Redis({ ...direct, ...address.node, db: address.db })
    case 'sentinel':
      return new Redis({
        ...direct,
        sentinels: address.sentinels.map(({ host, port }) => ({ host, port })),
        name: address.master,
        db: address.db,
        sentinelRetryStrategy: retryDelay,
        enableTLSForSentinelMode: address.tls,
        ...(address.tls ? { sentinelTLS: {} } : {}),
      })
    case 'cluster':
      return new Cluster([...address.nodes], {
        redisOptions: common,
        enableOfflineQueue: false,
        lazyConnect: true,
        clusterRetryStrategy: retryDelay,
      })
    default:
      return address satisfies never
  }
}

function retryDelay(attempt: number): number {
  return Math.min(100 * 2 ** Math.min(attempt - 1, 5), 2_000) * (0.5 + Math.random() / 2)
}
