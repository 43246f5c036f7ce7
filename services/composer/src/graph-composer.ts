/**
 * Composes one graph. Whenever a record of the registry's log affects the graph, a composition record that
 * reflects at least that record will be in the compositions log, written by this instance or by another.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { artifactOf, CompositionRecord, compositionSubject } from '@switchyard/contracts'
import type { CompositionResult, DocumentReference, GraphName } from '@switchyard/contracts'
import { compositionInputs } from '@switchyard/domain'
import type { CompositionInputs, NamespaceState, PublishedDocuments } from '@switchyard/domain'
import {
  AppendConflictError,
  AppendOutcomeUnknownError,
  parsedRecord,
  SteadyWork,
} from '@switchyard/event-log'
import type { BlobStore, EventLog, LogEntry } from '@switchyard/event-log'
import { traceparentOf, withSpan } from '@switchyard/service-kit'
import { trace } from '@opentelemetry/api'
import type { CompositionClaim, Compositions } from './compositions.ts'
import type { Events, Interruption } from './events.ts'
import { fitRecord } from './fit-record.ts'
import type { ComposerFleet } from './fleet.ts'
import type { Gate } from './gate.ts'
import type { KnownResults } from './known-results.ts'

export type GraphComposerParts = {
  readonly log: EventLog
  readonly blobs: BlobStore
  readonly compositions: Compositions
  readonly known: KnownResults
  readonly fleet: ComposerFleet
  readonly events: Events
  /** Lets a bounded number of graphs read the log at a time. */
  readonly reading: Gate
  readonly state: () => NamespaceState
  /** Milliseconds after which this composer does the work of the responsible one. */
  readonly graceMs: number
  readonly signal: AbortSignal
  readonly onChange: () => void
}

/** A registry sequence that affected the graph, and the trace it belongs to. */
export type CompositionCause = { readonly sequence: number; readonly traceparent: string | undefined }

type LastRecord = { readonly sequence: number; readonly record: CompositionRecord }

/** How many passes in a row a newer command has ended. */
const MOST_SUPERSEDED = 3

/** Milliseconds for which a composer that says it composes the graph is waited for. */
const MOST_WAITED_MS = 120_000
const LOOK_AGAIN_MS = 200

type RecordedResults = Pick<
  Extract<CompositionRecord, { type: 'composition.completed' }>,
  'base' | 'featureFlags' | 'pinnedRevision' | 'documents'
>

const TRACER = '@switchyard/composer'

export class GraphComposer {
  readonly graph: GraphName
  readonly #parts: GraphComposerParts
  readonly #work: SteadyWork
  readonly #run: Promise<void>
  #wanted: CompositionCause
  #last: LastRecord | null = null
  #lastIsCurrent = false
  /** Whether the responsible composer has used up its time. */
  #waitedForOther = false
  #interrupt: ((by: Interruption) => void) | null = null
  /** Passes in a row that a newer command ended. */
  #superseded = 0
  /** Claims of the last pass. The next pass claims what it still needs before these are released. */
  #claims: readonly CompositionClaim[] = []

