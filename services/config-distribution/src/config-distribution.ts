/**
 * Turns composition records into signed router execution configs.
 *
 * At the start every graph is brought up to date with the logs, then the logs are followed. This process
 * keeps nothing that a restart would lose.
 */
import { graphOfSubject } from '@switchyard/contracts'
import type { GraphName } from '@switchyard/contracts'
import type { ConfigStore } from '@switchyard/config-store'
import type { Announcer, BlobStore, EventLog, LogFollower } from '@switchyard/event-log'
import { GraphsOfLogs } from '@switchyard/event-log'
import {
  type FleetKey,
  type HealthState,
  hearFigures,
  type Logger,
  type RoutersHeard,
} from '@switchyard/service-kit'
import { messageOf } from '@switchyard/values'
import { createConfigDistributionEvents } from './observe/events.ts'
import { GraphDistributor } from './graph-distributor.ts'
import { observeWaiting } from './observe-waiting.ts'
import { Projection } from './store/projection.ts'
import { verifyInTurns } from './verify-in-turns.ts'
import { watchRouters } from './router-watch.ts'
import type { SigningKey } from './log/signing-key.ts'
import type { ManagementApiSource } from './ramps/read-management-api.ts'
import { RampController } from './ramps/ramp-controller.ts'
import { RegistryFacts } from './log/registry-facts.ts'

export { ConfigDistributionError, SigningKeyInvalidError, SigningKeyMissingError } from './errors/errors.ts'
export { createSigningKey, loadSigningKey, publicJwks, saveSigningKey } from './log/signing-key.ts'
export type { SigningKey } from './log/signing-key.ts'

export type ConfigDistributionOptions = {
  readonly log: EventLog
  readonly blobs: BlobStore
  /** Artifacts in pieces: lists and chunks. */
  readonly pieces: BlobStore
  readonly store: ConfigStore
  readonly announcer: Announcer
  readonly signingKey: SigningKey
  readonly logger: Logger
  /**
   * Whether signed heads are written; true if it is not given. Without heads, only routers that trust the
   * store can start from it, which is right only if nobody can write the store who cannot write the log.
   */
  readonly signsHeads?: boolean
  /** Only heartbeats that are signed with it are believed; without one, all are. */
  readonly fleetKey?: FleetKey
  /** Unix milliseconds; for `createdAt`, epochs and the age of artifacts. */
  readonly now?: () => number
  /** The API that gets commands about ramps; absent if nobody may move ramps from here. */
  readonly managementApi?: ManagementApiSource
  readonly intervals?: Partial<Intervals>
}

export type Intervals = {
  /** Milliseconds between two comparisons of log and config store. */
  readonly repairMs: number
  /**
   * Milliseconds that a router may be behind before its graph is written to the store and announced again.
   */
  readonly routerBehindMs: number
  readonly sweepMs: number
  /** Milliseconds after the start in which all routers are heard. */
  readonly listenMs: number
  /**
   * Milliseconds in which the stored bytes of every graph are compared with the log once; one graph after the
   * other, so that they do not all come at the same moment.
   */
  readonly verifyMs: number
  /** Milliseconds between two looks at the ramps of rollouts. */
  readonly rampsMs: number
  /** Milliseconds between two checks that log and config store can be reached. */
  readonly pingMs: number
}

const INTERVALS: Omit<Intervals, 'listenMs'> = {
  repairMs: 25_000,
  routerBehindMs: 30_000,
  sweepMs: 10 * 60_000,
  verifyMs: 10 * 60_000,
  rampsMs: 1000,
  pingMs: 5000,
}

/** How many graphs are read at the same time at a start. */
const LOADED_AT_ONCE = 16

export interface ConfigDistribution extends AsyncDisposable {
  ready(): HealthState
  /** Resolves when everything that is in the logs now is committed and projected. */
  idle(): Promise<void>
}

/**
 * Returns at once; `ready` tells when the logs were read. The caller disposes log, blobs, pieces, store and
 * announcer.
 */
export function startConfigDistribution(options: ConfigDistributionOptions): ConfigDistribution {
  return new ConfigDistributionService(options)
}

class ConfigDistributionService implements ConfigDistribution {
  readonly #options: ConfigDistributionOptions
  readonly #facts = new RegistryFacts()
  readonly #projection: Projection
  readonly #events: ReturnType<typeof createConfigDistributionEvents>
  readonly #graphs: GraphsOfLogs<GraphDistributor>
  readonly #compositions: LogFollower
  readonly #registry: LogFollower
  readonly #resources = new AsyncDisposableStack()
  readonly #routers: RoutersHeard
  readonly #ramps: RampController
  readonly #figures: RoutersHeard
  #storeProblem: string | null = null

