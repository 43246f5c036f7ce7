/** The newest results of every graph, folded from the composers' log. */
import {
  CompositionRecord,
  compositionSubject,
  contentAfter,
  type GraphName,
  graphOfSubject,
  isFrozen,
  type ManifestContent,
  parseRecord,
  withoutPin,
} from '@switchyard/contracts'
import { type EventLog, type LogEntry, LogFollower } from '@switchyard/event-log'
import type { Changes } from '@switchyard/service-kit'
import type { BlobReferences } from './blob-references.ts'
import type { RegistryEvents } from '../events.ts'

/** A command reports the first result that covers it; later ones belong to later commands. */
const KEPT_PER_GRAPH = 32

/** For the folds of logs that others write. */
export type DownstreamLogOptions = {
  readonly log: EventLog
  readonly changes: Changes
  readonly events: RegistryEvents
  readonly references: BlobReferences
  readonly signal: AbortSignal
}

export type CompositionEntry = {
  readonly sequence: number
  readonly record: CompositionRecord
  /**
   * What the graph served before it, leaving all pins out: what a base that does not compose leaves as it is.
   */
  readonly lastUnpinned: ManifestContent | null | 'irrelevant'
}
/** Null: there was none. `forgotten`: it is so long ago that it is not kept any more. */
export type EarlierEntry = CompositionEntry | null | 'forgotten'

export class CompositionResults implements AsyncDisposable {
  readonly #byGraph = new Map<string, readonly CompositionEntry[]>()
  readonly #unpinned = new Map<string, ManifestContent | null>()
  readonly #follower: LogFollower
  readonly #references: BlobReferences

  constructor(options: DownstreamLogOptions) {
    this.#references = options.references
    this.#follower = LogFollower.following({
      ...options,
      reader: 'registry',
      filter: { kind: 'log', log: 'compositions' },
      apply: (entry) => this.#apply(entry),
    })
  }

  get stopReason(): string | null {
    return this.#follower.stopReason
  }

  newest(graph: GraphName): CompositionEntry | null {
    return this.#byGraph.get(keyOf(graph))?.at(-1) ?? null
  }

  /** The first result, of those kept, that reflects the registry record of that sequence. */
  covering(graph: GraphName, registrySequence: number): CompositionEntry | null {
    const entries = this.#byGraph.get(keyOf(graph)) ?? []
    return entries.find(({ record }) => record.registrySequence >= registrySequence) ?? null
  }

  /** The newest result that does not know of that registry record yet. */
  before(graph: GraphName, registrySequence: number): EarlierEntry {
    const entries = this.#byGraph.get(keyOf(graph)) ?? []
    const entry = entries.findLast(({ record }) => record.registrySequence < registrySequence)
    return entry ?? (entries.length < KEPT_PER_GRAPH ? null : 'forgotten')
  }

  async caughtUp(graph: GraphName): Promise<void> {
    await this.#follower.caughtUp({ kind: 'subject', subject: compositionSubject(graph) })
  }

  async everythingCaughtUp(): Promise<void> {
    await this.#follower.caughtUp()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#follower[Symbol.asyncDispose]()
  }

  #apply(entry: LogEntry): void {
    const graph = graphOfSubject(entry.subject)
    if (graph === null) throw new Error(`"${entry.subject}" is not the subject of a graph`)
    const record = parseRecord(CompositionRecord, entry.record)
    this.#references.addCompositionRecord(record)
    const key = keyOf(graph)
    const unpinned = this.#unpinned.get(key) ?? null
    const added = {
      sequence: entry.sequence,
      record,
      lastUnpinned: isFrozen(record) ? unpinned : ('irrelevant' as const),
    }
    this.#byGraph.set(key, [...(this.#byGraph.get(key) ?? []).slice(1 - KEPT_PER_GRAPH), added])
    this.#unpinned.set(key, contentAfter(unpinned, withoutPin(record), null))
  }
}

/** Neither part can hold a line break. */
export function keyOf(graph: GraphName): string {
  return `${graph.namespace}\n${graph.graph}`
}
