/**
 * Distributes one graph: takes its composition records in order, commits revisions, projects them.
 *
 * The commit never waits for the config store: the log is the truth and the store follows it. Several instances may do
 * this at once; the expected sequence of the append lets one of them win, and the others read what it wrote.
 */
import {
  CompositionRecord,
  compositionSubject,
  configNoticeSubject,
  configSubject,
  EXECUTION_CONFIG_FORMAT,
} from '@switchyard/contracts'
import type { ConfigNotice, ConfigRecord, GraphName, Jwks, Manifest } from '@switchyard/contracts'
import { ConfigStoreError } from '@switchyard/config-store'
import type { ConfigStore } from '@switchyard/config-store'
import {
  AppendConflictError,
  AppendOutcomeUnknownError,
  Backoff,
  parsedRecord,
  RecordNotUnderstoodError,
  UnreadableRecordError,
  Wakeup,
} from '@switchyard/event-log'
import type { Announcer, BlobStore, EventLog, LogEntry } from '@switchyard/event-log'
import { reasonOf, traceparentOf, withSpan } from '@switchyard/service-kit'
import { trace } from '@opentelemetry/api'
import { artifactsOf, findRevision, lastRevision } from './config-log.ts'
import type { Revision } from './config-log.ts'
import type { Events } from './events.ts'
import { contentAfter, publishReason, sameContent } from './next-content.ts'
import type { ManifestContent } from './next-content.ts'
import type { Projection } from './projection.ts'
import { manifestText, signManifest } from './sign-manifest.ts'
import type { SigningKey } from './signing-key.ts'
import { sweepArtifacts } from './artifact-sweep.ts'

export type GraphDistributorParts = {
  readonly log: EventLog
  readonly blobs: BlobStore
  readonly store: ConfigStore
  readonly projection: Projection
  readonly announcer: Announcer
  readonly signingKey: SigningKey
  readonly traceKeys: () => Jwks
  /** Unix milliseconds. */
  readonly now: () => number
  readonly events: Events
  readonly signal: AbortSignal
  /** Called whenever this graph may have become settled, ready or not ready. */
  readonly onChange: () => void
}

type Handled = { readonly sequence: number; readonly record: CompositionRecord }

const tracer = trace.getTracer('@switchyard/config-distribution')

export class GraphDistributor {
  readonly graph: GraphName
  readonly #parts: GraphDistributorParts
  readonly #wakeup = new Wakeup()
  readonly #run: Promise<void>
  #pending: Handled[] = []
  /** The highest composition sequence that is queued or carried out. */
  #received = 0
  /** Whether `#last` and the records before this instance's start were read. */
  #loaded = false
  #lastIsCurrent = false
  #last: Revision | null = null
  #pinned: Revision | null = null
  #keysChanged = false
  #projection: { verify: boolean; announce: boolean; traceparent: string | undefined } | null = null
  #sweepDue = false
  #problem: string | null = null
  #stopped = false

  constructor(graph: GraphName, parts: GraphDistributorParts) {
    this.graph = graph
    this.#parts = parts
    this.#run = this.#loop()
  }

