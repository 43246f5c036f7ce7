/** The newest results of every graph, folded from the composers' log. */
import {
  CompositionRecord,
  compositionSubject,
  contentAfter,
  type GraphName,
  isFrozen,
  type ManifestContent,
  parseRecord,
  withoutPin,
} from '@switchyard/contracts'
import type { LogEntry } from '@switchyard/event-log'
import type { BlobReferences } from './blob-references.ts'
import { type GraphLogOptions, GraphLogReader } from './graph-log-reader.ts'

/** A command reports the first result that covers it; later ones belong to later commands. */
const KEPT_PER_GRAPH = 32

export type CompositionEntry = {
  readonly sequence: number
  readonly record: CompositionRecord
  /**
   * What the graph served before this record, without regard to pins. It stays served if base does not
   * compose; `irrelevant` if base composes, or if the graph is pinned.
   */
  readonly lastUnpinned: ManifestContent | null | 'irrelevant'
}
/** Null if there was none; `forgotten` if it is too old to be kept. */
export type EarlierEntry = CompositionEntry | null | 'forgotten'

export class CompositionResults extends GraphLogReader {
  readonly #byGraph = new Map<string, readonly CompositionEntry[]>()
  readonly #unpinned = new Map<string, ManifestContent | null>()
  readonly #references: BlobReferences

  constructor(options: GraphLogOptions) {
    super(options, 'compositions', compositionSubject)
    this.#references = options.references
    this.follow()
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

  protected override apply(graph: GraphName, entry: LogEntry): void {
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

/** Neither name can contain a line break, so keys are unique. */
export function keyOf(graph: GraphName): string {
  return `${graph.namespace}\n${graph.graph}`
}
