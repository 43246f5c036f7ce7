/**
 * A Redis primary with replicas, watched by three sentinels that promote a replica when the primary is gone.
 */
import { waitFor } from '../waiting/wait-for.ts'
import type { SpawnedServer } from './child-server.ts'
import { freePorts } from './free-port.ts'
import { askRedis, type RedisAccess, startRedisNode } from './redis-nodes.ts'

export interface RedisSentinels extends AsyncDisposable {
  /** `redis-sentinel://…/0?name=yard`, without credentials. */
  readonly url: string
  readonly servers: readonly SpawnedServer[]
  readonly sentinels: readonly SpawnedServer[]
  /** The server that the sentinels agree on. */
  primary(): Promise<SpawnedServer>
  /** Resolves when the sentinels know one another and the primary has this many replicas in step with it. */
  whenComplete(replicas?: number): Promise<void>
}

export type RedisSentinelsOptions = {
  readonly replicas?: number
  /** More lines for the primary's and the replicas' files, such as `requirepass`, `masterauth`, `aclfile`. */
  readonly serverConfig?: readonly string[]
  /** More lines for the sentinels' files, such as `requirepass`; `sentinel monitor` stands before them. */
  readonly sentinelConfig?: readonly string[]
  /** The access of a user who may ask servers for `INFO`, for the questions of this helper itself. */
  readonly serverAccess?: RedisAccess
  /** The access of a user who may ask sentinels. */
  readonly sentinelAccess?: RedisAccess
}

export const WATCHED_NAME = 'yard'
const SENTINELS = 3
/** Milliseconds without an answer after which the primary counts as gone, long enough for a busy machine. */
const DOWN_AFTER_MS = 2_000

/**
 * Starts Redis with sentinels, which are the same program. Tests that use it need
 * `describe.skipIf(!redisServerAvailable())`.
 */
export async function startRedisSentinels(options: RedisSentinelsOptions = {}): Promise<RedisSentinels> {
  const { replicas = 1, serverConfig = [], sentinelConfig = [] } = options
  const ports = await freePorts(1 + replicas + SENTINELS)
  const [primaryPort = 0] = ports
  await using starting = new AsyncDisposableStack()
  const start = async (node: Parameters<typeof startRedisNode>[0]): Promise<SpawnedServer> =>
    starting.use(await startRedisNode(node))
  const servers: SpawnedServer[] = []
  for (const port of ports.slice(0, 1 + replicas)) {
    const of = port === primaryPort ? [] : [`replicaof 127.0.0.1 ${primaryPort}`]
    servers.push(
      await start({ port, config: ['appendonly yes', 'repl-diskless-sync-delay 0', ...of, ...serverConfig] }),
    )
  }
  const watching = [
    `sentinel monitor ${WATCHED_NAME} 127.0.0.1 ${primaryPort} 2`,
    `sentinel down-after-milliseconds ${WATCHED_NAME} ${DOWN_AFTER_MS}`,
    `sentinel failover-timeout ${WATCHED_NAME} 10000`,
  ]
  const sentinels = await Promise.all(
    ports
      .slice(1 + replicas)
      .map((port) => start({ port, sentinel: true, config: [...watching, ...sentinelConfig] })),
  )
  const setUp = new SentinelSetUp(servers, sentinels, options)
  await setUp.whenComplete(replicas)
  const started = starting.move()
  setUp[Symbol.asyncDispose] = () => started.disposeAsync()
  return setUp
}

class SentinelSetUp implements RedisSentinels {
  readonly servers: readonly SpawnedServer[]
  readonly sentinels: readonly SpawnedServer[]
  readonly #options: RedisSentinelsOptions;
  [Symbol.asyncDispose]: () => Promise<void> = async () => {}

  constructor(
    servers: readonly SpawnedServer[],
    sentinels: readonly SpawnedServer[],
    options: RedisSentinelsOptions,
  ) {
    this.servers = servers
    this.sentinels = sentinels
    this.#options = options
  }

  get url(): string {
    const hosts = this.sentinels.map(({ port }) => `127.0.0.1:${port}`).join(',')
    return `redis-sentinel://${hosts}/0?name=${WATCHED_NAME}`
  }

  primary(): Promise<SpawnedServer> {
    return waitFor('the sentinels to agree on a primary', async () => {
      const named = new Set(await Promise.all(this.#running().map((sentinel) => this.#primaryBy(sentinel))))
      const [port] = named
      return named.size === 1 ? this.servers.find((server) => server.port === port && server.running) : null
    })
  }

  async whenComplete(replicas = this.servers.length - 1): Promise<void> {
    const { serverAccess = {} } = this.#options
    await waitFor('sentinels and replicas to know one another', async () => {
      const others = await Promise.all(this.#running().map((sentinel) => this.#othersOf(sentinel)))
      if (others.some((count) => count < this.#running().length - 1)) return false
      const primary = await this.primary()
      const info = String(await askRedis(primary, serverAccess, 'INFO', 'replication'))
      return (info.match(/state=online/g) ?? []).length >= replicas
    })
  }

  #running(): readonly SpawnedServer[] {
    return this.sentinels.filter(({ running }) => running)
  }

  async #primaryBy(sentinel: SpawnedServer): Promise<number> {
    const found = await this.#askSentinel(sentinel, 'GET-MASTER-ADDR-BY-NAME')
    return Array.isArray(found) ? Number(found[1]) : 0
  }

  async #othersOf(sentinel: SpawnedServer): Promise<number> {
    const found = await this.#askSentinel(sentinel, 'SENTINELS')
    return Array.isArray(found) ? found.length : 0
  }

  #askSentinel(sentinel: SpawnedServer, question: string): Promise<unknown> {
    return askRedis(sentinel, this.#options.sentinelAccess ?? {}, 'SENTINEL', question, WATCHED_NAME)
  }
}
