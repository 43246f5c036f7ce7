/**
 * The servers of a set-up, what is between them and each program, and the addresses by which programs find
 * them.
 */
import {
  type NatsCluster,
  type RedisSentinels,
  type SpawnedServer,
  startTcpProxy,
  type TcpProxy,
} from '@switchyard/testkit'
import type { Disks } from './disks.ts'
import { NATS_HOST, REDIS_HOST } from './names.ts'
import { PROGRAMS, READS_REDIS, type Store, type WorldKind } from './programs.ts'
import {
  type MonitoredNats,
  type Passwords,
  startNats,
  startNatsReplicas,
  startRedis,
  startSentinels,
  userOf,
} from './servers.ts'

const HERE = '127.0.0.1'

export class Stores implements AsyncDisposable {
  readonly #kind: WorldKind
  readonly #passwords: Passwords
  readonly #resources = new AsyncDisposableStack()
  readonly #wires = new Map<string, TcpProxy>()
  nats: MonitoredNats | null = null
  natsCluster: NatsCluster | null = null
  redis: SpawnedServer | null = null
  sentinels: RedisSentinels | null = null

  private constructor(kind: WorldKind, passwords: Passwords) {
    this.#kind = kind
    this.#passwords = passwords
  }

  static async start(kind: WorldKind, passwords: Passwords, disks: Disks): Promise<Stores> {
    const stores = new Stores(kind, passwords)
    try {
      await stores.#start(disks)
      return stores
    } catch (error) {
      await stores[Symbol.asyncDispose]()
      throw error
    }
  }

  async #start(disks: Disks): Promise<void> {
    const use = <Resource extends AsyncDisposable>(resource: Resource) => this.#resources.use(resource)
    const passwords = this.#passwords
    if (this.#kind === 'nats-cluster') this.natsCluster = use(await startNatsReplicas(passwords))
    else this.nats = use(await startNats(passwords, disks.pathOf('nats')))
    if (this.#kind === 'sentinel')
      this.sentinels = use(await startSentinels(passwords, disks.pathOf('shared')))
    else this.redis = use(await startRedis(passwords, disks.pathOf('redis')))
    for (const name of PROGRAMS) {
      if (this.nats !== null) await this.#wire(name, 'nats', this.nats.port)
      if (this.redis !== null && READS_REDIS.includes(name)) await this.#wire(name, 'redis', this.redis.port)
    }
  }

  async #wire(name: string, to: Store, port: number): Promise<void> {
    this.#wires.set(`${name} ${to}`, this.#resources.use(await startTcpProxy({ host: HERE, port })))
  }

  wire(name: string, to: Store): TcpProxy {
    const wire = this.#wires.get(`${name} ${to}`)
    if (wire === undefined) throw new Error(`there is no network between ${name} and ${to}`)
    return wire
  }

  /** Returns the URL of NATS for a program. That of `admin`, the operator, skips everything in between. */
  natsUrl(program: string): string {
    const user = program === 'admin' ? 'admin' : userOf(program)
    const login = `${user}:${this.#passwords[user]}@`
    if (this.natsCluster !== null) return this.natsCluster.url.replace('nats://', `nats://${login}`)
    if (program === 'admin') return `nats://${login}${HERE}:${this.nats?.port}`
    return `nats://${login}${this.#kind === 'names' ? NATS_HOST : HERE}:${this.wire(program, 'nats').port}`
  }

  redisUrl(program: string): string {
    const user = userOf(program)
    const login = `${user}:${this.#passwords[user]}@`
    if (this.sentinels !== null)
      return this.sentinels.url.replace('redis-sentinel://', `redis-sentinel://${login}`)
    return `redis://${login}${this.#kind === 'names' ? REDIS_HOST : HERE}:${this.wire(program, 'redis').port}`
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#resources.disposeAsync()
  }
}