  constructor(graph: GraphName, wanted: CompositionCause, parts: GraphComposerParts) {
    this.graph = graph
    this.#wanted = wanted
    this.#parts = parts
    const { signal, onChange, events } = parts
    this.#work = new SteadyWork({
      signal,
      onChange,
      onFailed: (error) => events.passFailed(graph, error),
      onEnded: (error) => events.readerStopped(error),
    })
    this.#run = this.#work.run(() => this.#step())
  }

  affectedBy(wanted: CompositionCause): void {
    this.#wanted = wanted
    if (this.#superseded < MOST_SUPERSEDED) this.#interrupt?.('superseded')
    this.#work.wake()
  }

  /** To be called when a composition record of this graph was read from the log. */
  note(entry: LogEntry): void {
    if (entry.sequence <= (this.#last?.sequence ?? 0)) return
    this.#last = parseLast(entry)
    this.#parts.known.addRecord(this.#last.record)
    if (this.#isCovered()) this.#interrupt?.('covered')
    this.#work.wake()
  }

  get settled(): boolean {
    return this.#work.ended || (this.#lastIsCurrent && this.#isCovered())
  }

  /** Why this graph is not up to date, or null. */
  get problem(): string | null {
    return this.#work.problem
  }

  /** The flags whose compositions failed in the last record; null stands for base. */
  get failing(): readonly (string | null)[] {
    return [...resultsOf(this.#last?.record)].flatMap(([flag, { status }]) =>
      status === 'failed' ? [flag] : [],
    )
  }

  async stopped(): Promise<void> {
    await this.#run
  }

  async #step(): Promise<'done' | 'more'> {
    const { events, fleet, graceMs } = this.#parts
    await this.#readLast()
    if (this.#isCovered()) {
      this.#waitedForOther = false
      this.#superseded = 0
      this.#claim([])
      return 'done'
    }
    if (!this.#waitedForOther && !fleet.isFirstFor(this.#key())) {
      await this.#waitUntilCovered(graceMs)
      this.#waitedForOther = true
      this.#lastIsCurrent = false
      return 'more'
    }
    if (this.#waitedForOther) events.takenOver(this.graph)
    // Records that arrived together are folded before the pass begins.
    await nextTurn()
    await fleet.whileComposing(this.#key(), () => this.#pass())
    return 'more'
  }

  #key(): string {
    return `${this.graph.namespace}/${this.graph.graph}`
  }

  #isCovered(): boolean {
    return (this.#last?.record.registrySequence ?? -1) >= this.#wanted.sequence
  }

  /**
   * Waits while another composer says that it composes the graph, up to a limit, since anybody could say so.
   */
  async #waitUntilCovered(milliseconds: number): Promise<void> {
    const { signal, fleet } = this.#parts
    const began = performance.now()
    while (!signal.aborted && !this.#isCovered()) {
      const waited = performance.now() - began
      const isBusy = waited < MOST_WAITED_MS && fleet.isComposing(this.#key())
      if (waited >= milliseconds && !isBusy) return
      await this.#work.pause(Math.max(milliseconds - waited, isBusy ? LOOK_AGAIN_MS : 0))
    }
  }

  async #readLast(): Promise<void> {
    if (this.#lastIsCurrent) return
    const subject = compositionSubject(this.graph)
    const entry = await this.#parts.reading.pass(() => this.#parts.log.last({ kind: 'subject', subject }))
    if (entry !== null && entry.sequence > (this.#last?.sequence ?? 0)) {
      this.#last = parseLast(entry)
      this.#parts.known.addRecord(this.#last.record)
    }
    this.#lastIsCurrent = true
  }

  async #pass(): Promise<void> {
    const { traceparent } = this.#wanted
    const start = { traceparent, attributes: { ...this.graph } }
    await withSpan(trace.getTracer(TRACER), 'compose graph', start, async (span) => {
      const began = performance.now()
      const state = this.#parts.state()
      const record = await this.#recordFor(state, traceparentOf(span))
      if (record === null) return
      // Another composer may have been faster; its record then arrived with the log.
      if (this.#isCoveredUpTo(record.registrySequence)) {
        this.#parts.events.passDropped(this.graph, record)
        return
      }
      await this.#append(record, performance.now() - began)
    })
  }

  #isCoveredUpTo(registrySequence: number): boolean {
    return (this.#last?.record.registrySequence ?? -1) >= registrySequence
  }

  /** Null if the pass was interrupted. */
  async #recordFor(state: NamespaceState, traceparent: string): Promise<CompositionRecord | null> {
    const head = { v: 1, ...this.graph, registrySequence: state.lastSequence, traceparent } as const
    const inputs = compositionInputs(state, this.graph.graph)
    if (inputs === null) {
      this.#claim([])
      return { ...head, type: 'graph.removed' }
    }
    const interrupted = Promise.withResolvers<Interruption>()
    this.#interrupt = interrupted.resolve
    try {
      const results = await Promise.race([this.#resultsOf(inputs), interrupted.promise])
      if (typeof results === 'string') {
        if (results === 'superseded') this.#superseded += 1
        this.#parts.events.passInterrupted(this.graph, state.lastSequence, results)
        return null
      }
      const record = { ...head, type: 'composition.completed', ...results } as const
      return CompositionRecord.parse(await fitRecord(record, this.#parts.blobs))
    } finally {
      this.#interrupt = null
    }
  }

  async #resultsOf(inputs: CompositionInputs): Promise<RecordedResults> {
    const { base, flags, pinnedRevision, allowUnenforcedAuthorization, documents } = inputs
    const trusted = artifactsOf(this.#last?.record)
    const before = resultsOf(this.#last?.record)
    const compositions = [
      ...(base.length === 0 ? [] : [{ featureFlag: null, subgraphs: base }]),
      ...flags.map(({ name, subgraphs }) => ({ featureFlag: name, subgraphs })),
    ]
    const options = { allowUnenforcedAuthorization }
    const claims = compositions.map((one) =>
      this.#parts.compositions.claim({ graph: this.graph, ...one, options, trusted }),
    )
    this.#claim(claims)
    const results = new Map(
      await Promise.all(
        compositions.map(
          async ({ featureFlag }, index) => [featureFlag, await claims[index]?.result] as const,
        ),
      ),
    )
    const resultOf = (featureFlag: string | null): CompositionResult => {
      const result = results.get(featureFlag)
      return result === undefined
        ? { status: 'empty' }
        : withUnchangedForGraph(result, before.get(featureFlag))
    }
    return {
      base: resultOf(null),
      featureFlags: flags.map(({ name, unpublished }) => ({
        name,
        unpublished: [...unpublished],
        result: resultOf(name),
      })),
      pinnedRevision,
      ...(documents.length === 0 ? {} : { documents: documents.map(referenceOf) }),
    }
  }

  /** Keeps these claims and releases those of the pass before. A composition that both claim goes on. */
  #claim(claims: readonly CompositionClaim[]): void {
    const before = this.#claims
    this.#claims = claims
    for (const claim of before) claim.release()
  }

  async #append(record: CompositionRecord, milliseconds: number): Promise<void> {
    const { log, events, known, onChange } = this.#parts
    try {
      const subject = compositionSubject(this.graph)
      const sequence = await log.append(subject, record, this.#last?.sequence ?? 0)
      if (sequence > (this.#last?.sequence ?? 0)) this.#last = { sequence, record }
      known.addRecord(record)
      this.#superseded = 0
      events.passCompleted(this.graph, record, milliseconds)
      onChange()
    } catch (error) {
      if (!(error instanceof AppendConflictError || error instanceof AppendOutcomeUnknownError)) throw error
      // Whichever composer wrote it, the last record of the log says whether anything is left to do.
      this.#lastIsCurrent = false
      events.passDropped(this.graph, record)
    }
  }
}

function referenceOf({ name, manifest, clients }: PublishedDocuments): DocumentReference {
  return { name, manifest, ...(clients === null ? {} : { clients: [...clients] }) }
}

function parseLast(entry: LogEntry): LastRecord {
  return { sequence: entry.sequence, record: parsedRecord(entry, CompositionRecord) }
}

/** The results by flag; null stands for base. */
function resultsOf(record: CompositionRecord | undefined): ReadonlyMap<string | null, CompositionResult> {
  if (record?.type !== 'composition.completed') return new Map()
  return new Map([
    [null, record.base],
    ...record.featureFlags.map(({ name, result }) => [name, result] as const),
  ])
}

/**
 * Sets `unchanged` of a failure: it is true only if the graph failed in the same way before. A failure that
 * is known from another graph, or from before the flag was switched off, is new for this graph.
 */
function withUnchangedForGraph(
  result: CompositionResult,
  before: CompositionResult | undefined,
): CompositionResult {
  if (result.status !== 'failed') return result
  const stood = before?.status === 'failed' && before.inputHash === result.inputHash
  return { ...result, unchanged: result.unchanged && stood }
}

function artifactsOf(record: CompositionRecord | undefined): ReadonlySet<string> {
  const artifacts = new Set<string>()
  for (const result of resultsOf(record).values()) {
    const artifact = artifactOf(result)
    if (artifact !== null) artifacts.add(artifact)
  }
  return artifacts
}
