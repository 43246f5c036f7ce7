/**
 * Distributes one graph: takes its composition records in order, has a revision committed for each, then
 * written to the config store, and repeats what fails for as long as it takes.
 */
import { CompositionRecord, compositionSubject } from '@switchyard/contracts'
import type { GraphName, ManifestContent, RouterHeartbeat } from '@switchyard/contracts'
import { parsedRecord, SteadyWork } from '@switchyard/event-log'
import type { LogEntry } from '@switchyard/event-log'
import { graphAttributes, RouterForms, traceparentOf, withSpan } from '@switchyard/service-kit'
import { trace } from '@opentelemetry/api'
import type { Revision } from './log/config-log.ts'
import type { PublicationStep } from './observe/events.ts'
import { GraphHead } from './store/graph-head.ts'
import { GraphProjection } from './store/graph-projection.ts'
import type { GraphProjectionParts } from './store/graph-projection.ts'
import { GraphRevisions } from './revisions/graph-revisions.ts'
import type { LoggedComposition, GraphRevisionsParts } from './revisions/graph-revisions.ts'
import { GraphPieces } from './store/graph-pieces.ts'
import type { GraphPiecesParts } from './store/graph-pieces.ts'

export type GraphDistributorParts = GraphRevisionsParts &
  GraphProjectionParts &
  GraphPiecesParts & {
    /** Whether routers are to be told what is the newest revision. */
    readonly signsHeads: boolean
    readonly signal: AbortSignal
    /** Milliseconds in which all routers are heard. */
    readonly listenMs?: number | undefined
    /** Called whenever this graph may have become settled, ready or not ready. */
    readonly onChange: () => void
  }

const TRACER = '@switchyard/config-distribution'

export class GraphDistributor {
  readonly graph: GraphName
  readonly routers: RouterForms
  readonly #parts: GraphDistributorParts
  readonly #revisions: GraphRevisions
  readonly #pieces: GraphPieces
  readonly #projection: GraphProjection
  readonly #work: SteadyWork
  readonly #run: Promise<void>
  #pending: LoggedComposition[] = []
  /** The highest composition sequence that is queued or carried out. */
  #received = 0
  /** Whether the records before this instance's start were read. */
  #loaded = false
  /** How often keys or rollouts changed, and up to which of these changes the work is done. */
  #factChanges = 0
  #factChangesDone = 0
  #stage: PublicationStep = 'commit'
  /** The time, by `performance.now()`, since which there is something to do. Null if there is nothing. */
  #waitingSince: number | null = performance.now()

