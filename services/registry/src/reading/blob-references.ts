/**
 * Remembers which blobs any record of any log refers to, or ever referred to.
 *
 * Only the first 52 bits of each hash are kept, as a number: a million blobs take 37 MB instead of 101 (Node
 * 26). Two blobs with equal bits are taken for one, which can keep an unused blob and never removes a used
 * one.
 */
import type { CompositionRecord, RecordedResult, Manifest, RegistryRecord } from '@switchyard/contracts'

const DIGITS = 13

export class BlobReferences {
  readonly #prefixes = new Set<number>()

  get size(): number {
    return this.#prefixes.size
  }

  has(sha256: string): boolean {
    return this.#prefixes.has(prefixOf(sha256))
  }

  /** Records that lost a race count too, since their writer may write them again. */
  addRegistryRecord(record: RegistryRecord): void {
    for (const sha256 of namesOfRegistryRecord(record)) this.#add(sha256)
  }

  addCompositionRecord(record: CompositionRecord): void {
    for (const sha256 of namesOfComposition(record)) this.#add(sha256)
  }

  addManifest(manifest: Manifest): void {
    for (const sha256 of namesOfManifest(manifest)) this.#add(sha256)
  }

  #add(sha256: string): void {
    this.#prefixes.add(prefixOf(sha256))
  }
}

export function namesOfRegistryRecord({ events }: RegistryRecord): readonly string[] {
  return events.flatMap((event) => {
    if (event.type === 'subgraph.schema-published') return [event.schema]
    return event.type === 'documents.published' ? [event.manifest] : []
  })
}

export function namesOfComposition(record: CompositionRecord): readonly string[] {
  if (record.type !== 'composition.completed') return []
  const results = [record.base, ...record.featureFlags.map(({ result }) => result)]
  return [...results.flatMap(namesOfResult), ...namesOfDocuments(record)]
}

export function namesOfManifest({ base, featureFlags, ...manifest }: Manifest): readonly string[] {
  const flags = Object.values(featureFlags).map(({ artifact }) => artifact)
  return [...(base === null ? [] : [base.artifact]), ...flags, ...namesOfDocuments(manifest)]
}

function namesOfDocuments({ documents = [] }: Pick<Manifest, 'documents'>): readonly string[] {
  return documents.map(({ manifest }) => manifest)
}

function namesOfResult(result: RecordedResult): readonly string[] {
  if (result.status === 'composed' || result.status === 'reused') return [result.artifact]
  return result.status === 'failed' && result.errorsBlob !== undefined ? [result.errorsBlob] : []
}

function prefixOf(sha256: string): number {
  return Number.parseInt(sha256.slice(0, DIGITS), 16)
}
