/**
 * Which blobs any record of any log names, or ever named.
 *
 * Only the first 52 bits of each hash are kept, as a number: a million blobs take 37 MB instead of 101 (Node 26). Two blobs
 * that share them are taken for one, which can keep a blob that nobody needs, and never removes one that somebody does.
 */
import type { CompositionRecord, CompositionResult, Manifest, RegistryRecord } from '@switchyard/contracts'

const DIGITS = 13

export class BlobReferences {
  readonly #prefixes = new Set<number>()

  get size(): number {
    return this.#prefixes.size
  }

  has(sha256: string): boolean {
    return this.#prefixes.has(prefixOf(sha256))
  }

  /** Also of a record that lost a race: whoever wrote it may write it again. */
  addRegistryRecord({ events }: RegistryRecord): void {
    for (const event of events) if (event.type === 'subgraph.schema-published') this.#add(event.schema)
  }

  addCompositionRecord(record: CompositionRecord): void {
    if (record.type !== 'composition.completed') return
    this.#addResult(record.base)
    for (const { result } of record.featureFlags) this.#addResult(result)
  }

  addManifest({ base, featureFlags }: Manifest): void {
    if (base !== null) this.#add(base.artifact)
    for (const { artifact } of Object.values(featureFlags)) this.#add(artifact)
  }

  #addResult(result: CompositionResult): void {
    if (result.status === 'composed' || result.status === 'reused') this.#add(result.artifact)
    else if (result.status === 'failed' && result.errorsBlob !== undefined) this.#add(result.errorsBlob)
  }

  #add(sha256: string): void {
    this.#prefixes.add(prefixOf(sha256))
  }
}

function prefixOf(sha256: string): number {
  return Number.parseInt(sha256.slice(0, DIGITS), 16)
}