  constructor(graph: GraphName, parts: GraphDistributorParts) {
    this.graph = graph
    this.routers = new RouterForms({ listenMs: parts.listenMs })
    this.#parts = parts
    this.#revisions = new GraphRevisions(graph, parts)
    this.#pieces = new GraphPieces(graph, parts, () => this.routers.areNew)
    this.#projection = new GraphProjection(
      graph,
      parts,
      this.#pieces,
      parts.signsHeads ? new GraphHead(graph, parts) : null,
    )
    const { signal, onChange, events } = parts
    this.#work = new SteadyWork({
      signal,
      onChange,
      onFailed: (error) => events.attemptFailed(graph, this.#stage, error),
      onEachFailure: () => events.attemptCounted(this.#stage),
      onEnded: (error) => events.readerStopped(error),
    })
    this.#run = this.#work.run(() => this.#step())
  }

  /** Takes a composition record of this graph, in order. One that is known already is ignored. */
  enqueue(entry: LogEntry): void {
    if (entry.sequence <= this.#received) return
    this.#pending.push(parseEntry(entry))
    this.#received = entry.sequence
    this.#parts.onChange()
    this.#wake()
  }

  /** Notes that trace keys, or the rollouts of this graph, changed. */
  factsChanged(): void {
    this.#factChanges += 1
    this.#wake()
  }

  /**
   * Compares log and store again. `suspicious` means that a router cannot use the stored bytes: they are
   * compared as well, and all routers are told.
   */
  repair(suspicious = false): void {
    this.#revisions.outdated()
    this.#projection.request({ verify: suspicious, announce: suspicious })
    this.#wake()
  }

  /**
   * Notes a router that serves a version unknown to the log. `believed` is true if it proved to be a router.
   */
  heardAhead(heartbeat: RouterHeartbeat, believed: boolean): void {
    this.#revisions.heardAhead(heartbeat, believed)
    this.repair()
  }

  /** Compares the stored bytes with the log. */
  verify(): void {
    this.#projection.request({ verify: true, announce: false })
    this.#wake()
  }

  sweep(): void {
    this.#projection.requestSweep()
    this.#wake()
  }

  /** The next step for this graph, and for how many milliseconds it has waited. Null if there is none. */
  get waiting(): { readonly step: PublicationStep; readonly milliseconds: number } | null {
    if (this.#waitingSince === null) return null
    return { step: this.#stage, milliseconds: performance.now() - this.#waitingSince }
  }

  get last(): Revision | null {
    return this.#revisions.last
  }

  get loaded(): boolean {
    return this.#loaded || this.#work.ended
  }

  /** Why this graph is not up to date, or null. */
  get problem(): string | null {
    return this.#work.problem
  }

  get settled(): boolean {
    return this.#work.ended || (this.#loaded && !this.#hasWork() && !this.#pieces.isBusy)
  }

  async stopped(): Promise<void> {
    await this.#run
    await this.#pieces.stopped()
  }

  async #step(): Promise<'done' | 'more'> {
    this.#stage = 'commit'
    await this.#load()
    if (this.#hasRevisionToDecide()) await this.#commit()
    this.#stage = 'projection'
    this.#adopt(await this.#projection.run(this.#revisions.last))
    await this.#projection.sweep()
    // What was there is done, and what came meanwhile has waited since now.
    this.#waitingSince = this.#hasWork() ? performance.now() : null
    return this.#waitingSince === null ? 'done' : 'more'
  }

  #wake(): void {
    this.#waitingSince ??= performance.now()
    this.#work.wake()
  }

  #hasRevisionToDecide(): boolean {
    return (
      this.#pending.length > 0 ||
      this.#factChangesDone < this.#factChanges ||
      this.#revisions.mustBePublishedAgain
    )
  }

  #hasWork(): boolean {
    return this.#hasRevisionToDecide() || this.#projection.isDue || !this.#revisions.isCurrent
  }

  /** Reads what the log knows: the last revision, and once the composition records that came after it. */
  async #load(): Promise<void> {
    const { log } = this.#parts
    await this.#revisions.read()
    if (this.#loaded) return
    const filter = { kind: 'subject', subject: compositionSubject(this.graph) } as const
    const newest = await log.last(filter)
    const from = this.#revisions.carriedOut + 1
    if (newest !== null && newest.sequence >= from) {
      const missed: LoggedComposition[] = []
      for await (const entry of log.read(filter, from)) missed.push(parseEntry(entry))
      // Records that arrived by following meanwhile are among these, or come after them.
      const end = missed.at(-1)?.sequence ?? 0
      this.#pending = [...missed, ...this.#pending.filter(({ sequence }) => sequence > end)]
      this.#received = Math.max(this.#received, end)
    }
    this.#loaded = true
    this.#projection.request({ verify: false, announce: false })
    // A start waits for this, and the next step perhaps for records that are read only after the start.
    this.#parts.onChange()
  }

  async #commit(): Promise<void> {
    const revisions = this.#revisions
    const done = revisions.carriedOut
    const factChanges = this.#factChanges
    await revisions.requireFacts()
    const batch = this.#pending.filter(({ sequence }) => sequence > done)
    const content = await revisions.wanted(batch)
    if (content !== null && !(await this.#publish(content, batch.at(-1)))) return
    const carriedOut = new Set(batch)
    this.#pending = this.#pending.filter((item) => item.sequence > done && !carriedOut.has(item))
    this.#factChangesDone = factChanges
  }

  /** Returns false if another instance was first, or may have been. */
  async #publish(content: ManifestContent, newest: LoggedComposition | undefined): Promise<boolean> {
    const start = { traceparent: newest?.record.traceparent, attributes: graphAttributes(this.graph) }
    return withSpan(trace.getTracer(TRACER), 'publish config', start, async (span) => {
      const traceparent = traceparentOf(span)
      await this.#projection.putNewArtifacts(content, this.#revisions.last)
      // What was to be put may not have been.
      this.#parts.signal.throwIfAborted()
      const committed = await this.#revisions.commit(content, newest, traceparent)
      // Whichever instance committed, the store may still lack the revision.
      this.#projection.request({ verify: false, announce: true, traceparent })
      if (committed) this.#adopt(await this.#projection.attempt(this.#revisions.last))
      return committed
    })
  }

  #adopt(revision: Revision | null): void {
    if (revision !== null) this.#revisions.adopt(revision)
  }
}

function parseEntry(entry: LogEntry): LoggedComposition {
  return { sequence: entry.sequence, record: parsedRecord(entry, CompositionRecord) }
}
