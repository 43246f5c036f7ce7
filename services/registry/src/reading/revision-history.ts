/**
 * The revisions of a graph, read from config-distribution's log when somebody asks; memory holds the newest
 * one of each.
 *
 * Revisions count on when a graph is deleted and another is created under its name, since routers compare
 * them. What was published for the graph before is not the new one's: it is neither shown as its history nor
 * can it be held on it.
 */
import {
  type ArtifactReference,
  artifactOf,
  type AuditGraph,
  type CompositionRecord,
  configSubject,
  type GraphName,
  type Problem,
  problem,
  type RevisionView,
  type RouterHeartbeat,
  type ServedRevision,
} from '@switchyard/contracts'
import { compareNames } from '@switchyard/domain'
import { type EventLog, StorageUnavailableError } from '@switchyard/event-log'
import { type CompositionEntry, type CompositionResults, graphKey } from './composition-results.ts'
import { parseConfig, type PublishedConfig, type PublishedConfigs } from './published-configs.ts'
import type { RegistryReader } from './registry-reader.ts'
import { listedOf, readCommands, sequencesBehind } from './revision-changes.ts'
import { revisionFor } from './revision-for.ts'

export type RevisionHistoryOptions = {
  readonly log: EventLog
  readonly fold: RegistryReader
  readonly compositions: CompositionResults
  readonly configs: PublishedConfigs
}

export class RevisionHistory {
  readonly #options: RevisionHistoryOptions
  /** The revision that a graph was pinned to when it was last looked up, by graph. */
  readonly #pinned = new Map<string, PublishedConfig>()

  constructor(options: RevisionHistoryOptions) {
    this.#options = options
  }

  /** Returns the configuration that routers were told last under this name, even if of a removed graph. */
  told(graph: GraphName): PublishedConfig | null {
    return this.#options.configs.newest(graph)
  }

  /** The revisions that reflect a record of the registry's log; null if they are not known any more. */
  reflecting(graph: GraphName, registrySequence: number): AuditGraph['revisions'] {
    return this.#options.configs.reflecting(graph, registrySequence)
  }

  /** The same for a record that only changed rollouts. */
  releasing(graph: GraphName, registrySequence: number): AuditGraph['revisions'] {
    return this.#options.configs.releasing(graph, registrySequence)
  }

  /** Tells how the manifest that a router serves relates to the log. */
  servedBy(router: RouterHeartbeat): ServedRevision {
    return this.#options.configs.servedBy(router)
  }

  async everythingCaughtUp(): Promise<void> {
    await this.#options.configs.everythingCaughtUp()
  }

  /** The newest revision of the graph that exists now. */
  newest(graph: GraphName): PublishedConfig | null {
    const newest = this.told(graph)
    return newest !== null && this.#isOwn(graph, newest) ? newest : null
  }

  /** The revision that carries out the composition; null while it is not there. */
  carryingOut(graph: GraphName, entry: CompositionEntry | null): PublishedConfig | null {
    return revisionFor(entry, this.told(graph), this.pin(graph, entry))
  }

  /**
   * Returns the revision to which the composition pins the graph. Null without a pin or before `recallPin`.
   */
  pin(graph: GraphName, entry: CompositionEntry | null): PublishedConfig | null {
    const revision = pinnedRevisionOf(entry?.record)
    const pinned = this.#pinned.get(graphKey(graph)) ?? null
    return pinned?.revision === revision ? pinned : null
  }

  /** Reads the revision that the composition pins the graph to, unless it is known or cannot be read now. */
  async recallPin(graph: GraphName, entry: CompositionEntry | null): Promise<void> {
    const revision = pinnedRevisionOf(entry?.record)
    if (revision === null || this.pin(graph, entry) !== null) return
    try {
      await this.#options.configs.caughtUp(graph)
      const pinned = await this.#read(graph, revision)
      if (pinned !== null) this.#pinned.set(graphKey(graph), pinned)
    } catch (error) {
      if (!(error instanceof StorageUnavailableError)) throw error
    }
  }

  /** Null when the graph has no such revision. */
  async find(graph: GraphName, revision: number): Promise<PublishedConfig | null> {
    const found = await this.#read(graph, revision)
    return found !== null && this.#isOwn(graph, found) ? found : null
  }

