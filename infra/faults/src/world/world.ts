/**
 * A running set-up on which faults happen: two registries, two composers, config-distribution and two routers as processes, on NATS
 * and Redis of their own. Between each of them and each server is a network that can be broken.
 */
import {
  type Constellation,
  openShop,
  type Program,
  publishShop,
  type Shop,
  startDistributed,
} from '@switchyard/e2e'
import { askRedis, type SpawnedServer, startTcpProxy, type TcpProxy } from '@switchyard/testkit'
import { Disks } from './disks.ts'
import { newPasswords, type Passwords, startNats, startRedis, userOf } from './servers.ts'

export const WORLD_KINDS = ['plain'] as const
export type WorldKind = (typeof WORLD_KINDS)[number]

export type Store = 'nats' | 'redis'

export const ROUTERS = ['router-0', 'router-1'] as const
export const COMPOSERS = ['composer-0', 'composer-1'] as const
export const REGISTRIES = ['registry-0', 'registry-1'] as const
export const PROGRAMS = [...REGISTRIES, ...COMPOSERS, 'config-distribution', ...ROUTERS] as const
export type ProgramName = (typeof PROGRAMS)[number]

const READS_REDIS: readonly ProgramName[] = ['config-distribution', ...ROUTERS]

export interface World extends AsyncDisposable {
  readonly kind: WorldKind
  readonly system: Constellation
  readonly shop: Shop
  readonly nats: SpawnedServer
  readonly redis: SpawnedServer
  readonly passwords: Passwords
  readonly disks: Disks
  /** As its operator. */
  tellRedis(command: string, ...args: readonly string[]): Promise<unknown>
  program(name: ProgramName): Program
  /** What is between a program and a server. */
  wire(name: ProgramName, to: Store): TcpProxy
}

/** With the graph of the tests published, and served by both routers. */
export async function startWorld(kind: WorldKind): Promise<World> {
  const resources = new AsyncDisposableStack()
  try {
    const shop = resources.use(await openShop())
    const disks = resources.use(await Disks.open())
    const passwords = newPasswords()
    const nats = resources.use(await startNats(passwords, disks.pathOf('nats')))
    const redis = resources.use(await startRedis(passwords, disks.pathOf('redis')))
    const wires = new Map<string, TcpProxy>()
    for (const name of PROGRAMS) {
      wires.set(`${name} nats`, resources.use(await startTcpProxy({ host: '127.0.0.1', port: nats.port })))
      if (READS_REDIS.includes(name))
        wires.set(
          `${name} redis`,
          resources.use(await startTcpProxy({ host: '127.0.0.1', port: redis.port })),
        )
    }
    const wire = (name: ProgramName, to: Store) => must(wires.get(`${name} ${to}`), `${name} has no ${to}`)
    const addressOf = (program: string, to: Store) => {
      const user = userOf(program)
      const proxy = wires.get(`${program} ${to}`)
      return proxy === undefined ? '' : `${to}://${user}:${passwords[user]}@127.0.0.1:${proxy.port}`
    }
    const system = resources.use(
      await startDistributed({
        natsUrl: '',
        redisUrl: '',
        registries: REGISTRIES.length,
        environment: { SWITCHYARD_METRICS_PORT: '0' },
        optionsOf: (program) => ({
          natsUrl: addressOf(program, 'nats'),
          redisUrl: addressOf(program, 'redis'),
          ...(program === 'router-0'
            ? { environment: { SWITCHYARD_LAST_KNOWN_GOOD_DIR: `${disks.pathOf('router-0')}/copy` } }
            : {}),
        }),
      }),
    )
    await publishShop(system, shop)
    const owned = resources.move()
    return {
      kind,
      system,
      shop,
      nats,
      redis,
      passwords,
      disks,
      tellRedis: (command, ...args) =>
        askRedis(redis, { username: 'admin', password: passwords.admin }, command, ...args),
      program: (name) => must(system.programs.get(name), `there is no ${name}`),
      wire,
      [Symbol.asyncDispose]: () => owned.disposeAsync(),
    }
  } catch (error) {
    await resources.disposeAsync()
    throw error
  }
}

function must<Value>(value: Value | undefined, otherwise: string): Value {
  if (value === undefined) throw new Error(otherwise)
  return value
}