  /** A composition record of this graph, in order. One that is known already is ignored. */
  enqueue(entry: LogEntry): void {
    if (entry.sequence <= this.#received) return
    this.#pending.push(parseEntry(entry))
    this.#received = entry.sequence
    this.#parts.onChange()
    this.#wakeup.notify()
  }

  traceKeysChanged(): void {
    this.#keysChanged = true
    this.#wakeup.notify()
  }

  /** Compares log and store again. `suspicious`: a router cannot use what is there, so look closer and tell everybody. */
  repair(suspicious = false): void {
    this.#lastIsCurrent = false
    this.#requestProjection({ verify: suspicious, announce: suspicious })
    this.#wakeup.notify()
  }

  sweep(): void {
    this.#sweepDue = true
    this.#wakeup.notify()
  }

  get last(): Revision | null {
    return this.#last
  }

  get loaded(): boolean {
    return this.#loaded || this.#stopped
  }

  /** Why this graph is not up to date, or null. */
  get problem(): string | null {
    return this.#problem
  }

  get settled(): boolean {
    return this.#stopped || (this.#loaded && !this.#hasWork())
  }

  async stopped(): Promise<void> {
    await this.#run
  }

  async #loop(): Promise<void> {
    const { signal, events, onChange } = this.#parts
    const backoff = new Backoff()
    while (!signal.aborted) {
      let step: 'commit' | 'projection' = 'commit'
      try {
        await this.#load()
        if (this.#pending.length > 0 || this.#keysChanged) await this.#commit()
        step = 'projection'
        if (this.#projection !== null) await this.#project()
        if (this.#sweepDue) await this.#sweep()
        this.#problem = null
        backoff.reset()
        onChange()
        if (!this.#hasWork()) await this.#wakeup.wait(signal)
      } catch (error) {
        if (signal.aborted) break
        if (error instanceof RecordNotUnderstoodError || error instanceof UnreadableRecordError) {
          this.#problem = error.message
          this.#stopped = true
          events.readerStopped(error)
          onChange()
          return
        }
        if (this.#problem === null) events.attemptFailed(this.graph, step, error)
        this.#problem = reasonOf(error)
        onChange()
        await this.#wakeup.wait(signal, backoff.pause())
      }
    }
  }

  #hasWork(): boolean {
    return (
      this.#pending.length > 0 ||
      this.#keysChanged ||
      this.#projection !== null ||
      this.#sweepDue ||
      !this.#lastIsCurrent
    )
  }

  /** Reads what the log knows: the last revision, and once the composition records that came after it. */
  async #load(): Promise<void> {
    const { log } = this.#parts
    if (!this.#lastIsCurrent) {
      this.#last = await lastRevision(log, this.graph)
      this.#lastIsCurrent = true
    }
    if (this.#loaded) return
    const filter = { kind: 'subject', subject: compositionSubject(this.graph) } as const
    const newest = await log.last(filter)
    const from = (this.#last?.record.cause.compositionSequence ?? 0) + 1
    if (newest !== null && newest.sequence >= from) {
      const missed: Handled[] = []
      for await (const entry of log.read(filter, from)) missed.push(parseEntry(entry))
      // What came by following meanwhile is among these, or comes after them.
      const end = missed.at(-1)?.sequence ?? 0
      this.#pending = [...missed, ...this.#pending.filter(({ sequence }) => sequence > end)]
      this.#received = Math.max(this.#received, end)
    }
    this.#loaded = true
    this.#requestProjection({ verify: false, announce: false })
  }

  async #commit(): Promise<void> {
    const last = this.#last
    const done = last?.record.cause.compositionSequence ?? 0
    const batch = this.#pending.filter(({ sequence }) => sequence > done)
    const newest = batch.at(-1)
    const traceKeys = this.#parts.traceKeys()
    let content: ManifestContent | null = last?.manifest ?? null
    for (const { record } of batch) content = contentAfter(content, record, await this.#pinnedContent(record))
    if (content !== null && !this.#isServed(content, traceKeys)) {
      const wanted = content
      const start = { traceparent: newest?.record.traceparent, attributes: { ...this.graph } }
      const committed = await withSpan(tracer, 'publish config', start, async (span) => {
        const traceparent = traceparentOf(span)
        if (!(await this.#append(wanted, newest, traceKeys, traceparent))) return false
        this.#requestProjection({ verify: false, announce: true, traceparent })
        await this.#projectAtOnce()
        return true
      })
      if (!committed) return
    }
    const carriedOut = new Set(batch)
    this.#pending = this.#pending.filter((item) => item.sequence > done && !carriedOut.has(item))
    this.#keysChanged = false
  }

  #isServed(content: ManifestContent, traceKeys: Jwks): boolean {
    const last = this.#last?.manifest
    if (last === undefined) return content.base === null
    if (!sameContent(last, content)) return false
    return last.base === null || JSON.stringify(last.traceKeys) === JSON.stringify(traceKeys)
  }

  async #pinnedContent(record: CompositionRecord): Promise<ManifestContent | null> {
    if (record.type !== 'composition.completed' || record.pinnedRevision === null) return null
    if (this.#pinned?.record.revision !== record.pinnedRevision) {
      this.#pinned = await findRevision(this.#parts.log, this.graph, record.pinnedRevision)
    }
    if (this.#pinned === null) this.#parts.events.pinUnknown(this.graph, record.pinnedRevision)
    return this.#pinned?.manifest ?? null
  }

  /** Commits a revision; false when another instance was first (or may have been), and everything is to be read again. */
  async #append(
    content: ManifestContent,
    newest: Handled | undefined,
    traceKeys: Jwks,
    traceparent: string,
  ): Promise<boolean> {
    const { log, now, signingKey, events } = this.#parts
    const last = this.#last
    const time = now()
    await this.#putNewArtifacts(content)
    const version =
      last === null
        ? { epoch: time, revision: 1 }
        : { epoch: last.record.epoch, revision: last.record.revision + 1 }
    const registrySequence = newest?.record.registrySequence ?? last?.manifest.registrySequence ?? 0
    const manifest: Manifest = {
      formatVersion: EXECUTION_CONFIG_FORMAT,
      graph: { namespace: this.graph.namespace, name: this.graph.graph },
      ...version,
      createdAt: new Date(time).toISOString(),
      registrySequence,
      base: content.base,
      featureFlags: content.featureFlags,
      traceKeys,
    }
    const text = manifestText(manifest)
    const record: ConfigRecord = {
      v: 1,
      type: 'config.published',
      ...version,
      manifest: text,
      signature: await signManifest(text, signingKey),
      cause: {
        compositionSequence: newest?.sequence ?? last?.record.cause.compositionSequence ?? 0,
        registrySequence,
        reason: this.#reason(content, newest),
        traceparent,
      },
    }
    try {
      const sequence = await log.append(configSubject(this.graph), record, last?.sequence ?? 0)
      this.#last = { sequence, record, manifest }
      events.revisionPublished(this.graph, this.#last)
      return true
    } catch (error) {
      if (!(error instanceof AppendConflictError || error instanceof AppendOutcomeUnknownError)) throw error
      // Whoever wrote it: the log's last record says what is left to do, and the store may still lack it.
      this.#lastIsCurrent = false
      this.#requestProjection({ verify: false, announce: true, traceparent })
      return false
    }
  }

  #reason(content: ManifestContent, newest: Handled | undefined): ConfigRecord['cause']['reason'] {
    const last = this.#last
    if (newest === undefined) return 'composition'
    const before = last === null ? null : { content: last.manifest, reason: last.record.cause.reason }
    return publishReason(before, content, newest.record)
  }

  /** Artifacts go first, so that a router never reads a manifest whose artifacts are not there. A store that is down is
   * no reason to wait: nobody can read the manifest from it either, and the projection puts both later, in this order. */
  async #putNewArtifacts(content: ManifestContent): Promise<void> {
    const known = this.#last === null ? new Set<string>() : artifactsOf(this.#last.manifest)
    try {
      const added = [...artifactsOf(content)].filter((artifact) => !known.has(artifact))
      await this.#parts.projection.putArtifacts(this.graph, added)
    } catch (error) {
      if (!(error instanceof ConfigStoreError)) throw error
    }
  }

  #requestProjection(wanted: { verify: boolean; announce: boolean; traceparent?: string }): void {
    const before = this.#projection
    this.#projection = {
      verify: wanted.verify || (before?.verify ?? false),
      announce: wanted.announce || (before?.announce ?? false),
      traceparent: wanted.traceparent ?? before?.traceparent,
    }
  }

  /** The first attempt, inside the commit's span. When it fails the loop goes on trying. */
  async #projectAtOnce(): Promise<void> {
    try {
      await this.#project()
    } catch (error) {
      if (!(error instanceof ConfigStoreError)) throw error
    }
  }

  async #project(): Promise<void> {
    const request = this.#projection
    if (request === null) return
    if (this.#last === null) {
      this.#projection = null
      return
    }
    const { announcer, projection, events } = this.#parts
    const result = await projection.project(this.graph, this.#last, request.verify)
    this.#last = result.revision
    if (this.#projection === request) this.#projection = null
    if (result.manifest === 'replaced' || (result.manifest === 'written' && !request.announce)) {
      events.manifestRepaired(this.graph, result.revision, result.manifest)
    }
    if (result.manifest === 'current' && !request.announce) return
    const { epoch, revision } = result.revision.record
    const traceparent = request.traceparent
    const notice: ConfigNotice = { epoch, revision, ...(traceparent === undefined ? {} : { traceparent }) }
    announcer.announce(configNoticeSubject(this.graph), notice)
  }

  async #sweep(): Promise<void> {
    this.#sweepDue = false
    const { log, store, now, events } = this.#parts
    try {
      const count = await sweepArtifacts({ log, store }, this.graph, now())
      if (count > 0) events.artifactsSwept(this.graph, count)
    } catch (error) {
      events.sweepFailed(this.graph, error)
    }
  }
}

function parseEntry(entry: LogEntry): Handled {
  return { sequence: entry.sequence, record: parsedRecord(entry, CompositionRecord) }
}
