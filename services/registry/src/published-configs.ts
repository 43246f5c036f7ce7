/** The newest revision of every graph, folded from config-distribution's log. */
import { ConfigRecord, type GraphName, graphOfSubject, Manifest } from '@switchyard/contracts'
import type { LogEntry } from '@switchyard/event-log'
import type { BlobReferences } from './blob-references.ts'
import { type DownstreamLogOptions, keyOf } from './composition-results.ts'
import { LogFollower } from './log-follower.ts'

export type PublishedConfig = {
  readonly epoch: number
  readonly revision: number
  /** The composition record that this revision carries out. */
  readonly compositionSequence: number
  readonly base: string | null
  /** Artifact by flag. */
  readonly featureFlags: ReadonlyMap<string, string>
}

export class PublishedConfigs implements AsyncDisposable {
  readonly #newest = new Map<string, PublishedConfig>()
  readonly #follower: LogFollower
  readonly #references: BlobReferences

  constructor(options: DownstreamLogOptions) {
    this.#references = options.references
    this.#follower = new LogFollower({ ...options, name: 'configs', apply: (entry) => this.#apply(entry) })
  }

  get stopReason(): string | null {
    return this.#follower.stopReason
  }

  newest(graph: GraphName): PublishedConfig | null {
    return this.#newest.get(keyOf(graph)) ?? null
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
    const { epoch, revision, manifest: text, cause } = ConfigRecord.parse(entry.record)
    const manifest = Manifest.parse(JSON.parse(text))
    this.#references.addManifest(manifest)
    this.#newest.set(keyOf(graph), {
      epoch,
      revision,
      compositionSequence: cause.compositionSequence,
      base: manifest.base?.artifact ?? null,
      featureFlags: new Map(
        Object.entries(manifest.featureFlags).map(([name, { artifact }]) => [name, artifact]),
      ),
    })
  }
}
