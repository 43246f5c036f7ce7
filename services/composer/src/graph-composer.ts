/**
 * Composes one graph. Whenever a record of the registry's log affects the graph, a complete composition
 * record that reflects at least that record will be in the compositions log, written by this instance or by
 * another. While flags take long, an incomplete one comes before it, so that the base does not wait for them.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { CompositionRecord, compositionSubject, isComplete, variantsOf } from '@switchyard/contracts'
import type { GraphName } from '@switchyard/contracts'
import { compositionInputs } from '@switchyard/domain'
import type { NamespaceState } from '@switchyard/domain'
import {
  AppendConflictError,
  AppendOutcomeUnknownError,
  parsedRecord,
  SteadyWork,
} from '@switchyard/event-log'
import type { BlobStore, EventLog, LogEntry } from '@switchyard/event-log'
import { graphAttributes, traceparentOf, withSpan } from '@switchyard/service-kit'
import { trace } from '@opentelemetry/api'
import type { CompositionClaim, Compositions } from './compositions.ts'
import type { ComposerEvents, Interruption } from './events.ts'
import { fitRecord, fitsLog } from './fit-record.ts'
import type { ComposerFleet } from './fleet.ts'
import type { Gate } from './gate.ts'
import { type CompletedRecord, failingIn, GraphPass, type PassStage } from './graph-pass.ts'
import type { KnownResults } from './known-results.ts'

export type GraphComposerParts = {
  readonly log: EventLog
  readonly blobs: BlobStore
  readonly pieces: BlobStore
  readonly compositions: Compositions
  readonly known: KnownResults
  readonly fleet: ComposerFleet
  readonly events: ComposerEvents
  /** Lets a bounded number of graphs read the log at a time. */
  readonly reading: Gate
  readonly state: () => NamespaceState
  /** Milliseconds after which this composer does the work of the responsible one. */
  readonly graceMs: number
  /** Milliseconds for which a composed base waits for its flags, before it is recorded without them. */
  readonly flagsWaitMs: number
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