  constructor(options: ConfigDistributionOptions) {
    this.#options = options
    const { log, logger, announcer, fleetKey } = options
    const events = createConfigDistributionEvents(logger)
    this.#events = events
    this.#graphs = new GraphsOfLogs({ reader: 'config-distribution', log, logger, events })
    this.#projection = new Projection({ ...options, log: this.#graphs.log })
    const intervals = { ...INTERVALS, ...options.intervals }
    const { repairMs, routerBehindMs, sweepMs, verifyMs, pingMs, rampsMs } = intervals
    this.#resources.use(observeWaiting(() => this.#graphs.workers))
    this.#every(repairMs, () => this.#eachGraph((graph) => graph.repair()))
    this.#every(sweepMs, () => this.#eachGraph((graph) => graph.sweep()))
    this.#resources.use(verifyInTurns(verifyMs, () => this.#graphs.workers))
    this.#every(pingMs, () => void this.#ping())
    const find = (graph: GraphName) => this.#graphs.worker(graph)
    this.#ramps = this.#resources.use(
      new RampController({
        ramps: this.#facts,
        api: options.managementApi ?? null,
        logger,
        now: options.now ?? Date.now,
        everyMs: rampsMs,
      }),
    )
    this.#figures = this.#resources.use(
      hearFigures({
        subscribe: (subject, handler) => announcer.subscribe(subject, handler),
        fleetKey,
        logger,
        onFigures: (figures) => this.#ramps.figures(figures),
      }),
    )
    this.#routers = this.#resources.use(
      watchRouters({
        announcer,
        logger,
        fleetKey,
        events,
        find,
        behindForMs: routerBehindMs,
        ramps: this.#ramps,
      }),
    )
    this.#compositions = this.#graphs.follower({ kind: 'log', log: 'compositions' }, (entry) => {
      const graph = graphOfSubject(entry.subject)
      if (graph !== null) this.#graph(graph).enqueue(entry)
    })
    this.#registry = this.#graphs.follower({ kind: 'log', log: 'registry' }, (entry) => {
      const { traceKeys, rolloutsOf } = this.#facts.apply(entry)
      if (traceKeys) this.#eachGraph((graph) => graph.factsChanged())
      for (const graph of rolloutsOf) find(graph)?.factsChanged()
    })
    this.#graphs.start(async () => {
      await this.#registry.readExisting()
      this.#compositions.position = await this.#compositions.newest()
      await this.#load()
    })
  }

  ready(): HealthState {
    return this.#graphs.ready(this.#storeProblem, this.#routers.warning ?? this.#figures.warning)
  }

  async idle(): Promise<void> {
    await this.#graphs.idle(this.#compositions, this.#registry)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#graphs.stop()
    await this.#resources.disposeAsync()
    await this.#graphs[Symbol.asyncDispose]()
  }

  /** Brings every graph that is in the logs up to them. */
  async #load(): Promise<void> {
    const { log, signal } = this.#graphs
    const subjects = [...(await log.subjects('configs')), ...(await log.subjects('compositions'))]
    const loading = new Set<GraphDistributor>()
    for (const subject of subjects) {
      const name = graphOfSubject(subject)
      if (name !== null) loading.add(this.#graph(name))
      while (loading.size >= LOADED_AT_ONCE && !signal.aborted) await this.#someLoaded(loading)
    }
    while (loading.size > 0 && !signal.aborted) await this.#someLoaded(loading)
  }

  async #someLoaded(loading: Set<GraphDistributor>): Promise<void> {
    const changed = this.#graphs.changes.next
    const before = loading.size
    for (const graph of loading) if (graph.loaded) loading.delete(graph)
    if (loading.size === before) await changed
  }

  #graph(name: GraphName): GraphDistributor {
    const known = this.#graphs.worker(name)
    if (known !== undefined) return known
    const { pieces, store, announcer, signingKey, now = Date.now, signsHeads = true } = this.#options
    const { log, signal, changes } = this.#graphs
    const graph = new GraphDistributor(name, {
      log,
      pieces,
      store,
      announcer,
      signingKey,
      now,
      signsHeads,
      projection: this.#projection,
      traceKeys: () => this.#facts.jwks,
      rollouts: () => this.#facts.rolloutsOf(name),
      registrySequence: () => this.#facts.sequence,
      registryReaches: (sequence) => this.#registry.reaches(sequence),
      listenMs: this.#options.intervals?.listenMs,
      events: this.#events,
      signal,
      onChange: () => changes.notify(),
    })
    this.#graphs.add(graph)
    return graph
  }

  async #ping(): Promise<void> {
    try {
      await this.#options.store.ping()
      this.#storeProblem = null
    } catch (error) {
      this.#storeProblem = messageOf(error)
    }
    await this.#graphs.ping('configs')
  }

  #every(milliseconds: number, action: () => void): void {
    const timer = setInterval(action, milliseconds)
    this.#resources.defer(() => clearInterval(timer))
  }

  #eachGraph(action: (graph: GraphDistributor) => void): void {
    for (const graph of this.#graphs.workers) action(graph)
  }
}
