/**
 * The artifacts of an export in pieces: each list behind its chunks.
 *
 * Pieces that are lost, damaged, or out of reach for who exports are left out. Where their artifact is in the
 * export as a whole, that costs readers time and nothing else. `exportLines` refuses where it is not.
 */
import { type ExportedPiece } from '@switchyard/contracts'
import { chunksOf, InvalidPieceListError, parsePieceList } from '@switchyard/contracts/artifact-pieces'
import { type BlobStore, StorageError, StorageUnavailableError } from '@switchyard/event-log'
import { HashPrefixes } from '../reading/hash-prefixes.ts'

export async function* exportPieces(
  pieces: BlobStore,
  lists: ReadonlySet<string>,
  onLeftOut: (lists: number, reason: string) => void,
): AsyncGenerator<ExportedPiece> {
  if (lists.size === 0) return
  const reader = await PieceReader.open(pieces)
  const written = new Set<string>()
  let leftOut = 0
  for (const sha256 of lists) {
    const list = await reader.list(sha256)
    const isWhole = list !== null && (yield* exportChunks(list.chunks, written, reader))
    if (isWhole) yield lineOf('list', sha256, list.bytes)
    else leftOut += 1
  }
  if (leftOut > 0) onLeftOut(leftOut, reader.firstProblem)
}

/**
 * Returns whether all chunks are in the export. If one cannot be read, those before it are in the export
 * without a use, and whoever imports them removes them after a day.
 */
async function* exportChunks(
  chunks: ReadonlySet<string>,
  written: Set<string>,
  reader: PieceReader,
): AsyncGenerator<ExportedPiece, boolean> {
  for (const chunk of chunks) {
    if (written.has(chunk)) continue
    const bytes = await reader.bytes(chunk)
    if (bytes === null) return false
    yield lineOf('chunk', chunk, bytes)
    written.add(chunk)
  }
  return true
}

type ReadList = { readonly bytes: Uint8Array; readonly chunks: ReadonlySet<string> }

/** Reads pieces, and asks for none twice that it could not read. */
class PieceReader {
  readonly #pieces: BlobStore
  /** The pieces that are there: asking for another one takes a second. Null without access to the store. */
  #stored: HashPrefixes | null = null
  readonly #unreadable = new Set<string>()
  #firstProblem: string | null = null

  constructor(pieces: BlobStore) {
    this.#pieces = pieces
  }

  static async open(pieces: BlobStore): Promise<PieceReader> {
    const reader = new PieceReader(pieces)
    await reader.#listStore()
    return reader
  }

  get firstProblem(): string {
    return this.#firstProblem ?? ''
  }

  /** Null if it cannot be read. */
  async list(sha256: string): Promise<ReadList | null> {
    const bytes = await this.bytes(sha256)
    if (bytes === null) return null
    try {
      return { bytes, chunks: chunksOf(parsePieceList(bytes)) }
    } catch (error) {
      if (!(error instanceof InvalidPieceListError)) throw error
      this.#note(`The list ${sha256} cannot be used: ${error.message}`)
      return null
    }
  }

  /** Null if they cannot be read. */
  async bytes(sha256: string): Promise<Uint8Array | null> {
    if (this.#stored === null || this.#unreadable.has(sha256)) return null
    if (!this.#stored.has(sha256)) {
      this.#note(`The piece ${sha256} is not in the store.`)
      return null
    }
    try {
      return await this.#pieces.get(sha256)
    } catch (error) {
      if (!(error instanceof StorageError)) throw error
      this.#note(error.message)
      this.#unreadable.add(sha256)
      if (error instanceof StorageUnavailableError) this.#stored = null
      return null
    }
  }

  async #listStore(): Promise<void> {
    const stored = new HashPrefixes()
    try {
      for await (const { sha256 } of this.#pieces.list()) stored.add(sha256)
      this.#stored = stored
    } catch (error) {
      if (!(error instanceof StorageError)) throw error
      this.#note(error.message)
    }
  }

  #note(problem: string): void {
    this.#firstProblem ??= problem
  }
}

function lineOf(kind: ExportedPiece['kind'], sha256: string, bytes: Uint8Array): ExportedPiece {
  return { type: 'piece', kind, sha256, base64: Buffer.from(bytes).toString('base64') }
}
