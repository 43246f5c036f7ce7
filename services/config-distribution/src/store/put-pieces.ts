/**
 * Puts chunks and lists into the config store that are missing there. A list is put after all of its chunks,
 * so that whoever finds a list mostly finds the chunks as well.
 */
import type { GraphName } from '@switchyard/contracts'
import type { ConfigStore } from '@switchyard/config-store'
import { pack } from './packed.ts'
import type { KnownList } from './piece-lists.ts'
import { type PieceReader, UnusablePieceError } from './piece-reader.ts'

/** Pieces that are read, and put together. */
const AT_A_TIME = 16
/** Bytes that the chunks declare which are put together; a larger chunk is put alone. */
const BYTES_AT_A_TIME = 8 * 1024 * 1024

export type PutPiecesOptions = {
  readonly graph: GraphName
  readonly store: Pick<ConfigStore, 'putPieces'>
  readonly reader: PieceReader
  readonly lists: readonly KnownList[]
  /** Hashes of chunks and lists. */
  readonly missing: ReadonlySet<string>
  readonly signal: AbortSignal
}

export type PutPieces = {
  /** Hashes of the chunks and lists that were put. */
  readonly put: readonly string[]
  /** The lists that cannot be used, or of which a chunk cannot. They were not put. */
  readonly unusable: ReadonlyMap<string, UnusablePieceError>
}

/** A list that names a chunk, and the size that it declares for it. */
type ChunkUse = { readonly list: string; readonly bytes: number }

type MissingChunk = { readonly sha256: string; readonly uses: ChunkUse[] }

/**
 * Rejects with ConfigStoreError. A piece that cannot be read makes the lists that name it unusable, and keeps
 * nothing else from being put.
 */
export async function putPieces(options: PutPiecesOptions): Promise<PutPieces> {
  const { lists, missing, signal } = options
  const putting = new Putting(options)
  for (const batch of batchesOf(missingChunks(lists, missing))) {
    if (signal.aborted) return putting
    await putting.chunks(batch)
  }
  const missingLists = lists.map(({ sha256 }) => sha256).filter((sha256) => missing.has(sha256))
  for (let from = 0; from < missingLists.length && !signal.aborted; from += AT_A_TIME)
    await putting.lists(missingLists.slice(from, from + AT_A_TIME))
  return putting
}

class Putting implements PutPieces {
  readonly put: string[] = []
  readonly unusable = new Map<string, UnusablePieceError>()
  readonly #options: PutPiecesOptions

  constructor(options: PutPiecesOptions) {
    this.#options = options
  }

  async chunks(chunks: readonly MissingChunk[]): Promise<void> {
    await this.#putAll(chunks, (chunk) => this.#readChunk(chunk))
  }

  async lists(sha256s: readonly string[]): Promise<void> {
    const usable = sha256s.filter((sha256) => !this.unusable.has(sha256)).map((sha256) => ({ sha256 }))
    await this.#putAll(usable, ({ sha256 }) => this.#read(sha256, [sha256]))
  }

  /** Puts what `read` returns, and nothing where that is null. */
  async #putAll<Piece extends { readonly sha256: string }>(
    pieces: readonly Piece[],
    read: (piece: Piece) => Promise<Uint8Array | null>,
  ): Promise<void> {
    const { graph, store } = this.#options
    const packed = new Map<string, Uint8Array>()
    const add = async (piece: Piece): Promise<void> => {
      const bytes = await read(piece)
      if (bytes !== null) packed.set(piece.sha256, await pack(bytes))
    }
    await Promise.all(pieces.map(add))
    if (packed.size === 0) return
    await store.putPieces(graph, packed)
    this.put.push(...packed.keys())
  }

  /** Null if no list that can be used needs the chunk. */
  async #readChunk({ sha256, uses }: MissingChunk): Promise<Uint8Array | null> {
    const needed = this.#usable(uses)
    if (needed.length === 0) return null
    const lists = needed.map(({ list }) => list)
    const bytes = await this.#read(sha256, lists)
    if (bytes === null) return null
    for (const use of needed)
      if (use.bytes !== bytes.length) this.unusable.set(use.list, wrongSize(sha256, use, bytes.length))
    return this.#usable(needed).length === 0 ? null : bytes
  }

  #usable(uses: readonly ChunkUse[]): readonly ChunkUse[] {
    return uses.filter(({ list }) => !this.unusable.has(list))
  }

  /** Null if the piece cannot be used; then these lists cannot be used either. */
  async #read(sha256: string, lists: readonly string[]): Promise<Uint8Array | null> {
    try {
      return await this.#options.reader.bytes(sha256)
    } catch (error) {
      if (!(error instanceof UnusablePieceError)) throw error
      for (const list of lists) this.unusable.set(list, error)
      return null
    }
  }
}

function missingChunks(lists: readonly KnownList[], missing: ReadonlySet<string>): Iterable<MissingChunk> {
  const found = new Map<string, MissingChunk>()
  for (const { sha256: list, chunks } of lists) {
    for (const { sha256, bytes } of chunks) {
      if (!missing.has(sha256)) continue
      const chunk = found.get(sha256) ?? { sha256, uses: [] }
      chunk.uses.push({ list, bytes })
      found.set(sha256, chunk)
    }
  }
  return found.values()
}

function* batchesOf(chunks: Iterable<MissingChunk>): Generator<readonly MissingChunk[]> {
  let batch: MissingChunk[] = []
  let size = 0
  for (const chunk of chunks) {
    const bytes = Math.max(...chunk.uses.map((use) => use.bytes))
    if (batch.length === AT_A_TIME || (batch.length > 0 && size + bytes > BYTES_AT_A_TIME)) {
      yield batch
      batch = []
      size = 0
    }
    batch.push(chunk)
    size += bytes
  }
  if (batch.length > 0) yield batch
}

function wrongSize(sha256: string, { list, bytes }: ChunkUse, found: number): UnusablePieceError {
  return new UnusablePieceError(
    `the list ${list} cannot be used: its chunk ${sha256} has ${found} bytes, and not ${bytes}`,
    { lasts: true },
  )
}
