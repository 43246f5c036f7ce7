/**
 * Cuts artifacts into chunks. Where a chunk ends is decided by the name of its last definition, so that a
 * change of a definition changes the chunk that it is in and no other, and all compositions of a graph share
 * the chunks of what they have in common.
 */
import { createHash } from 'node:crypto'
import type { Artifact } from '@switchyard/contracts'
import type { PieceList } from '@switchyard/contracts/artifact-pieces'
import {
  MAX_CHUNKS,
  MAX_LISTED_SUBGRAPHS,
  MAX_PIECE_LIST_BYTES,
  PIECES_FORMAT,
} from '@switchyard/contracts/limits'
import { splitSchema, typeNameOf } from '@switchyard/engine/split-schema'

/** Bytes of a chunk on average. Smaller ones are packed less well, larger ones change more often. */
const CHUNK_BYTES = 32 * 1024

/** An artifact in pieces: the bytes of its list, and those of its chunks, each once. */
export type ArtifactPieces = {
  /** The sha256 of the artifact. */
  readonly artifact: string
  readonly list: Uint8Array<ArrayBuffer>
  readonly chunks: readonly { readonly sha256: string; readonly bytes: Uint8Array<ArrayBuffer> }[]
}

/**
 * Cuts an artifact, of which `sha256` is the hash. Null if it has more subgraphs than a list may name, so
 * that it is stored as a whole only.
 */
export function cutArtifact(
  { supergraphSdl, formatVersion: _format, ...rest }: Artifact,
  sha256: string,
): ArtifactPieces | null {
  if (rest.subgraphs.length > MAX_LISTED_SUBGRAPHS) return null
  const encoder = new TextEncoder()
  const chunks = new Map<string, Uint8Array<ArrayBuffer>>()
  const entries: PieceList['chunks'] = []
  for (const text of cutText(supergraphSdl)) {
    const bytes = encoder.encode(text)
    const hash = createHash('sha256').update(bytes).digest('hex')
    chunks.set(hash, bytes)
    entries.push({ sha256: hash, bytes: bytes.byteLength })
  }
  const list: PieceList = { formatVersion: PIECES_FORMAT, artifact: sha256, chunks: entries, ...rest }
  const bytes = encoder.encode(JSON.stringify(list))
  if (bytes.byteLength > MAX_PIECE_LIST_BYTES) return null
  return { artifact: sha256, list: bytes, chunks: [...chunks].map(toChunk) }
}

function toChunk([sha256, bytes]: readonly [string, Uint8Array<ArrayBuffer>]) {
  return { sha256, bytes }
}

/** Cuts a text into at most `MAX_CHUNKS` chunks, which make it together. */
export function cutText(supergraphSdl: string): readonly string[] {
  const pieces = splitSchema(supergraphSdl)
  const average = supergraphSdl.length / pieces.length
  // A power of two, which hardly ever becomes another one when the schema grows.
  const every = 2 ** Math.max(0, Math.round(Math.log2(CHUNK_BYTES / average)))
  const chunks = chunksOf(pieces, every)
  return joinNeighbours(chunks, Math.ceil(chunks.length / MAX_CHUNKS))
}

/** Joins so many chunks to one. Only texts of 100 MB and names that are chosen for it have too many. */
function joinNeighbours(chunks: readonly string[], count: number): readonly string[] {
  if (count <= 1) return chunks
  return Array.from({ length: Math.ceil(chunks.length / count) }, (_, at) =>
    chunks.slice(at * count, (at + 1) * count).join(''),
  )
}

/** One of `every` names ends a chunk. Large pieces are chunks of their own. */
function chunksOf(pieces: readonly string[], every: number): readonly string[] {
  const chunks: string[] = []
  let chunk: string[] = []
  const end = () => {
    if (chunk.length > 0) chunks.push(chunk.join(''))
    chunk = []
  }
  for (const piece of pieces) {
    const isLarge = piece.length >= CHUNK_BYTES
    if (isLarge) end()
    chunk.push(piece)
    if (isLarge || hashOfName(typeNameOf(piece) ?? '') % every === 0) end()
  }
  end()
  return chunks
}

/**
 * The 32 bits of FNV-1a, folded, since its low bits are its worst:
 * http://www.isthe.com/chongo/tech/comp/fnv/
 */
function hashOfName(name: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < name.length; at += 1) {
    hash ^= name.charCodeAt(at)
    hash = Math.imul(hash, 0x01000193)
  }
  return ((hash >>> 16) ^ hash) >>> 0
}
