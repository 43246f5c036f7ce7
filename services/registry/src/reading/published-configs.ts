/** The newest revision of every graph, folded from config-distribution's log. */
import {
  ConfigRecord,
  configSubject,
  type GraphName,
  Manifest,
  type ManifestContent,
  parseRecord,
} from '@switchyard/contracts'
import type { LogEntry } from '@switchyard/event-log'
import type { BlobReferences } from './blob-references.ts'
import { keyOf } from './composition-results.ts'
import { type GraphLogOptions, GraphLogReader } from './graph-log-reader.ts'

export type PublishedConfig = ManifestContent & {
  readonly epoch: number
  readonly revision: number
  /** The composition record that this revision carries out. */
  readonly compositionSequence: number
  /** The last registry record that it reflects. */
  readonly registrySequence: number
}

/**
 * How many of the last revisions of a graph are remembered by their place in the log, so that its history is
 * not read from the beginning.
 */
const SEQUENCES_KEPT = 500

/** Epoch and revision order the configs of a graph. */
export type ConfigVersion = { readonly epoch: number; readonly revision: number }

type PublishedRevisions = {
  readonly newest: PublishedConfig
  /** The places in the log of the newest revisions of the epoch, oldest first, without gaps. */
  readonly sequences: number[]
  /** Trace keys of the newest revision: the first one of those that name it without a gap. */
  readonly traceKeys: ReadonlyMap<string, ConfigVersion>
}

export class PublishedConfigs extends GraphLogReader {
  readonly #published = new Map<string, PublishedRevisions>()
  readonly #references: BlobReferences

  constructor(options: GraphLogOptions) {
    super(options, 'configs', configSubject)
    this.#references = options.references
    this.follow()
  }

  newest(graph: GraphName): PublishedConfig | null {
    return this.#published.get(keyOf(graph))?.newest ?? null
  }

  /** Null for a revision that is not among the last ones. */
  sequenceOf(graph: GraphName, revision: number): number | null {
    const published = this.#published.get(keyOf(graph))
    if (published === undefined) return null
    const { newest, sequences } = published
    return sequences[sequences.length - 1 - (newest.revision - revision)] ?? null
  }

  /** The revision with which routers learn a trace key; null while there is none. */
  traceKeySince(graph: GraphName, kid: string): ConfigVersion | null {
    return this.#published.get(keyOf(graph))?.traceKeys.get(kid) ?? null
  }

  protected override apply(graph: GraphName, entry: LogEntry): void {
    const { config: newest, manifest } = parseConfig(entry.record)
    this.#references.addManifest(manifest)
    const before = this.#published.get(keyOf(graph))
    // Nobody commits a revision twice: it is a copy of a record that was there before.
    if (before !== undefined && !isNewer(newest, before.newest)) return
    const sequences = before?.newest.epoch === newest.epoch ? before.sequences : []
    sequences.push(entry.sequence)
    if (sequences.length > SEQUENCES_KEPT) sequences.shift()
    const version = { epoch: newest.epoch, revision: newest.revision }
    const traceKeys = new Map(
      manifest.traceKeys.keys.map(({ kid }) => [kid, before?.traceKeys.get(kid) ?? version]),
    )
    this.#published.set(keyOf(graph), { newest, sequences, traceKeys })
  }
}

export function isNewer(one: ConfigVersion, other: ConfigVersion): boolean {
  return one.epoch === other.epoch ? one.revision > other.revision : one.epoch > other.epoch
}

export function parseConfig(record: unknown) {
  const { epoch, revision, manifest: text, cause } = parseRecord(ConfigRecord, record)
  const manifest = parseRecord(Manifest, JSON.parse(text))
  const config: PublishedConfig = {
    epoch,
    revision,
    compositionSequence: cause.compositionSequence,
    registrySequence: cause.registrySequence,
    base: manifest.base,
    featureFlags: manifest.featureFlags,
    documents: manifest.documents,
  }
  return { config, manifest, reason: cause.reason, createdAt: manifest.createdAt }
}
