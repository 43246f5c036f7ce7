/**
 * Turns the registry's log into compositions.
 *
 * Level-triggered: at start the whole registry is folded and every graph compared with its last composition
 * record, so a crash at any point is healed by the next start; afterwards both logs are followed. Nothing is
 * kept in this process that a restart would miss.
 */
import { availableParallelism } from 'node:os'
import { graphOfSubject, namespaceOfSubject, reasonAgainstRecord } from '@switchyard/contracts'
import type { GraphName } from '@switchyard/contracts'
import { RegistryFold } from '@switchyard/domain'
import { followLog, observeFollower, Quarantine, understood, whenAvailable } from '@switchyard/event-log'
import type { Announcer, BlobStore, EventLog, LogEntry, LogName, Patience } from '@switchyard/event-log'
import { Changes, healthOf, Outage, reasonOf } from '@switchyard/service-kit'
import type { HealthState, Logger } from '@switchyard/service-kit'
import { Compositions } from './compositions.ts'
import { createEvents } from './events.ts'
import { Fleet } from './fleet.ts'
import { Gate } from './gate.ts'
import { GraphComposer } from './graph-composer.ts'
import type { Wanted } from './graph-composer.ts'
import { KnownResults } from './known-results.ts'
import { CompositionLanes } from './lanes/composition-lanes.ts'
import { SdlCache } from './sdl-cache.ts'

export { ComposerError } from './errors.ts'

export type ComposerOptions = {
  readonly log: EventLog
  readonly blobs: BlobStore
  readonly announcer: Announcer
  readonly logger: Logger
  /** Unique among the composers of a log. */
  readonly instance: string
  /**
   * Threads that compose what is large at the same time; the one that is kept for small ones comes on top.
   */
  readonly workers?: number | undefined
  /** CPU milliseconds that one composition may take. */
  readonly cpuBudgetMs?: number | undefined
  /** MiB of heap that one composition may take. */
  readonly memoryMb?: number | undefined
  /** How long the composer whose turn it is may take before another one does its work. */
  readonly graceMs?: number
  /** The log is asked this often whether it is there. */
  readonly pingMs?: number
  /** The worker's module, for tests that need one that misbehaves. */
  readonly workerModule?: URL
}

export interface Composer extends AsyncDisposable {
  ready(): HealthState
  /** Resolves when everything that is in the registry's log now is reflected in the compositions log. */
  idle(): Promise<void>
}

const CPU_BUDGET_MS = 30_000
const MEMORY_MB = 2048
const GRACE_MS = 500
const PING_MS = 5000
const MOST_WORKERS = 4
/** At a start with many graphs, so many read the log at a time. */
const READ_AT_ONCE = 16

/** Returns at once; `ready` tells when the logs were read. The caller disposes log, blobs and announcer. */
export function startComposer(options: ComposerOptions): Composer {
  return new Service(options)
}

class Service implements Composer {
  readonly #options: ComposerOptions
  readonly #stop = new AbortController()
  readonly #changes = new Changes()
  readonly #graphs = new Map<string, GraphComposer>()
  readonly #fold = new RegistryFold()
  /** Sequence of the last record of the registry that was folded or passed over. */
  #folded = 0
  readonly #events: ReturnType<typeof createEvents>
  readonly #logOutage: Outage
  readonly #quarantine: Quarantine
  readonly #log: EventLog
  readonly #resources = new AsyncDisposableStack()
  readonly #fleet: Fleet
  readonly #known = new KnownResults()
  readonly #compositions: Compositions
  readonly #reading = new Gate(READ_AT_ONCE)
  readonly #run: Promise<void>
  #caughtUp = false
  /** Sequence of the last record of the compositions that was seen. */
  #followed = 0
  #stopReason: string | null = null

  constructor(options: ComposerOptions) {
    const {
      log,
      blobs,
      logger,
      workers = defaultWorkers(),
      cpuBudgetMs = CPU_BUDGET_MS,
      memoryMb = MEMORY_MB,
      workerModule,
    } = options
    this.#options = options
    this.#events = createEvents(logger)
    this.#logOutage = new Outage((error) => this.#events.logUnavailable(error))
    this.#quarantine = new Quarantine({ log, logger, reasonAgainst: reasonAgainstRecord })
    this.#log = this.#quarantine.log
    this.#fleet = this.#resources.use(new Fleet(options))
    const lanes = this.#resources.use(
      new CompositionLanes({
        largeThreads: workers,
        cpuBudgetMs,
        memoryMb,
        onEvent: (event) => this.#events.ofLane(event),
        ...(workerModule === undefined ? {} : { module: workerModule }),
      }),
    )
    this.#compositions = new Compositions({ blobs, lanes, sdl: new SdlCache(blobs), known: this.#known })
    const ping = setInterval(() => void this.#ping(), options.pingMs ?? PING_MS)
    this.#resources.defer(() => clearInterval(ping))
    this.#observe('registry', () => this.#folded)
    this.#observe('compositions', () => this.#followed)
    this.#run = this.#work()
  }

