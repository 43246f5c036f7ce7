/**
 * A running set-up on which faults happen: two registries, two composers, config-distribution and two routers
 * as processes, on NATS and Redis of their own. Between each of them and each server is a network that can be
 * broken.
 */
import { join } from 'node:path'
import {
  type Constellation,
  openShop,
  type ServiceProgram,
  type ProgramOptions,
  publishShop,
  startDistributed,
} from '@switchyard/e2e'
import { askRedis, type SpawnedServer, type TcpProxy } from '@switchyard/testkit'
import { Clocks } from './clocks.ts'
import { Disks } from './disks.ts'
import { Names } from './names.ts'
import { type ProgramName, READS_REDIS, REGISTRIES, type Store, type WorldKind } from './programs.ts'
import { Sales, SALES_SETTINGS } from './sales.ts'
import { type MonitoredNats, newPasswords, type Passwords } from './servers.ts'
import { Stores } from './stores.ts'

export class World implements AsyncDisposable {
  readonly kind: WorldKind
  readonly system: Constellation
  readonly stores: Stores
  readonly disks: Disks
  /** The clocks of the programs, in a set-up of the kind `clocks`. */
  readonly clocks: Clocks
  /** The names of the servers, in a set-up of the kind `names`. */
  readonly names: Names
  readonly passwords: Passwords
  readonly #resources: AsyncDisposableStack
  #sales: Promise<Sales> | null = null

  private constructor(parts: Parts) {
    this.kind = parts.kind
    this.system = parts.system
    this.stores = parts.stores
    this.disks = parts.disks
    this.clocks = parts.clocks
    this.names = parts.names
    this.passwords = parts.passwords
    this.#resources = parts.resources
  }

  /** Starts a set-up in which the graph of the tests is published and served by both routers. */
  static async start(kind: WorldKind): Promise<World> {
    await using resources = new AsyncDisposableStack()
    const shop = resources.use(await openShop())
    const disks = resources.use(await Disks.open())
    const passwords = newPasswords()
    const stores = resources.use(await Stores.start(kind, passwords, disks))
    const clocks = new Clocks(disks.pathOf('shared'))
    const names = new Names(disks.pathOf('shared'))
    const system = resources.use(
      await startDistributed({
        natsUrl: '',
        redisUrl: '',
        registries: REGISTRIES.length,
        environment: { SWITCHYARD_METRICS_PORT: '0' },
        routerSettings: SALES_SETTINGS,
        optionsOf: (program) => optionsOf(program, { kind, stores, disks, clocks, names }),
      }),
    )
    await publishShop(system, shop)
    return new World({
      kind,
      system,
      stores,
      disks,
      clocks,
      names,
      passwords,
      resources: resources.move(),
    })
  }

  /** The NATS server of every kind but `nats-cluster`. */
  get nats(): MonitoredNats {
    return must(this.stores.nats, 'one NATS server')
  }

  /** The Redis server of every kind but `sentinel`. */
  get redis(): SpawnedServer {
    return must(this.stores.redis, 'one Redis server')
  }

  program(name: ProgramName): ServiceProgram {
    return must(this.system.programs.get(name) ?? null, name)
  }

  /** Starts the subgraph that sends events, unless it runs already. */
  async sales(): Promise<Sales> {
    this.#sales ??= Sales.open(this.system)
    return await this.#sales
  }

  /** Returns the proxy between a program and a server. */
  wire(name: ProgramName, to: Store): TcpProxy {
    return this.stores.wire(name, to)
  }

  /** Sends a command to Redis as its operator. */
  tellRedis(command: string, ...args: readonly string[]): Promise<unknown> {
    return askRedis(this.redis, { username: 'admin', password: this.passwords.admin }, command, ...args)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await (await this.#sales?.catch(() => null))?.[Symbol.asyncDispose]()
    await this.#resources.disposeAsync()
  }
}

type Parts = {
  readonly kind: WorldKind
  readonly system: Constellation
  readonly stores: Stores
  readonly disks: Disks
  readonly clocks: Clocks
  readonly names: Names
  readonly passwords: Passwords
  readonly resources: AsyncDisposableStack
}

function optionsOf(
  program: string,
  { kind, stores, disks, clocks, names }: Pick<Parts, 'kind' | 'stores' | 'disks' | 'clocks' | 'names'>,
): ProgramOptions {
  return {
    natsUrl: stores.natsUrl(program),
    ...(READS_REDIS.some((name) => name === program) ? { redisUrl: stores.redisUrl(program) } : {}),
    environment: {
      ...filesOf(program, disks),
      ...(kind === 'clocks' ? clocks.environmentOf(program) : {}),
      ...(kind === 'nats-cluster' && !program.startsWith('router') ? { SWITCHYARD_NATS_REPLICAS: '3' } : {}),
    },
    launcher: kind === 'names' ? names.launcher : [],
  }
}

/** Returns the settings that put files of a program on its small disk, if it has one. */
function filesOf(program: string, disks: Disks): Readonly<Record<string, string>> {
  if (program === 'router-0')
    return { SWITCHYARD_LAST_KNOWN_GOOD_DIR: join(disks.pathOf('router-0'), 'copy') }
  if (!program.startsWith('registry')) return {}
  return { SWITCHYARD_TRACE_KEY_FILE: join(disks.pathOf('registry'), 'trace-keys.json') }
}

function must<Value>(value: Value | null, what: string): Value {
  if (value === null) throw new Error(`${what} is not in this set-up`)
  return value
}
