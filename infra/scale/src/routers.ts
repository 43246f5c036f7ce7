/**
 * Routers of one graph: what they ask of Redis and NATS, and what they cost the services that hear of them.
 *
 * These are not whole routers, of which a machine would hold a few dozen. Each does what a router does
 * towards the platform, on connections of its own: it subscribes to notices, reads head and manifest at each
 * and every ten seconds with the same jitter, reads an artifact that it does not have, and tells what it
 * serves every five seconds.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { type ConfigStore, ConfigStoreUnavailableError, openRedisConfigStore } from '@switchyard/config-store'
import {
  configNoticeSubject,
  HEARTBEAT_INTERVAL_MS,
  Manifest,
  type RouterHeartbeat,
  routerStatusSubject,
} from '@switchyard/contracts'
import { type Announcer, createNatsAnnouncer } from '@switchyard/event-log'
import { CpuMeter, seconds, type Table } from '@switchyard/lab'
import { FleetKey } from '@switchyard/service-kit'
import { waitFor } from '@switchyard/testkit'
import { Redis } from 'ioredis'
import { graphState } from './schemas.ts'
import { apply, startSystem, type System } from './system.ts'

const SIZES = [10, 100, 500]
const GRAPH = { namespace: 'default', graph: 'shop' }
const POLL_MS = 10_000
/** The milliseconds during which nothing changes and the load is measured. */
const QUIET_MS = 30_000
const SIZE = { subgraphs: 10, types: 20 }

export async function measureRouters(): Promise<Table> {
  const rows: string[][] = []
  for (const size of SIZES) {
    await using system = await startSystem()
    await apply(system, 'default', graphState(SIZE))
    await using fleet = await startFleet(system, size)
    await fleet.serves(1)
    rows.push([String(size), ...(await quietFigures(system)), ...(await changeFigures(system, fleet))])
  }
  return {
    head: [
      'routers',
      'Redis at rest',
      'CPU at rest: registry',
      'config-distribution',
      'Redis for a change',
      'from the change to the last router',
      'CPU of a change: registry',
      'config-distribution',
    ],
    rows,
  }
}

async function quietFigures(system: System): Promise<string[]> {
  using redis = openRedis(system)
  const before = await redis.traffic()
  const cpu = new CpuMeter(system.programs)
  await sleep(QUIET_MS)
  const { commands, bytes } = since(await redis.traffic(), before)
  const over = QUIET_MS / 1000
  const share = (prefix: string) => `${((100 * cpu.secondsOf(prefix)) / over).toFixed(1)} %`
  return [
    `${(commands / over).toFixed(0)} commands/s, ${(bytes / over / 1024).toFixed(0)} KiB/s`,
    share('registry'),
    share('config-distribution'),
  ]
}

async function changeFigures(system: System, fleet: Fleet): Promise<string[]> {
  using redis = openRedis(system)
  const before = await redis.traffic()
  const cpu = new CpuMeter(system.programs)
  const began = performance.now()
  await apply(system, 'default', graphState(SIZE, 1))
  await fleet.serves(2)
  const took = performance.now() - began
  const { commands, bytes } = since(await redis.traffic(), before)
  return [
    `${commands.toFixed(0)} commands, ${(bytes / 2 ** 20).toFixed(1)} MiB`,
    seconds(took / 1000),
    seconds(cpu.secondsOf('registry')),
    seconds(cpu.secondsOf('config-distribution')),
  ]
}

type Traffic = { readonly commands: number; readonly bytes: number }

function openRedis({ redis: { url } }: System): Disposable & { traffic(): Promise<Traffic> } {
  const client = new Redis(url)
  const numberIn = (info: string, name: string) => Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(info)?.[1])
  return {
    async traffic() {
      const info = await client.info('stats')
      const bytes = numberIn(info, 'total_net_output_bytes') + numberIn(info, 'total_net_input_bytes')
      return { commands: numberIn(info, 'total_commands_processed'), bytes }
    },
    [Symbol.dispose]: () => client.disconnect(),
  }
}

