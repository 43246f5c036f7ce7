/** Artifacts as blobs: each as a whole, in pieces, or both. */
import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { type ArtifactReference, EXECUTION_CONFIG_FORMAT } from '@switchyard/contracts'
import {
  chunksOf,
  InvalidPieceListError,
  type PieceList,
  parsePieceList,
  settingsOf,
} from '@switchyard/contracts/artifact-pieces'
import pMap from 'p-map'
import { BlobCorruptedError } from './errors.ts'
import type { BlobStore } from './event-log.ts'

/** Chunks that are read at a time. */
const READ_AT_A_TIME = 16
/** Bytes that are hashed in one turn of the event loop. */
const BYTES_A_TURN = 4 * 1024 * 1024

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
  const { bytes, sha256 } = await joined(pieces, list)
  if (sha256 !== artifact)
    throw new BlobCorruptedError(list, `its pieces make the artifact ${sha256}, expected ${artifact}`)
  return bytes
}

type JoinedArtifact = { readonly bytes: Uint8Array; readonly sha256: string }

/** The text of an artifact of format 1, chunk by chunk, and its hash. Others have their turns in between. */
async function joined(pieces: BlobStore, sha256: string): Promise<JoinedArtifact> {
  const list = parsed(sha256, await pieces.get(sha256))
  const sizes = new Map(list.chunks.map((chunk) => [chunk.sha256, chunk.bytes]))
  const texts = new Map<string, Buffer>()
  const read = async (chunk: string) => {
    const bytes = Buffer.from(await pieces.get(chunk))
    if (bytes.length !== sizes.get(chunk))
      throw new BlobCorruptedError(sha256, `its chunk ${chunk} has ${bytes.length} bytes`)
    // The text as it stands within quotes.
    texts.set(chunk, Buffer.from(JSON.stringify(bytes.toString('utf8')).slice(1, -1)))
    await setImmediate()
  }
  await pMap(chunksOf(list), read, { concurrency: READ_AT_A_TIME })
  const head = `{"formatVersion":${EXECUTION_CONFIG_FORMAT},"supergraphSdl":"`
  const all: Buffer[] = [Buffer.from(head)]
  for (const { sha256: chunk } of list.chunks) all.push(texts.get(chunk) ?? Buffer.alloc(0))
  all.push(Buffer.from(`",${JSON.stringify(settingsOf(list)).slice(1)}`))
  const hash = createHash('sha256')
  let turn = 0
  for (const part of all) {
    hash.update(part)
    turn += part.length
    if (turn < BYTES_A_TURN) continue
    turn = 0
    await setImmediate()
  }
  return { bytes: Buffer.concat(all), sha256: hash.digest('hex') }
}

function parsed(sha256: string, bytes: Uint8Array): PieceList {
  try {
    return parsePieceList(bytes)
  } catch (error) {
    if (error instanceof InvalidPieceListError) throw new BlobCorruptedError(sha256, error.message)
    throw error
  }
}