  /** Newest first. */
  async list(graph: GraphName, limit: number): Promise<RevisionView[]> {
    const newest = this.told(graph)
    if (newest === null) return []
    const { fold, log } = this.#options
    const found: (Omit<RevisionView, 'actor' | 'changes' | 'changeCount'> & {
      readonly commands: readonly number[] | null
    })[] = []
    let before: PublishedConfig | null = null
    // From the one before the first that is listed on.
    for await (const { config, reason, createdAt } of this.#from(graph, newest.revision - limit)) {
      const commands = sequencesBehind(fold, graph, config, before)
      before = config
      if (!this.#isOwn(graph, config)) continue
      const { epoch, revision, registrySequence } = config
      const base = config.base?.artifact ?? null
      const featureFlags = Object.keys(config.featureFlags).sort(compareNames)
      found.push({ epoch, revision, createdAt, registrySequence, reason, base, featureFlags, commands })
      if (found.length > limit) found.shift()
    }
    const wanted = found.flatMap(({ registrySequence, commands }) => [
      registrySequence,
      ...listedOf(commands ?? []),
    ])
    const known = await readCommands(log, fold, graph.namespace, new Set(wanted))
    return found.reverse().map(({ commands, ...view }) => ({
      ...view,
      actor: known.get(view.registrySequence)?.actor ?? null,
      changes: commands && listedOf(commands).flatMap((sequence) => known.get(sequence) ?? []),
      changeCount: commands?.length ?? 0,
    }))
  }

  /** The newest revisions with the artifact of their base, newest first. */
  async bases(
    graph: GraphName,
    limit: number,
  ): Promise<readonly { readonly revision: number; readonly base: ArtifactReference }[]> {
    const newest = this.told(graph)
    if (newest === null) return []
    const found: { readonly revision: number; readonly base: ArtifactReference }[] = []
    for await (const { config } of this.#from(graph, newest.revision - limit + 1)) {
      const { revision, base } = config
      if (base !== null && this.#isOwn(graph, config)) found.push({ revision, base })
    }
    return found.reverse().slice(0, limit)
  }

  /** Why the graph cannot be held on the revision; null when it can. */
  async absence(graph: GraphName, revision: number): Promise<Problem | null> {
    await this.#options.configs.caughtUp(graph)
    if (!this.#options.fold.state(graph.namespace).graphs.has(graph.graph)) return null
    if ((await this.find(graph, revision)) !== null) return null
    const which = await this.describeThose(graph)
    return problem(
      'NOT_FOUND',
      `Federated graph "${graph.graph}" has no revision ${revision}: ${which}. Nothing was changed.`,
    )
  }

  /** Which revisions the graph has, as the end of a sentence. */
  async describeThose(graph: GraphName): Promise<string> {
    const newest = this.newest(graph)?.revision ?? null
    if (newest === null) return 'nothing was published for it yet'
    const oldest = await this.#oldest(graph, newest)
    return oldest === newest
      ? `its only revision is ${newest}`
      : `it has the revisions ${oldest} to ${newest}`
  }

  /** Revisions of one graph have no gaps, so that the oldest one says which there are. */
  async #oldest(graph: GraphName, newest: number): Promise<number> {
    for await (const { config } of this.#from(graph, 1))
      if (this.#isOwn(graph, config)) return config.revision
    return newest
  }

  #isOwn(graph: GraphName, config: PublishedConfig): boolean {
    const { fold, compositions } = this.#options
    if (config.base === null) return false
    const createdAt = fold.createdAt(graph.namespace, graph.graph)
    if (config.registrySequence >= createdAt) return true
    // A graph that was created again and is as it was before gets no revision: what there is became its own.
    const entry = compositions.newest(graph)
    if (entry?.record.type !== 'composition.completed') return false
    const isOfThisGraph = entry.record.registrySequence >= createdAt && artifactOf(entry.record.base) !== null
    return isOfThisGraph && this.carryingOut(graph, entry)?.revision === config.revision
  }

  async #read(graph: GraphName, revision: number): Promise<PublishedConfig | null> {
    const newest = this.told(graph)
    if (newest === null || revision > newest.revision) return null
    if (revision === newest.revision) return newest
    for await (const { config } of this.#from(graph, revision))
      if (config.revision === revision) return config
    return null
  }

  /**
   * The records from that revision or an earlier one on, without copies of those that came before. A new
   * epoch counts on.
   */
  async *#from(graph: GraphName, revision: number) {
    const { log, configs } = this.#options
    const filter = { kind: 'subject', subject: configSubject(graph) } as const
    let last = 0
    for await (const entry of log.read(filter, configs.sequenceOf(graph, revision) ?? 1)) {
      const parsed = parseConfig(entry.record)
      if (parsed.config.revision <= last) continue
      last = parsed.config.revision
      yield parsed
    }
  }
}

function pinnedRevisionOf(record: CompositionRecord | undefined): number | null {
  return record?.type === 'composition.completed' ? record.pinnedRevision : null
}