function since(after: Traffic, before: Traffic): Traffic {
  return { commands: after.commands - before.commands, bytes: after.bytes - before.bytes }
}

type Fleet = AsyncDisposable & {
  /** Resolves when every router serves this revision. */
  serves(revision: number): Promise<void>
}

async function startFleet(system: System, size: number): Promise<Fleet> {
  const parts = new AsyncDisposableStack()
  const routers: SimulatedRouter[] = []
  for (let index = 0; index < size; index++) {
    const store = parts.use(await openRedisConfigStore({ url: system.redis.url }))
    const announcer = parts.use(createNatsAnnouncer({ url: system.nats.url, name: `router-${index}` }))
    routers.push(parts.use(new SimulatedRouter(`simulated-${index}`, store, announcer)))
  }
  return {
    async serves(revision) {
      await waitFor(
        `all routers to serve revision ${revision}`,
        () => routers.every((router) => router.revision >= revision),
        { withinMs: 120_000, everyMs: 5 },
      )
    },
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  }
}

class SimulatedRouter implements Disposable {
  revision = 0
  readonly #instance: string
  readonly #store: ConfigStore
  readonly #announcer: Announcer
  readonly #sign = new FleetKey('f'.repeat(32)).signer()
  readonly #stopped = new AbortController()
  readonly #artifacts = new Set<string>()
  #createdAt: string | null = null
  #epoch = 0
  #reading: Promise<void> | null = null

  constructor(instance: string, store: ConfigStore, announcer: Announcer) {
    this.#instance = instance
    this.#store = store
    this.#announcer = announcer
    announcer.subscribe(configNoticeSubject(GRAPH), () => void this.#read())
    void this.#poll()
    void this.#beat()
  }

  [Symbol.dispose](): void {
    this.#stopped.abort()
  }

  async #poll(): Promise<void> {
    while (!this.#stopped.signal.aborted) {
      await this.#read()
      await this.#pause(POLL_MS * (0.8 + Math.random() * 0.4))
    }
  }

  async #beat(): Promise<void> {
    // They were not all started at the same moment.
    await this.#pause(Math.random() * HEARTBEAT_INTERVAL_MS)
    while (!this.#stopped.signal.aborted) {
      this.#tell()
      await this.#pause(HEARTBEAT_INTERVAL_MS)
    }
  }

  async #pause(milliseconds: number): Promise<void> {
    await sleep(milliseconds, undefined, { signal: this.#stopped.signal }).catch(() => {})
  }

  async #read(): Promise<void> {
    this.#reading ??= this.#readNow()
      .catch((error: unknown) => {
        // A router looks again at the next poll.
        if (!(error instanceof ConfigStoreUnavailableError)) throw error
      })
      .finally(() => (this.#reading = null))
    await this.#reading
  }

  async #readNow(): Promise<void> {
    await this.#store.getHead(GRAPH)
    const stored = await this.#store.getManifest(GRAPH)
    if (stored === null || stored.version.revision <= this.revision) return
    const manifest = Manifest.parse(JSON.parse(Buffer.from(stored.manifest).toString('utf8')))
    const hash = manifest.base?.artifact
    if (hash !== undefined && !this.#artifacts.has(hash)) {
      await this.#store.getArtifact(GRAPH, hash)
      this.#artifacts.add(hash)
    }
    this.#createdAt = manifest.createdAt
    this.#epoch = stored.version.epoch
    this.revision = stored.version.revision
    this.#tell()
  }

  #tell(): void {
    const heartbeat: RouterHeartbeat = {
      instance: this.#instance,
      boot: 'simulated',
      ...GRAPH,
      epoch: this.#epoch,
      revision: this.revision,
      registrySequence: 0,
      flags: [],
      configCreatedAt: this.#createdAt,
      state: this.revision === 0 ? 'starting' : 'serving',
    }
    const subject = routerStatusSubject(GRAPH, this.#instance)
    this.#announcer.announce(subject, this.#sign(subject, heartbeat))
  }
}
