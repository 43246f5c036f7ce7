/**
 * Remembers which blobs and which lists of pieces any record of any log refers to, or ever referred to. They
 * lie in two stores, so they are kept apart.
 *
 * Only the beginnings of hashes are kept. Two blobs with equal beginnings are taken for one, which can keep
 * an unused blob and never removes a used one.
 */
import {
  type ArtifactReference,
  type CompositionRecord,
  type Manifest,
  type RecordedResult,
  type RegistryRecord,
  variantReferences,
  variantsOf,
} from '@switchyard/contracts'
import { HashPrefixes } from './hash-prefixes.ts'

/** The hashes that a record names: of blobs, and of lists of pieces. */
export type Names = {
  readonly blobs: readonly string[]
  readonly lists: readonly string[]
  /** The artifacts of these lists. They need not be stored as a whole, if all pieces are there. */
  readonly inPieces: readonly { readonly artifact: string; readonly pieces: string }[]
}

export const NO_NAMES: Names = { blobs: [], lists: [], inPieces: [] }

export class BlobReferences {
  readonly #blobs = new HashPrefixes()
  readonly #lists = new HashPrefixes()

  get size(): number {
    return this.#blobs.size
  }

  has(sha256: string): boolean {
    return this.#blobs.has(sha256)
  }

  /** The lists that records name, but not their chunks, which only the lists themselves tell. */
  get lists(): Pick<HashPrefixes, 'has' | 'without'> {
    return this.#lists
  }

  /** Records that lost a race count too, since their writer may write them again. */
  addRegistryRecord(record: RegistryRecord): void {
    this.#add(namesOfRegistryRecord(record))
  }

  addCompositionRecord(record: CompositionRecord): void {
    this.#add(namesOfComposition(record))
  }

  addManifest(manifest: Manifest): void {
    this.#add(namesOfManifest(manifest))
  }

  #add({ blobs, lists }: Names): void {
    this.#blobs.addAll(blobs)
    this.#lists.addAll(lists)
  }
}

export function namesOfRegistryRecord({ events }: RegistryRecord): Names {
  const blobs = events.flatMap((event) => {
    if (event.type === 'subgraph.schema-published') return [event.schema]
    // The schemas of before are those that an undo publishes again.
    if (event.type === 'feature-flag.launched')
      return event.promoted.flatMap(({ before, after }) => [before.schema, after.schema])
    if (event.type === 'preview.created' || event.type === 'preview.updated')
      return (event.subgraphs ?? []).map(({ schema }) => schema)
    return event.type === 'documents.published' ? [event.manifest] : []
  })
  return { ...NO_NAMES, blobs }
}

export function namesOfComposition(record: CompositionRecord): Names {
  if (record.type !== 'composition.completed') return NO_NAMES
  const results = [record.base, ...variantsOf(record).map(({ result }) => result)]
  const { blobs, ...rest } = namesOfArtifacts(results.flatMap(artifactsOf))
  return { ...rest, blobs: [...blobs, ...results.flatMap(errorsOf), ...namesOfDocuments(record)] }
}

export function namesOfManifest(manifest: Manifest): Names {
  const { base } = manifest
  const { blobs, ...rest } = namesOfArtifacts([
    ...(base === null ? [] : [base]),
    ...variantReferences(manifest),
  ])
  return { ...rest, blobs: [...blobs, ...namesOfDocuments(manifest)] }
}

function artifactsOf(result: RecordedResult): readonly ArtifactReference[] {
  return result.status === 'composed' || result.status === 'reused' ? [result] : []
}

function namesOfArtifacts(references: readonly ArtifactReference[]): Names {
  const inPieces = references.flatMap(({ artifact, pieces }) =>
    pieces === undefined ? [] : [{ artifact, pieces }],
  )
  return {
    blobs: references.map(({ artifact }) => artifact),
    lists: inPieces.map(({ pieces }) => pieces),
    inPieces,
  }
}

function namesOfDocuments({ documents = [] }: Pick<Manifest, 'documents'>): readonly string[] {
  return documents.map(({ manifest }) => manifest)
}

function errorsOf(result: RecordedResult): readonly string[] {
  return result.status === 'failed' && result.errorsBlob !== undefined ? [result.errorsBlob] : []
}
