/**
 * Reads artifacts in pieces. Chunks that a config has already, for another artifact or from the config
 * before, are not read again.
 */
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { hashUnpacked } from '@switchyard/config-store'
import { MAX_ARTIFACT_BYTES, MAX_PIECE_LIST_BYTES } from '@switchyard/contracts'
import { chunksOf, type PieceList, parsePieceList } from '@switchyard/contracts/artifact-pieces'
import { messageOf } from '@switchyard/values'
import pMap from 'p-map'
import { type CutArtifact, unpackedSize } from '../content/artifact-content.ts'

const unpack = promisify(gunzip)

/** Chunks of one artifact that are read at a time. */
const READ_AT_A_TIME = 4

/** A piece is missing, damaged, or not what its list says. */
export class DamagedPieceError extends Error {
  override readonly name = 'DamagedPieceError'
}

/** The pieces that were checked before, and where others are read. */
export type PieceSource = {
  /** Gzipped bytes of lists and chunks by hash. */
  readonly known: ReadonlyMap<string, Uint8Array>
  readonly knownLists: ReadonlyMap<string, CutArtifact>
  /** Gzipped bytes, not yet checked; null when the source does not have them. */
  readonly readPiece: (sha256: string) => Promise<Uint8Array | null>
}

/** An artifact with its list and its chunks, gzipped and by hash. */
export type ReadPieces = { readonly cut: CutArtifact; readonly pieces: ReadonlyMap<string, Uint8Array> }

/** Reads the pieces of the artifacts of one config. */
export class PieceReader {
  readonly #source: PieceSource
  readonly #reading = new Map<string, Promise<Uint8Array>>()

  constructor(source: PieceSource) {
    this.#source = source
  }

  /** `sha256` is the hash of the list. Rejects with DamagedPieceError, or with the error of the source. */
  async read(artifact: string, sha256: string): Promise<ReadPieces> {
    const { knownLists } = this.#source
    const gzipped = await this.#piece(sha256, MAX_PIECE_LIST_BYTES)
    const before = knownLists.get(artifact)
    const cut = before?.sha256 === sha256 ? before : { sha256, list: await unpackPieceList(gzipped) }
    if (cut.list.artifact !== artifact)
      throw new DamagedPieceError(`the list ${sha256} is that of the artifact ${cut.list.artifact}`)
    const pieces = new Map([[sha256, gzipped]])
    const sizes = new Map(cut.list.chunks.map((chunk) => [chunk.sha256, chunk.bytes]))
    const readChunk = async (chunk: string) => {
      const bytes = await this.#piece(chunk, MAX_ARTIFACT_BYTES)
      const size = unpackedSize(bytes)
      if (size !== sizes.get(chunk))
        throw new DamagedPieceError(
          `the chunk ${chunk} has ${size} bytes, and not what the list ${sha256} says`,
        )
      pieces.set(chunk, bytes)
    }
    await pMap(chunksOf(cut.list), readChunk, { concurrency: READ_AT_A_TIME })
    return { cut, pieces }
  }

  /** `most`: bytes that it may unpack to. */
  #piece(sha256: string, most: number): Promise<Uint8Array> {
    const known = this.#source.known.get(sha256)
    if (known !== undefined) return Promise.resolve(known)
    let reading = this.#reading.get(sha256)
    if (reading === undefined) {
      reading = this.#checked(sha256, most)
      this.#reading.set(sha256, reading)
    }
    return reading
  }

  async #checked(sha256: string, most: number): Promise<Uint8Array> {
    const gzipped = await this.#source.readPiece(sha256)
    if (gzipped === null) throw new DamagedPieceError(`the piece ${sha256} is not there`)
    const found = await hashUnpacked(gzipped, most).catch((error: unknown) => {
      throw new DamagedPieceError(
        `the piece ${sha256} cannot be unpacked to at most ${most} bytes: ${messageOf(error)}`,
        { cause: error },
      )
    })
    if (found !== sha256) throw new DamagedPieceError(`the piece ${sha256} has another hash`)
    return gzipped
  }
}

/** Reads the gzipped bytes of a list. Rejects with DamagedPieceError. */
export async function unpackPieceList(gzipped: Uint8Array): Promise<PieceList> {
  try {
    return parsePieceList(await unpack(gzipped, { maxOutputLength: MAX_PIECE_LIST_BYTES }))
  } catch (error) {
    throw new DamagedPieceError(messageOf(error), { cause: error })
  }
}
