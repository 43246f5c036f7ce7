/**
 * One of several Redis servers that know one another, each with a configuration file that it writes to
 * itself.
 */
import { existsSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { type SpawnedServer, startServerOn } from './child-server.ts'

export type RedisNodeOptions = {
  readonly port: number
  /** Lines of the configuration file, `bind`, `port` and `dir` left out. */
  readonly config: readonly string[]
  readonly sentinel?: boolean
}

/** A server on this port. What it learns about the others stays in its file through a restart. */
export async function startRedisNode({
  port,
  config,
  sentinel = false,
}: RedisNodeOptions): Promise<SpawnedServer> {
  const folder = await mkdtemp(join(tmpdir(), sentinel ? 'redis-sentinel-' : 'redis-node-'))
  const file = join(folder, 'redis.conf')
  const lines = [
    'bind 127.0.0.1',
    `port ${port}`,
    `dir ${folder}`,
    ...(sentinel ? [] : ['save ""']),
    ...config,
  ]
  if (!existsSync(file)) writeFileSync(file, `${lines.join('\n')}\n`)
  try {
    return await startServerOn(
      {
        binary: 'redis-server',
        scheme: 'redis',
        arguments: () => [file, ...(sentinel ? ['--sentinel'] : [])],
      },
      port,
      folder,
    )
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
}

/** Asks one server one thing, on a connection of its own. Rejects when it does not answer. */
export async function askRedis(
  server: { readonly port: number },
  access: RedisAccess,
  command: string,
  ...args: readonly string[]
): Promise<unknown> {
  const client = new Redis({
    host: '127.0.0.1',
    port: server.port,
    ...access,
    lazyConnect: true,
    retryStrategy: () => null,
    commandTimeout: 2_000,
    maxRetriesPerRequest: 0,
  })
  // The command rejects as well.
  client.on('error', () => {})
  try {
    await client.connect()
    return await client.call(command, ...args)
  } finally {
    client.disconnect()
  }
}

export type RedisAccess = { readonly username?: string; readonly password?: string }
