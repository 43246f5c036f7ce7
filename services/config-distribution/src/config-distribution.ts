/**
 * Turns composition records into signed router execution configs.
 *
 * Level-triggered: at start every graph is brought up to the logs, then the logs are followed. Nothing is
 * kept in this process that a restart would miss.
 */
import { graphOfSubject, reasonAgainstRecord, SYSTEM_SUBJECT } from '@switchyard/contracts'
import type { GraphName } from '@switchyard/contracts'
import type { ConfigStore } from '@switchyard/config-store'
import type { Announcer, BlobStore, EventLog, LogFilter, LogName, Patience } from '@switchyard/event-log'
import { followLog, observeFollower, Quarantine, whenAvailable } from '@switchyard/event-log'
import { Changes, healthOf, Outage, reasonOf } from '@switchyard/service-kit'
import type { FleetKey, HealthState, Logger, RoutersHeard } from '@switchyard/service-kit'
import { createEvents } from './events.ts'
import { GraphDistributor } from './graph-distributor.ts'
import { Projection } from './projection.ts'
import { watchRouters } from './router-watch.ts'
import type { SigningKey } from './signing-key.ts'
import { PublicTraceKeys } from './public-trace-keys.ts'

export { ConfigDistributionError, SigningKeyInvalidError, SigningKeyMissingError } from './errors.ts'
export { createSigningKey, loadSigningKey, publicJwks, saveSigningKey } from './signing-key.ts'
export type { SigningKey } from './signing-key.ts'

export type ConfigDistributionOptions = {
  readonly log: EventLog
  readonly blobs: BlobStore
  readonly store: ConfigStore
  readonly announcer: Announcer
  readonly signingKey: SigningKey
  readonly logger: Logger
  /**
   * Whether signed heads are written, true when it is not given. Without them only routers that trust the
   * store start from it: whoever can write it has to be able to write the log as well.
   */
  readonly signsHeads?: boolean
  /** Only heartbeats that are signed with it are believed; without one, all are. */
  readonly fleetKey?: FleetKey
  /** Unix milliseconds; for `createdAt`, epochs and the age of artifacts. */
  readonly now?: () => number
  readonly intervals?: Partial<Intervals>
}

export type Intervals = {
  /** Log and config store are compared this often. */
  readonly repairMs: number
  /** A router may be behind this long before its graph is projected again. */
  readonly routerBehindMs: number
  readonly sweepMs: number
  /** Log and config store are asked this often whether they are there. */
  readonly pingMs: number
}

const INTERVALS: Intervals = {
  repairMs: 25_000,
  routerBehindMs: 30_000,
  sweepMs: 10 * 60_000,
  pingMs: 5000,
}

/** At a start with many graphs, so many are read at once. */
const LOADED_AT_ONCE = 16

export interface ConfigDistribution extends AsyncDisposable {
  ready(): HealthState
  /** Resolves when everything that is in the logs now is committed and projected. */
  idle(): Promise<void>
}

/**
 * Returns at once; `ready` tells when the logs were read. The caller disposes log, blobs, store and
 * announcer.
 */
export function startConfigDistribution(options: ConfigDistributionOptions): ConfigDistribution {
  return new Service(options)
}

class Service implements ConfigDistribution {
  readonly #options: ConfigDistributionOptions
  readonly #stop = new AbortController()
  readonly #changes = new Changes()
  readonly #graphs = new Map<string, GraphDistributor>()
  readonly #traceKeys = new PublicTraceKeys()
  readonly #projection: Projection
  readonly #events: ReturnType<typeof createEvents>
  readonly #logOutage: Outage
  readonly #quarantine: Quarantine
  readonly #log: EventLog
  readonly #resources = new AsyncDisposableStack()
  readonly #routers: RoutersHeard
  readonly #run: Promise<void>
  #caughtUp = false
  #followed = 0
  #storeProblem: string | null = null
  #stopReason: string | null = null

