/**
 * Artifacts in pieces: format 2. The text of a supergraph is cut into chunks at the same names every time, so
 * that a change of one definition changes one chunk. What names an artifact names a list, and the list names
 * the chunks.
 */
import { z } from 'zod'
import { Artifact } from './execution-config.ts'
import {
  EXECUTION_CONFIG_FORMAT,
  MAX_ARTIFACT_BYTES,
  MAX_CHUNKS,
  MAX_LISTED_SUBGRAPHS,
  MAX_PIECE_LIST_BYTES,
  PIECES_FORMAT,
} from './limits.ts'
import { Sha256 } from './names.ts'

const { formatVersion: _, supergraphSdl: __, ...settings } = Artifact.shape

/**
 * Immutable, named by the sha256 of its bytes: JSON with keys in this order. `bytes` of a chunk is the size
 * of its UTF-8 text before it is gzipped.
 */
export const PieceList = z.object({
  formatVersion: z.literal(PIECES_FORMAT),
  /** The artifact of format 1 that the chunks make together. */
  artifact: Sha256,
  /** In the order of the text. The same chunk may stand in several places. */
  chunks: z
    .array(z.object({ sha256: Sha256, bytes: z.int().min(1).max(MAX_ARTIFACT_BYTES) }))
    .min(1)
    .max(MAX_CHUNKS),
  ...settings,
})
export type PieceList = z.infer<typeof PieceList>

/** The list cannot be used. The message says why. */
export class InvalidPieceListError extends Error {
  constructor(problem: string, options?: ErrorOptions) {
    super(problem, options)
    this.name = new.target.name
  }
}

/**
 * Reads a list. All that it declares is checked before anybody reads a chunk. Throws InvalidPieceListError.
 */
export function parsePieceList(bytes: Uint8Array): PieceList {
  if (bytes.length > MAX_PIECE_LIST_BYTES)
    throw new InvalidPieceListError(
      `It has ${bytes.length} bytes. Expected: ${MAX_PIECE_LIST_BYTES} at most.`,
    )
  const list = parsed(bytes)
  const size = list.chunks.reduce((sum, chunk) => sum + chunk.bytes, 0)
  if (size > MAX_ARTIFACT_BYTES)
    throw new InvalidPieceListError(
      `Its chunks have ${size} bytes together. Expected: ${MAX_ARTIFACT_BYTES} at most.`,
    )
  return list
}

/** Hashes of the chunks, each once. */
export function chunksOf({ chunks }: Pick<PieceList, 'chunks'>): ReadonlySet<string> {
  return new Set(chunks.map(({ sha256 }) => sha256))
}

/** All of an artifact but its text and the number of its form. */
export type ArtifactSettings = Omit<Artifact, 'formatVersion' | 'supergraphSdl'>

/** Returns the settings of the artifact that a list describes. */
export function settingsOf({
  formatVersion: _format,
  artifact: _artifact,
  chunks: _chunks,
  ...settings
}: PieceList): ArtifactSettings {
  return settings
}

/** The artifact of format 1. `textOf` returns the text of a chunk by its hash. */
export function joinArtifact(list: PieceList, textOf: (sha256: string) => string): Artifact {
  return {
    formatVersion: EXECUTION_CONFIG_FORMAT,
    supergraphSdl: list.chunks.map(({ sha256 }) => textOf(sha256)).join(''),
    ...settingsOf(list),
  }
}

function parsed(bytes: Uint8Array): PieceList {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new InvalidPieceListError('It is no JSON.', { cause })
  }
  const chunks = listIn(value, 'chunks')
  if (chunks.length > MAX_CHUNKS)
    throw new InvalidPieceListError(`It names ${chunks.length} chunks. Expected: ${MAX_CHUNKS} at most.`)
  const subgraphs = listIn(value, 'subgraphs')
  if (subgraphs.length > MAX_LISTED_SUBGRAPHS)
    throw new InvalidPieceListError(
      `It names ${subgraphs.length} subgraphs. Expected: ${MAX_LISTED_SUBGRAPHS} at most.`,
    )
  // One after the other, so that the first that is wrong ends it: a message about each would take seconds.
  for (const [at, chunk] of chunks.entries()) checked(Chunk, chunk, `chunks[${at}]`)
  for (const [at, subgraph] of subgraphs.entries()) checked(Subgraph, subgraph, `subgraphs[${at}]`)
  return checked(PieceList, value, '')
}

/** A member that has to be a list, of which nothing is copied. */
function listIn(value: unknown, name: string): readonly unknown[] {
  const member: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
  if (Array.isArray(member)) return member
  throw new InvalidPieceListError(`It is no list of chunks: its "${name}" are no list.`)
}

const Chunk = PieceList.shape.chunks.element
const Subgraph = PieceList.shape.subgraphs.element

function checked<Value>(type: z.ZodType<Value>, value: unknown, where: string): Value {
  const read = type.safeParse(value)
  if (read.success) return read.data
  const [{ path, message } = { path: [], message: '' }] = read.error.issues
  const place = [where, ...path.map(String)].filter((part) => part !== '').join('.')
  throw new InvalidPieceListError(`It is no list of chunks${place === '' ? '' : ` at ${place}`}: ${message}`)
}
