/**
 * Turns the registry's log into compositions.
 *
 * At the start the whole log is folded and every graph is compared with its last composition record, so that
 * a crash at any point is healed by the next start. Then both logs are followed. This process keeps nothing
 * that a restart would lose.
 */
import { availableParallelism } from 'node:os'
import { graphOfSubject, namespaceOfSubject } from '@switchyard/contracts'
import type { GraphName } from '@switchyard/contracts'
import { RegistryFold } from '@switchyard/domain'
import { GraphsOfLogs } from '@switchyard/event-log'
import type { Announcer, BlobStore, EventLog, LogEntry, LogFollower } from '@switchyard/event-log'
import type { HealthState, Logger } from '@switchyard/service-kit'
import { Compositions } from './compositions.ts'
import { createComposerEvents } from './events.ts'
import { ComposerFleet } from './fleet.ts'
import { Gate } from './gate.ts'
import { GraphComposer } from './graph-composer.ts'
import type { CompositionCause } from './graph-composer.ts'
import { observeFailing } from './observe-failing.ts'
import { KnownResults } from './known-results.ts'
import { CompositionLanes } from './lanes/composition-lanes.ts'
import type { ArtifactForm } from './config.ts'
import { WholeNeeded } from './whole-needed.ts'
import { StoredPieces } from './stored-pieces.ts'
import { SdlCache } from './sdl-cache.ts'

export { ComposerError } from './lanes/errors.ts'

export type ComposerOptions = {
  readonly log: EventLog
  readonly blobs: BlobStore
  /** Artifacts in pieces: lists and chunks. */
  readonly pieces: BlobStore
  readonly announcer: Announcer
  readonly logger: Logger
  /** Unique among the composers of a log. */
  readonly instance: string
  /** Whether compositions are stored as a whole beside their pieces; `both` if it is not given. */
  readonly artifactForm?: ArtifactForm
  /** Milliseconds for which routers are listened to, before anything is stored in pieces only. */
  readonly listenMs?: number
  /** Threads for large compositions. One more thread is kept for small ones. */
  readonly workers?: number | undefined
  /** CPU milliseconds that one composition may take. */
  readonly cpuBudgetMs?: number | undefined
  /** MiB of heap that one composition may take. */
  readonly memoryMb?: number | undefined
  /** Milliseconds after which another composer does the work of the responsible one. */
  readonly graceMs?: number
  /** Milliseconds for which a composed base waits for its flags, before it is recorded without them. */
  readonly flagsWaitMs?: number
  /** Milliseconds between two checks that the log can be reached. */
  readonly pingMs?: number
  /** The worker's module, for tests that need one that misbehaves. */
  readonly workerModule?: URL
  /**
   * Threads that several composers share. The caller disposes them after the composers, and `workers`,
   * `cpuBudgetMs`, `memoryMb` and `workerModule` do not apply. When absent, the composer starts its own.
   */
  readonly lanes?: CompositionLanes | undefined
}

export interface Composer extends AsyncDisposable {
  ready(): HealthState
  /** Resolves when complete composition records reflect everything that is in the registry's log now. */
  idle(): Promise<void>
}

const CPU_BUDGET_MS = 30_000
const MEMORY_MB = 2048
const GRACE_MS = 500
const FLAGS_WAIT_MS = 500
const PING_MS = 5000
const MOST_WORKERS = 4
/** How many graphs read the log at the same time at a start. */
const READ_AT_ONCE = 16

/**
 * Returns at once; `ready` tells when the logs were read. The caller disposes log, blobs, pieces and
 * announcer.
 */
export function startComposer(options: ComposerOptions): Composer {
  return new ComposerService(options)
}

class ComposerService implements Composer {
  readonly #options: ComposerOptions
  readonly #fold = new RegistryFold()
  readonly #events: ReturnType<typeof createComposerEvents>
  readonly #graphs: GraphsOfLogs<GraphComposer>
  readonly #registry: LogFollower
  readonly #resources = new AsyncDisposableStack()
  readonly #fleet: ComposerFleet
  readonly #known = new KnownResults()
  readonly #compositions: Compositions
  readonly #reading = new Gate(READ_AT_ONCE)
  /** Graphs that records from before the start affect, with what affects them; null once those were read. */
  #affectedAtStart: Map<string, readonly [GraphName, CompositionCause]> | null = new Map()