/** A record of a pass without its results. */
type RecordHead = Pick<
  CompletedRecord,
  'v' | 'type' | 'namespace' | 'graph' | 'registrySequence' | 'traceparent'
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
    signal.addEventListener('abort', () => this.#claim([]), { once: true })
    this.#run = this.#work.run(() => this.#step())
  }

  affectedBy(wanted: CompositionCause): void {
    this.#wanted = wanted
    if (this.#superseded < MOST_SUPERSEDED) this.#interrupt?.('superseded')
    this.#work.wake()
  }

  /** Takes note of a composition record of this graph that was read from the log. */
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
    return failingIn(this.#last?.record)
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
    if (this.#isBehind()) {
      await this.#work.pause(LOOK_AGAIN_MS)
      return 'more'
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
    const record = this.#last?.record
    return record !== undefined && record.registrySequence >= this.#wanted.sequence && isComplete(record)
  }

  /** True while the last record, an incomplete one, reflects commands that were not read here yet. */
  #isBehind(): boolean {
    return (this.#last?.record.registrySequence ?? 0) > this.#parts.state().lastSequence
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
    const start = { traceparent, attributes: graphAttributes(this.graph) }
    await withSpan(trace.getTracer(TRACER), 'compose graph', start, async (span) => {
      const began = performance.now()
      const state = this.#parts.state()
      const head = {
        v: 1,
        ...this.graph,
        registrySequence: state.lastSequence,
        traceparent: traceparentOf(span),
      } as const
      const inputs = compositionInputs(state, this.graph.graph)
      if (inputs === null) {
        this.#claim([])
        return this.#offer({ ...head, type: 'graph.removed' }, began)
      }
      const { compositions } = this.#parts
      const pass = new GraphPass({ graph: this.graph, inputs, compositions, last: this.#last?.record })
      this.#claim(pass.claims)
      await this.#recordPass(pass, { ...head, type: 'composition.completed' }, began)
    })
  }

  /**
   * Records what the pass comes to, unless it is interrupted: the base alone, if its flags take long, and all
   * but its previews, if these take longer still.
   */
  async #recordPass(pass: GraphPass, head: RecordHead, began: number): Promise<void> {
    const interrupted = Promise.withResolvers<Interruption>()
    this.#interrupt = interrupted.resolve
    const ended = new AbortController()
    const { signal } = ended
    const next = (after: PassStage | 'begun') =>
      Promise.race([pass.next(after, this.#parts.flagsWaitMs, signal), interrupted.promise])
    try {
      let end = await next('begun')
      while (end === 'late' || end === 'flags') {
        const incomplete = await this.#recordOf(pass, head)
        // A flag that was never composed takes more room than a composed one. A record that is too large
        // because of that is not written, and the base waits for the flags.
        if (fitsLog(incomplete)) await this.#offer(incomplete, began)
        end = await next(end)
        await this.#readLast()
      }
      if (end === 'finished') return await this.#offer(await this.#recordOf(pass, head), began)
      if (end === 'superseded') this.#superseded += 1
      this.#parts.events.passInterrupted(this.graph, head.registrySequence, end)
    } finally {
      ended.abort()
      this.#interrupt = null
    }
  }

  async #recordOf(pass: GraphPass, head: RecordHead): Promise<CompositionRecord> {
    const record = { ...head, ...pass.results(this.#last?.record, head.registrySequence) }
    return CompositionRecord.parse(await fitRecord(record, this.#parts))
  }

  /** Appends the record, unless another composer was faster: its record then arrived with the log. */
  async #offer(record: CompositionRecord, began: number): Promise<void> {
    const last = this.#last?.record
    if (last !== undefined && !saysMore(record, last)) return this.#dropped(record)
    await this.#append(record, performance.now() - began)
  }

  /** Keeps these claims, unless it stops, and releases the others. A composition that both claim goes on. */
  #claim(claims: readonly CompositionClaim[]): void {
    const released = this.#parts.signal.aborted ? [...this.#claims, ...claims] : this.#claims
    this.#claims = claims
    for (const claim of released) claim.release()
  }

  async #append(record: CompositionRecord, milliseconds: number): Promise<void> {
    const { log, events, known, onChange } = this.#parts
    try {
      const sequence = await log.append(compositionSubject(this.graph), record, this.#last?.sequence ?? 0)
      if (sequence > (this.#last?.sequence ?? 0)) this.#last = { sequence, record }
      known.addRecord(record)
      if (isComplete(record)) {
        this.#superseded = 0
        events.passCompleted(this.graph, record, milliseconds)
      } else events.baseRecorded(this.graph, record, { pending: pendingFlags(record), milliseconds })
      onChange()
    } catch (error) {
      if (!(error instanceof AppendConflictError || error instanceof AppendOutcomeUnknownError)) throw error
      // Whichever composer wrote it, the last record of the log says whether anything is left to do.
      this.#lastIsCurrent = false
      this.#dropped(record)
    }
  }

  /** After an incomplete record that was not needed the pass goes on. */
  #dropped(record: CompositionRecord): void {
    if (isComplete(record)) this.#parts.events.passDropped(this.graph, record)
  }
}

function parseLast(entry: LogEntry): LastRecord {
  return { sequence: entry.sequence, record: parsedRecord(entry, CompositionRecord) }
}

/** Whether a record is to be appended after the last one: it is newer, or holds results that are missing. */
function saysMore(record: CompositionRecord, last: CompositionRecord): boolean {
  if (record.registrySequence !== last.registrySequence)
    return record.registrySequence > last.registrySequence
  return pendingFlags(record) < pendingFlags(last)
}

function pendingFlags(record: CompositionRecord): number {
  return variantsOf(record).filter(({ pending }) => pending === true).length
}