  ready(): HealthState {
    const problems = [this.#stopReason, this.#logOutage.problem].filter((text) => text !== null)
    if (problems.length === 0 && !this.#caughtUp) problems.push('the logs are being read')
    for (const { graph, problem } of this.#graphs.values()) {
      if (problem !== null) problems.push(`${graph.namespace}/${graph.graph}: ${problem}`)
    }
    return healthOf(problems, this.#quarantine.warning)
  }

  async idle(): Promise<void> {
    const newest = (await this.#log.last({ kind: 'log', log: 'registry' }))?.sequence ?? 0
    while (this.#stopReason === null && !this.#stop.signal.aborted) {
      const changed = this.#changes.next
      const isDone = this.#caughtUp && this.#folded >= newest
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
    const common = { log: this.#log, ...this.#patience() }
    try {
      const compositionsFrom = await this.#catchUp()
      await Promise.all([
        followLog({
          ...common,
          filter: { kind: 'log', log: 'registry' },
          from: this.#folded + 1,
          onEntry: (entry) => this.#takeRegistryEntry(entry),
        }),
        followLog({
          ...common,
          filter: { kind: 'log', log: 'compositions' },
          from: compositionsFrom,
          onEntry: (entry) => this.#takeCompositionEntry(entry),
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
   * Folds what is there, waiting for the log as long as it takes. Returns where to follow the compositions
   * from.
   */
  async #catchUp(): Promise<number> {
    const log = this.#log
    const affected = new Map<string, readonly [GraphName, Wanted]>()
    const newest = await whenAvailable(this.#patience(), async () => {
      for await (const entry of log.read({ kind: 'log', log: 'registry' }, this.#folded + 1)) {
        for (const [name, wanted] of this.#apply(entry)) affected.set(keyOf(name), [name, wanted])
      }
      const last = await log.last({ kind: 'log', log: 'compositions' })
      for (const [name, wanted] of affected.values()) this.#affect(name, wanted)
      return last?.sequence ?? 0
    })
    if (newest === null) return 1
    this.#logOutage.over()
    this.#followed = newest
    this.#caughtUp = true
    this.#changes.notify()
    return newest + 1
  }

  #observe(log: LogName, position: () => number): void {
    const filter = { kind: 'log', log } as const
    this.#resources.use(observeFollower({ reader: 'composer', log: this.#log, filter, position }))
  }

  #patience(): Patience {
    return { signal: this.#stop.signal, onUnavailable: (error) => this.#logOutage.noticed(error) }
  }

  #takeRegistryEntry(entry: LogEntry): void {
    for (const [name, wanted] of this.#apply(entry)) this.#affect(name, wanted)
    this.#changes.notify()
  }

  #takeCompositionEntry(entry: LogEntry): void {
    const name = graphOfSubject(entry.subject)
    if (name !== null) this.#graphs.get(keyOf(name))?.note(entry)
    this.#followed = entry.sequence
    this.#changes.notify()
  }

  #apply(entry: LogEntry): readonly (readonly [GraphName, Wanted])[] {
    const { subject, sequence } = entry
    // Keys change no composition.
    const isOfNamespace = namespaceOfSubject(subject) !== null
    const folded = isOfNamespace ? understood(entry, () => this.#fold.apply(entry)) : null
    this.#folded = sequence
    if (folded?.kind !== 'namespace' || folded.outcome.kind === 'skipped') return []
    const { namespace, record, outcome } = folded
    const wanted = { sequence, traceparent: record.traceparent }
    return outcome.affectedGraphs.map((graph) => [{ namespace, graph }, wanted])
  }

  #affect(name: GraphName, wanted: Wanted): GraphComposer {
    const known = this.#graphs.get(keyOf(name))
    if (known !== undefined) {
      known.affectedBy(wanted)
      return known
    }
    const { blobs, graceMs = GRACE_MS } = this.#options
    const graph = new GraphComposer(name, wanted, {
      log: this.#log,
      blobs,
      graceMs,
      compositions: this.#compositions,
      known: this.#known,
      fleet: this.#fleet,
      events: this.#events,
      reading: this.#reading,
      state: () => this.#fold.state(name.namespace),
      signal: this.#stop.signal,
      onChange: () => this.#changes.notify(),
    })
    this.#graphs.set(keyOf(name), graph)
    return graph
  }

  /** Following waits silently for a connection that broke; readiness should tell. */
  async #ping(): Promise<void> {
    try {
      await this.#log.last({ kind: 'log', log: 'registry' })
      this.#logOutage.over()
    } catch (error) {
      if (!this.#stop.signal.aborted) this.#logOutage.noticed(error)
    }
  }
}

function defaultWorkers(): number {
  return Math.max(1, Math.min(MOST_WORKERS, availableParallelism() - 1))
}

function keyOf({ namespace, graph }: GraphName): string {
  return `${namespace}/${graph}`
}