  constructor(options: ComposerOptions) {
    const { blobs, pieces, logger } = options
    this.#options = options
    this.#events = createComposerEvents(logger)
    this.#graphs = new GraphsOfLogs({ reader: 'composer', log: options.log, logger, events: this.#events })
    this.#resources.use(observeFailing(() => this.#graphs.workers))
    this.#fleet = this.#resources.use(new ComposerFleet(options))
    this.#compositions = new Compositions({
      blobs,
      pieces: new StoredPieces({ pieces, onFailed: (error) => this.#events.piecesNotStored(error) }),
      whole: this.#resources.use(
        new WholeNeeded({
          form: options.artifactForm ?? 'both',
          listenMs: options.listenMs,
          announcer: options.announcer,
          logger,
          onNeeded: (routers) => this.#events.wholeNeeded(routers),
        }),
      ),
      lanes: options.lanes ?? this.#resources.use(ownLanes(options)),
      onLaneEvent: (event) => this.#events.ofLane(event),
      sdl: new SdlCache(blobs),
      known: this.#known,
    })
    const ping = setInterval(() => void this.#graphs.ping('registry'), options.pingMs ?? PING_MS)
    this.#resources.defer(() => clearInterval(ping))
    this.#registry = this.#graphs.follower({ kind: 'log', log: 'registry' }, (entry) =>
      this.#takeRegistryEntry(entry),
    )
    const compositions = this.#graphs.follower({ kind: 'log', log: 'compositions' }, (entry) => {
      const name = graphOfSubject(entry.subject)
      if (name !== null) this.#graphs.worker(name)?.note(entry)
    })
    this.#graphs.start(async () => {
      await this.#registry.readExisting()
      compositions.position = await compositions.newest()
      const affected = this.#affectedAtStart
      this.#affectedAtStart = null
      for (const [name, wanted] of affected?.values() ?? []) this.#affect(name, wanted)
    })
  }

  ready(): HealthState {
    return this.#graphs.ready()
  }

  async idle(): Promise<void> {
    await this.#graphs.idle(this.#registry)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#graphs.stop()
    await this.#resources.disposeAsync()
    await this.#graphs[Symbol.asyncDispose]()
  }

  #takeRegistryEntry(entry: LogEntry): void {
    // The system subject holds keys, which change no composition.
    if (namespaceOfSubject(entry.subject) === null) return
    const folded = this.#fold.apply(entry)
    if (folded.kind !== 'namespace' || folded.outcome.kind === 'skipped') return
    const { namespace, record, outcome } = folded
    const wanted = { sequence: entry.sequence, traceparent: record.traceparent }
    for (const graph of outcome.affectedGraphs) {
      const name = { namespace, graph }
      if (this.#affectedAtStart === null) this.#affect(name, wanted)
      else this.#affectedAtStart.set(`${namespace}/${graph}`, [name, wanted])
    }
  }

  #affect(name: GraphName, wanted: CompositionCause): void {
    const known = this.#graphs.worker(name)
    if (known !== undefined) return known.affectedBy(wanted)
    const { blobs, pieces, graceMs = GRACE_MS, flagsWaitMs = FLAGS_WAIT_MS } = this.#options
    const { log, signal, changes } = this.#graphs
    this.#graphs.add(
      new GraphComposer(name, wanted, {
        log,
        blobs,
        pieces,
        graceMs,
        flagsWaitMs,
        compositions: this.#compositions,
        known: this.#known,
        fleet: this.#fleet,
        events: this.#events,
        reading: this.#reading,
        state: () => this.#fold.state(name.namespace),
        signal,
        onChange: () => changes.notify(),
      }),
    )
  }
}

function ownLanes({
  workers = defaultWorkers(),
  cpuBudgetMs = CPU_BUDGET_MS,
  memoryMb = MEMORY_MB,
  workerModule: module,
}: ComposerOptions): CompositionLanes {
  return new CompositionLanes({
    largeThreads: workers,
    cpuBudgetMs,
    memoryMb,
    ...(module === undefined ? {} : { module }),
  })
}

function defaultWorkers(): number {
  return Math.max(1, Math.min(MOST_WORKERS, availableParallelism() - 1))
}
