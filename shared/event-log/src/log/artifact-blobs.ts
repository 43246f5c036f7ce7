/** Artifacts as blobs: each as a whole, in pieces, or both. */
import { createHash } from 'node:crypto'
import { type ArtifactReference } from '@switchyard/contracts'
import {
  chunksOf,
  InvalidPieceListError,
  joinArtifact,
  type PieceList,
  parsePieceList,
} from '@switchyard/contracts/artifact-pieces'
import pMap from 'p-map'
import { BlobCorruptedError } from './errors.ts'
import type { BlobStore } from './event-log.ts'

/** Chunks that are read at a time. */
const READ_AT_A_TIME = 16

/** The stores that have artifacts as a whole, and lists and chunks. */
export type ArtifactStores = { readonly blobs: BlobStore; readonly pieces: BlobStore }

/** Whether an artifact is stored. Of one in pieces it is the list that is looked for. */
export async function hasArtifact(
  { blobs, pieces }: ArtifactStores,
  { artifact, pieces: list }: ArtifactReference,
): Promise<boolean> {
  return (await blobs.has(artifact)) || (list !== undefined && (await pieces.has(list)))
}

/**
 * The bytes of an artifact: those that are stored as a whole, or else what its pieces make together. Rejects
 * with StorageError: a BlobMissingError or BlobCorruptedError names the blob or the piece.
 */
export async function readArtifact(
  stores: ArtifactStores,
  { artifact, pieces: list }: ArtifactReference,
): Promise<Uint8Array> {
  const { blobs, pieces } = stores
  if (list === undefined || (await blobs.has(artifact))) return blobs.get(artifact)
  const bytes = await joined(pieces, list)
  const found = createHash('sha256').update(bytes).digest('hex')
  if (found !== artifact)
    throw new BlobCorruptedError(list, `its pieces make the artifact ${found}, expected ${artifact}`)
  return bytes
}

async function joined(pieces: BlobStore, sha256: string): Promise<Uint8Array> {
  const list = parsed(sha256, await pieces.get(sha256))
  const texts = new Map<string, string>()
  const read = async (chunk: string) => {
    texts.set(chunk, Buffer.from(await pieces.get(chunk)).toString('utf8'))
  }
  await pMap(chunksOf(list), read, { concurrency: READ_AT_A_TIME })
  return Buffer.from(JSON.stringify(joinArtifact(list, (chunk) => texts.get(chunk) ?? '')))
}

function parsed(sha256: string, bytes: Uint8Array): PieceList {
  try {
    return parsePieceList(bytes)
  } catch (error) {
    if (error instanceof InvalidPieceListError) throw new BlobCorruptedError(sha256, error.message)
    throw error
  }
}
