/**
 * Removes pieces of artifacts (lists and chunks) that are in no use, by the rules of `unnamed-blobs.ts`.
 *
 * Records name lists, and lists name chunks. So every list is read, but only once, since lists never change:
 *
 * - A list that any record ever named is kept, with its chunks. While one cannot be read nobody knows its
 *   chunks, and nothing is removed.
 * - One that is missing may be there again when a replica of the store has caught up. It counts as lost when
 *   it was missing in every sweep for hours. Routers then read its artifact as a whole, and its chunks are in
 *   no use.
 * - A list without a record keeps its chunks until it is removed itself. Its record may still come, and its
 *   chunks were stored before it, so they are older.
 */
import { MAX_PIECE_LIST_BYTES } from '@switchyard/contracts'
import { chunksOf, InvalidPieceListError, parsePieceList } from '@switchyard/contracts/artifact-pieces'
import { BlobCorruptedError, BlobMissingError, type BlobStore } from '@switchyard/event-log'
import { messageOf } from '@switchyard/values'
import { HashPrefixes } from '../reading/hash-prefixes.ts'
import { readToTheEnd, type Sweep, type SweepOptions } from './sweep-loop.ts'
import { NOTHING_NAMED, SEEN_UNNAMED_MS, type StoredBlob, UnnamedBlobs } from './unnamed-blobs.ts'

class UnreadableListError extends Error {
  constructor(sha256: string, cause: unknown) {
    super(
      `the list ${sha256} of chunks of an artifact cannot be read, so that nobody knows which chunks are in use: ${messageOf(cause)}`,
      { cause },
    )
    this.name = new.target.name
  }
}

export class PieceSweep implements Sweep {
  readonly swept = 'pieces of artifacts'
  readonly #pieces: BlobStore
  readonly #options: SweepOptions
  readonly #unnamed: UnnamedBlobs
  /** The lists, of those that records name, that were read, and the chunks that they name. */
  readonly #lists = new HashPrefixes()
  readonly #chunks = new HashPrefixes()
  /** The list that could not be read. It is tried again before the store is listed. */
  #unreadable: string | null = null
  /** Monotonic times since when named lists are missing, by the beginning of their hashes. */
  #missing: ReadonlyMap<string, number> = new Map()
  /** The chunks of each piece without a name that is a list; null for pieces that are none. */
  #unnamedLists: ReadonlyMap<string, HashPrefixes | null> = new Map()

  constructor(pieces: BlobStore, options: SweepOptions) {
    this.#pieces = pieces
    this.#options = options
    this.#unnamed = new UnnamedBlobs({ ...options, store: pieces })
  }

  async run(signal: AbortSignal): Promise<string | null> {
    const { references, folds } = this.#options
    const unnamed = this.#unnamed.begin()
    const unread = await readToTheEnd(folds)
    if (unread !== null) return unread
    const expected = references.lists.without(this.#lists)
    const pieces = await this.#readStore(signal)
    if (signal.aborted) return null
    const waitsFor = this.#missingFrom(expected, unnamed.began)
    if (waitsFor !== undefined && pieces.length > 0)
      return `the list ${waitsFor}… of chunks of an artifact is missing, and may still appear`
    const kept = await this.#chunksOfUnnamedLists(pieces, signal)
    for (const piece of pieces) {
      if (signal.aborted) return null
      if (this.#isNamed(piece.sha256) || kept.has(piece.sha256) || !unnamed.isDue(piece)) continue
      if (references.size === 0) return NOTHING_NAMED
      await unnamed.remove(piece)
    }
    unnamed.end()
    return null
  }

  #isNamed(sha256: string): boolean {
    return this.#options.references.lists.has(sha256) || this.#chunks.has(sha256)
  }

  /** Reads the lists that records name, and returns the pieces that no record or list was seen to name. */
  async #readStore(signal: AbortSignal): Promise<readonly StoredBlob[]> {
    const { references } = this.#options
    if (this.#unreadable !== null) await this.#readNamedList(this.#unreadable)
    const others: StoredBlob[] = []
    for await (const piece of this.#pieces.list()) {
      if (signal.aborted) return []
      if (references.lists.has(piece.sha256)) await this.#readNamedList(piece.sha256)
      else if (!this.#chunks.has(piece.sha256)) others.push(piece)
    }
    return others
  }

  /** Does nothing if the list is missing. Throws UnreadableListError. */
  async #readNamedList(sha256: string): Promise<void> {
    if (this.#lists.has(sha256)) return
    this.#unreadable = null
    try {
      this.#chunks.addAll(chunksOf(parsePieceList(await this.#pieces.get(sha256))))
      this.#lists.add(sha256)
    } catch (error) {
      if (error instanceof BlobMissingError) return
      const isDamaged = error instanceof BlobCorruptedError || error instanceof InvalidPieceListError
      if (!isDamaged) throw error
      this.#unreadable = sha256
      throw new UnreadableListError(sha256, error)
    }
  }

  /** Returns the beginning of the hash of a list that is missing and that does not count as lost yet. */
  #missingFrom(expected: readonly string[], began: number): string | undefined {
    const { monotonicNow } = this.#options
    const missing = expected.filter((list) => !this.#lists.has(list))
    this.#missing = new Map(missing.map((list) => [list, this.#missing.get(list) ?? monotonicNow()]))
    return missing.find((list) => began - (this.#missing.get(list) ?? began) < SEEN_UNNAMED_MS)
  }

  /**
   * Returns the chunks of all lists that are in the store without a record. A list that got its record since
   * the store was listed is read as a named one.
   */
  async #chunksOfUnnamedLists(pieces: readonly StoredBlob[], signal: AbortSignal): Promise<HashPrefixes> {
    const { references } = this.#options
    const lists = new Map<string, HashPrefixes | null>()
    const chunks = new HashPrefixes()
    for (const piece of pieces) {
      if (signal.aborted) return chunks
      if (references.lists.has(piece.sha256)) await this.#readNamedList(piece.sha256)
      if (this.#isNamed(piece.sha256)) continue
      const known = this.#unnamedLists.get(piece.sha256)
      const named = known === undefined ? await this.#chunksIfList(piece) : known
      if (named === undefined) continue
      lists.set(piece.sha256, named)
      if (named !== null) chunks.addSet(named)
    }
    this.#unnamedLists = lists
    return chunks
  }

  /** Null if the piece is no list, undefined if nobody can read it now. */
  async #chunksIfList({ sha256, size }: StoredBlob): Promise<HashPrefixes | null | undefined> {
    if (size > MAX_PIECE_LIST_BYTES) return null
    try {
      const chunks = new HashPrefixes()
      chunks.addAll(chunksOf(parsePieceList(await this.#pieces.get(sha256))))
      return chunks
    } catch (error) {
      if (error instanceof InvalidPieceListError) return null
      if (error instanceof BlobMissingError || error instanceof BlobCorruptedError) return undefined
      throw error
    }
  }
}
