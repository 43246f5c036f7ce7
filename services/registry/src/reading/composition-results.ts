/** The newest results of every graph, folded from the composers' log. */
import {
  CompositionRecord,
  compositionSubject,
  contentAfter,
  type GraphName,
  isComplete,
  isFirstPending,
  keepsServed,
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
   * The content that the graph served before this record, without regard to pins, if part of it stays served.
   * That is so when the base does not compose, or a flag that failed is being composed again. Otherwise it is
   * `irrelevant`.
   */
  readonly lastUnpinned: ManifestContent | null | 'irrelevant'
  readonly failing: Failures
}

/**
 * The compositions that fail, by the name of the flag, or null for base. Each has failed without a break
 * since one of the registry records behind `after`, up to `sequence`.
 */
export type Failures = ReadonlyMap<string | null, { readonly after: number; readonly sequence: number }>

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
    return this.#byGraph.get(graphKey(graph))?.at(-1) ?? null
  }

  /**
   * The first result, of those kept, that reflects the registry record of that sequence, and in which nothing
   * is pending but previews, other than these. Commands have their outcome when it is there: nobody waits for
   * the previews of others.
   */
  covering(
    graph: GraphName,
    registrySequence: number,
    previews: readonly string[] = [],
  ): CompositionEntry | null {
    const entries = this.#byGraph.get(graphKey(graph)) ?? []
    const covers = ({ record }: CompositionEntry) => record.registrySequence >= registrySequence
    return entries.find((entry) => covers(entry) && isComplete(onlyWith(entry.record, previews))) ?? null
  }

  /** As `covering`, or what there is of it so far: the newest result, in which flags are pending. */
  coveringSoFar(
    graph: GraphName,
    registrySequence: number,
    previews: readonly string[] = [],
  ): CompositionEntry | null {
    const newest = this.newest(graph)
    const isThere = newest !== null && newest.record.registrySequence >= registrySequence
    return this.covering(graph, registrySequence, previews) ?? (isThere ? newest : null)
  }

  /** The newest result that does not know of that registry record yet. */
  before(graph: GraphName, registrySequence: number): EarlierEntry {
    const entries = this.#byGraph.get(graphKey(graph)) ?? []
    const entry = entries.findLast(({ record }) => record.registrySequence < registrySequence)
    return entry ?? (entries.length < KEPT_PER_GRAPH ? null : 'forgotten')
  }

  protected override apply(graph: GraphName, entry: LogEntry): void {
    const record = parseRecord(CompositionRecord, entry.record)
    this.#references.addCompositionRecord(record)
    const key = graphKey(graph)
    const unpinned = this.#unpinned.get(key) ?? null
    const earlier = this.#byGraph.get(key) ?? []
    const added = {
      sequence: entry.sequence,
      record,
      lastUnpinned: keepsServed(record) ? unpinned : ('irrelevant' as const),
      failing: failuresOf(record, earlier.at(-1)),
    }
    // An incomplete record of the same sequence says nothing any more.
    const isReplaced = earlier.at(-1)?.record.registrySequence === record.registrySequence
    const kept = isReplaced ? earlier.slice(0, -1) : earlier.slice(1 - KEPT_PER_GRAPH)
    this.#byGraph.set(key, [...kept, added])
    this.#unpinned.set(key, contentAfter(unpinned, withoutPin(record), null))
  }
}

/** Returns what fails by the record, and since when by the one before it. */
function failuresOf(record: CompositionRecord, before: CompositionEntry | undefined): Failures {
  if (record.type === 'graph.removed') return new Map()
  const flags = record.featureFlags.map(({ name, result }) => [name, result] as const)
  const failed = [[null, record.base] as const, ...flags].filter(
    ([, result]) => result.status === 'failed' && !isFirstPending(result),
  )
  const begun = { after: before?.record.registrySequence ?? 0, sequence: record.registrySequence }
  return new Map(failed.map(([name]) => [name, before?.failing.get(name) ?? begun]))
}

/** The record without all previews but these. */
function onlyWith(record: CompositionRecord, previews: readonly string[]): CompositionRecord {
  if (record.type === 'graph.removed') return record
  return { ...record, previews: (record.previews ?? []).filter(({ name }) => previews.includes(name)) }
}

/** Neither name can contain a line break, so keys are unique. */
export function graphKey(graph: GraphName): string {
  return `${graph.namespace}\n${graph.graph}`
}
