import { readFileSync } from 'node:fs'
import type { ConnectionOptions } from 'node:tls'
import { SecretFile, type TlsFiles } from '@switchyard/service-kit'
import { Cluster, type CommonRedisOptions, Redis } from 'ioredis'
import type { RedisAddress } from './redis-address.ts'
import type { RedisConnectionSettings } from './redis-settings.ts'

export type RedisClient = Redis | Cluster

const ANSWER_MS = 5_000

export type RedisClientOptions = {
  readonly address: RedisAddress
  readonly settings: RedisConnectionSettings
  readonly secrets: RedisSecrets
  readonly connectionName: string
  /** Called before each further attempt to connect. */
  readonly onRetry: () => void
}

export type RedisSecrets = { readonly password: string | null; readonly sentinelPassword: string | null }

/**
 * Returns a function that reads the secrets from the files of the settings, as they are at this moment. A
 * secret without a file is null, so that the one in the address counts.
 */
export function redisSecrets(settings: RedisConnectionSettings): () => RedisSecrets {
  const fileAt = (path: string | undefined) => (path === undefined ? null : new SecretFile(path))
  const password = fileAt(settings.passwordFile)
  const sentinelPassword = fileAt(settings.sentinelPasswordFile)
  return () => ({
    password: password?.read() ?? null,
    sentinelPassword: sentinelPassword?.read() ?? null,
  })
}

/**
 * A client that never queues: a command without a connection fails at once, and one in flight when the
 * connection breaks fails instead of being sent a second time. It reconnects by itself for ever.
 */
export function createRedisClient(options: RedisClientOptions): RedisClient {
  const { address, settings, secrets, connectionName } = options
  const tls = address.tls ? { tls: tlsOptions(settings.tls ?? {}) } : {}
  const password = secrets.password ?? address.password
  const common = {
    connectionName,
    // It would need a right that Redis before 7.2 does not know.
    disableClientInfo: true,
    connectTimeout: ANSWER_MS,
    commandTimeout: ANSWER_MS,
    // A firewall may have forgotten the connection: nobody would ever answer on it, or say so.
    socketTimeout: ANSWER_MS,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    lazyConnect: true,
    // What was the primary is a replica now: the connection is made anew, to whatever is the primary.
    reconnectOnError: (error: Error) => (error.message.startsWith('READONLY') ? 1 : false),
    ...(address.username === null ? {} : { username: address.username }),
    ...(password === null ? {} : { password }),
    ...tls,
  } satisfies CommonRedisOptions & { tls?: object }
  const retry = (attempt: number): number => {
    options.onRetry()
    return retryDelay(attempt)
  }
  const direct = { ...common, enableOfflineQueue: false, retryStrategy: retry }
  switch (address.kind) {
    case 'single':
      return new Redis({ ...direct, ...address.node, db: address.db })
    case 'sentinel':
      return new Redis({
        ...direct,
        sentinels: address.sentinels.map(({ host, port }) => ({ host, port })),
        name: address.master,
        db: address.db,
        sentinelRetryStrategy: retry,
        sentinelCommandTimeout: ANSWER_MS,
        ...(settings.sentinelUsername === undefined ? {} : { sentinelUsername: settings.sentinelUsername }),
        ...(secrets.sentinelPassword === null ? {} : { sentinelPassword: secrets.sentinelPassword }),
        enableTLSForSentinelMode: address.tls,
        ...(tls.tls === undefined ? {} : { sentinelTLS: tls.tls }),
      })
    case 'cluster':
      return new Cluster([...address.nodes], {
        redisOptions: common,
        enableOfflineQueue: false,
        lazyConnect: true,
        clusterRetryStrategy: retry,
        // Names in certificates are those of the addresses, so nodes are called by the names that they were
        // given.
        ...(address.tls ? { dnsLookup: (host, callback) => callback(null, host) } : {}),
      })
    default:
      return address satisfies never
  }
}

/** The files are read when the client copies these options, which it does for each connection. */
function tlsOptions({ caFile, certFile, keyFile }: TlsFiles): ConnectionOptions {
  const content = (path: string | undefined): (() => Buffer | undefined) => {
    let last: Buffer | undefined
    return () => {
      try {
        if (path !== undefined) last = readFileSync(path)
      } catch {
        // A getter that throws would end the client's attempts; `unusableFile` says what is wrong.
      }
      return last
    }
  }
  const [ca, cert, key] = [content(caFile), content(certFile), content(keyFile)]
  const options: ConnectionOptions = {}
  if (caFile !== undefined) Object.defineProperty(options, 'ca', { get: ca, enumerable: true })
  if (certFile !== undefined) Object.defineProperty(options, 'cert', { get: cert, enumerable: true })
  if (keyFile !== undefined) Object.defineProperty(options, 'key', { get: key, enumerable: true })
  return options
}

/** Throws the problem of a file that the settings name. */
export function checkFiles({ tls = {}, passwordFile, sentinelPasswordFile }: RedisConnectionSettings): void {
  for (const path of Object.values(tls)) if (path !== undefined) readFileSync(path)
  for (const path of [passwordFile, sentinelPasswordFile])
    if (path !== undefined) new SecretFile(path).check()
}

function retryDelay(attempt: number): number {
  return Math.min(100 * 2 ** Math.min(attempt - 1, 5), 2_000) * (0.5 + Math.random() / 2)
}