  constructor(options: ConfigDistributionOptions) {
    this.#options = options
    this.#events = createEvents(options.logger)
    this.#logOutage = new Outage((error) => this.#events.logUnavailable(error))
    const { log, logger } = options
    this.#quarantine = new Quarantine({ log, logger, reasonAgainst: reasonAgainstRecord })
    this.#log = this.#quarantine.log
    this.#projection = new Projection({ ...options, log: this.#log })
    const { repairMs, routerBehindMs, sweepMs, pingMs } = { ...INTERVALS, ...options.intervals }
    this.#every(repairMs, () => this.#eachGraph((graph) => graph.repair()))
    this.#every(sweepMs, () => this.#eachGraph((graph) => graph.sweep()))
    this.#every(pingMs, () => void this.#ping())
    this.#routers = this.#resources.use(
      watchRouters({
        announcer: options.announcer,
        logger,
        fleetKey: options.fleetKey,
        events: this.#events,
        find: (graph) => this.#graphs.get(keyOf(graph)),
        behindForMs: routerBehindMs,
      }),
    )
    this.#observe({ kind: 'log', log: 'compositions' }, () => this.#followed)
    this.#observe({ kind: 'subject', subject: SYSTEM_SUBJECT }, () => this.#traceKeys.seen)
    this.#run = this.#work()
  }

  ready(): HealthState {
    const problems = [this.#stopReason, this.#logOutage.problem, this.#storeProblem].filter(
      (text) => text !== null,
    )
    if (problems.length === 0 && !this.#caughtUp) problems.push('the logs are being read')
    for (const { graph, problem } of this.#graphs.values()) {
      if (problem !== null) problems.push(`${graph.namespace}/${graph.graph}: ${problem}`)
    }
    const warnings = [this.#quarantine.warning, this.#routers.warning].filter((text) => text !== null)
    return healthOf(problems, warnings.length === 0 ? null : warnings.join('; '))
  }

  async idle(): Promise<void> {
    const newest = (await this.#log.last({ kind: 'log', log: 'compositions' }))?.sequence ?? 0
    while (this.#stopReason === null && !this.#stop.signal.aborted) {
      const changed = this.#changes.next
      const isDone = this.#caughtUp && this.#followed >= newest
      if (isDone && [...this.#graphs.values()].every(({ settled }) => settled)) return
      await changed
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort()
    this.#changes.notify()
    await this.#resources.disposeAsync()
    await this.#run
    await Promise.all(Array.from(this.#graphs.values(), (graph) => graph.stopped()))
  }

  async #work(): Promise<void> {
    const { signal } = this.#stop
    try {
      const from = await this.#catchUp()
      const compositions = { kind: 'log', log: 'compositions' } satisfies { kind: 'log'; log: LogName }
      const common = { log: this.#log, ...this.#patience() }
      await Promise.all([
        followLog({
          ...common,
          filter: compositions,
          from,
          onEntry: (entry) => {
            const graph = graphOfSubject(entry.subject)
            if (graph !== null) this.#graph(graph).enqueue(entry)
            this.#followed = entry.sequence
            this.#changes.notify()
          },
        }),
        followLog({
          ...common,
          filter: { kind: 'subject', subject: SYSTEM_SUBJECT },
          from: this.#traceKeys.seen + 1,
          onEntry: (entry) => {
            if (this.#traceKeys.apply(entry)) this.#eachGraph((graph) => graph.traceKeysChanged())
          },
        }),
      ])
    } catch (error) {
      if (signal.aborted) return
      this.#stopReason = reasonOf(error)
      this.#events.readerStopped(error)
      this.#changes.notify()
    }
  }

  /**
   * Reads what is there, waiting for the logs as long as it takes. Returns where to follow the compositions
   * from.
   */
  async #catchUp(): Promise<number> {
    const log = this.#log
    const newest = await whenAvailable(this.#patience(), async () => {
      const system = { kind: 'subject', subject: SYSTEM_SUBJECT } as const
      for await (const entry of log.read(system, this.#traceKeys.seen + 1)) this.#traceKeys.apply(entry)
      const last = await log.last({ kind: 'log', log: 'compositions' })
      await this.#load([...(await log.subjects('configs')), ...(await log.subjects('compositions'))])
      return last?.sequence ?? 0
    })
    if (newest === null) return 1
    this.#logOutage.over()
    this.#followed = newest
    this.#caughtUp = true
    this.#changes.notify()
    return newest + 1
  }

  #observe(filter: LogFilter, position: () => number): void {
    const reader = 'config-distribution'
    this.#resources.use(observeFollower({ reader, log: this.#log, filter, position }))
  }

  #patience(): Patience {
    return { signal: this.#stop.signal, onUnavailable: (error) => this.#logOutage.noticed(error) }
  }

  async #load(subjects: readonly string[]): Promise<void> {
    const loading = new Set<GraphDistributor>()
    for (const subject of subjects) {
      const name = graphOfSubject(subject)
      if (name !== null) loading.add(this.#graph(name))
      while (loading.size >= LOADED_AT_ONCE && !this.#stop.signal.aborted) await this.#someLoaded(loading)
    }
    while (loading.size > 0 && !this.#stop.signal.aborted) await this.#someLoaded(loading)
  }

  async #someLoaded(loading: Set<GraphDistributor>): Promise<void> {
    const changed = this.#changes.next
    const before = loading.size
    for (const graph of loading) if (graph.loaded) loading.delete(graph)
    if (loading.size === before) await changed
  }

  #graph(name: GraphName): GraphDistributor {
    const key = keyOf(name)
    const known = this.#graphs.get(key)
    if (known !== undefined) return known
    const { store, announcer, signingKey, now = Date.now, signsHeads = true } = this.#options
    const graph = new GraphDistributor(name, {
      log: this.#log,
      store,
      announcer,
      signingKey,
      now,
      signsHeads,
      projection: this.#projection,
      traceKeys: () => this.#traceKeys.jwks,
      events: this.#events,
      signal: this.#stop.signal,
      onChange: () => this.#changes.notify(),
    })
    this.#graphs.set(key, graph)
    return graph
  }

  async #ping(): Promise<void> {
    const { store } = this.#options
    try {
      await store.ping()
      this.#storeProblem = null
    } catch (error) {
      this.#storeProblem = reasonOf(error)
    }
    try {
      await this.#log.last({ kind: 'log', log: 'configs' })
      this.#logOutage.over()
    } catch (error) {
      if (!this.#stop.signal.aborted) this.#logOutage.noticed(error)
    }
  }

  #every(milliseconds: number, action: () => void): void {
    const timer = setInterval(action, milliseconds)
    this.#resources.defer(() => clearInterval(timer))
  }

  #eachGraph(action: (graph: GraphDistributor) => void): void {
    for (const graph of this.#graphs.values()) action(graph)
  }
}

function keyOf({ namespace, graph }: GraphName): string {
  return `${namespace}/${graph}`
}
