/** The newest revision of every graph, folded from config-distribution's log. */
import { createHash } from 'node:crypto'
import {
  type AuditGraph,
  ConfigRecord,
  configSubject,
  type GraphName,
  Manifest,
  type ManifestContent,
  isManifestOf,
  type ManifestIdentity,
  type ManifestRollout,
  parseRecord,
  type RouterHeartbeat,
  type ServedRevision,
} from '@switchyard/contracts'
import type { LogEntry } from '@switchyard/event-log'
import type { BlobReferences } from './blob-references.ts'
import { graphKey } from './composition-results.ts'
import { type GraphLogOptions, GraphLogReader } from './graph-log-reader.ts'
import { ReflectedSequences } from './reflected-sequences.ts'

export type PublishedConfig = ManifestContent &
  ManifestIdentity & {
    /** The composition record that this revision carries out. */
    readonly compositionSequence: number
    /** The last registry record that it reflects. */
    readonly registrySequence: number
    /** The registry record that last asked to publish the content once more. 0 means that none did. */
    readonly republished: number
    /** The last registry record whose rollouts it carries. 0 means that none changed any. */
    readonly rolloutsSequence: number
    readonly rollouts: readonly ManifestRollout[]
  }

/**
 * How many of the last revisions of a graph are remembered by their place in the log, so that its history is
 * not read from the beginning: those that a list may have, and the one before them.
 */
const SEQUENCES_KEPT = 501

/** How many of the last manifests of a graph are known by their hash: routers serve one of these. */
const IDENTITIES_KEPT = 32

/** Epoch and revision order the configs of a graph. */
export type ConfigVersion = { readonly epoch: number; readonly revision: number }

type PublishedRevisions = {
  readonly graph: GraphName
  readonly newest: PublishedConfig
  /** The places in the log of the newest revisions, oldest first, without gaps. */
  readonly sequences: number[]
  readonly reflected: ReflectedSequences
  /** The same for records that changed rollouts. */
  readonly released: ReflectedSequences
  /** The newest manifests, newest first. */
  readonly manifests: readonly ManifestIdentity[]
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
    return this.#published.get(graphKey(graph))?.newest ?? null
  }

  /** The newest manifest of every graph. */
  *graphs(): Iterable<readonly [GraphName, ManifestIdentity]> {
    for (const { graph, newest } of this.#published.values()) yield [graph, newest]
  }

  /** Null for a revision that is not among the last ones. */
  sequenceOf(graph: GraphName, revision: number): number | null {
    const published = this.#published.get(graphKey(graph))
    if (published === undefined) return null
    const { newest, sequences } = published
    return sequences[sequences.length - 1 - (newest.revision - revision)] ?? null
  }

  /** The revisions that reflect a record of the registry's log; null if they are not known any more. */
  reflecting(graph: GraphName, registrySequence: number): AuditGraph['revisions'] {
    const published = this.#published.get(graphKey(graph))
    return published === undefined ? [] : published.reflected.of(registrySequence)
  }

  /** The same for a record that only changed rollouts. */
  releasing(graph: GraphName, registrySequence: number): AuditGraph['revisions'] {
    const published = this.#published.get(graphKey(graph))
    return published === undefined ? [] : published.released.of(registrySequence)
  }

  /** The revision with which routers learn a trace key; null while there is none. */
  traceKeySince(graph: GraphName, kid: string): ConfigVersion | null {
    return this.#published.get(graphKey(graph))?.traceKeys.get(kid) ?? null
  }

  /**
   * Tells how the manifest that a router serves relates to the log. A manifest older than those whose hash is
   * known counts as one of the log.
   */
  servedBy(router: RouterHeartbeat): ServedRevision {
    if (router.epoch === 0 && router.manifest === undefined) return 'none'
    const manifests = this.#published.get(graphKey(router))?.manifests ?? []
    const place = manifests.findIndex((manifest) => isManifestOf(manifest, router))
    if (place !== -1) return place === 0 ? 'newest' : 'older'
    const oldest = manifests.at(-1)
    return manifests.length === IDENTITIES_KEPT && oldest !== undefined && isNewer(oldest, router)
      ? 'older'
      : 'not-in-log'
  }

  /** Whether the router serves this revision of the log, or one that came after it. */
  serves(router: RouterHeartbeat, since: ConfigVersion): boolean {
    if (router.state !== 'serving') return false
    const manifests = this.#published.get(graphKey(router))?.manifests ?? []
    const served = manifests.find((manifest) => isManifestOf(manifest, router))
    return served !== undefined && !isNewer(since, served)
  }

  protected override apply(graph: GraphName, entry: LogEntry): void {
    const { config: newest, manifest } = parseConfig(entry.record)
    this.#references.addManifest(manifest)
    const before = this.#published.get(graphKey(graph))
    // Nobody commits a revision twice: it is a copy of a record that was there before.
    if (before !== undefined && !isNewer(newest, before.newest)) return
    // Numbers count on in a new epoch.
    const goesOn = before?.newest.revision === newest.revision - 1
    const sequences = goesOn ? before.sequences : []
    sequences.push(entry.sequence)
    if (sequences.length > SEQUENCES_KEPT) sequences.shift()
    const reflected = before?.reflected ?? new ReflectedSequences()
    reflected.note(newest, newest.compositionSequence)
    const released = before?.released ?? new ReflectedSequences()
    const { rolloutsSequence: registrySequence } = newest
    released.note({ epoch: newest.epoch, revision: newest.revision, registrySequence }, registrySequence)
    const version = { epoch: newest.epoch, revision: newest.revision }
    const traceKeys = new Map(
      manifest.traceKeys.keys.map(({ kid }) => [kid, before?.traceKeys.get(kid) ?? version]),
    )
    const { sha256, createdAt } = newest
    const manifests = [{ sha256, createdAt, ...version }, ...(before?.manifests ?? [])].slice(
      0,
      IDENTITIES_KEPT,
    )
    this.#published.set(graphKey(graph), {
      graph,
      newest,
      sequences,
      reflected,
      released,
      traceKeys,
      manifests,
    })
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
    sha256: createHash('sha256').update(text).digest('hex'),
    createdAt: manifest.createdAt,
    compositionSequence: cause.compositionSequence,
    registrySequence: cause.registrySequence,
    republished: cause.republished ?? 0,
    rolloutsSequence: cause.rolloutsSequence ?? 0,
    rollouts: manifest.rollouts ?? [],
    base: manifest.base,
    featureFlags: manifest.featureFlags,
    previews: manifest.previews,
    documents: manifest.documents,
  }
  return { config, manifest, reason: cause.reason, createdAt: manifest.createdAt }
}
