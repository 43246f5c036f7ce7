/**
 * The lists of what one graph serves in pieces. They are remembered, so that a comparison of log and config
 * store reads nothing that was read before.
 */
import type { PieceList } from '@switchyard/contracts/artifact-pieces'
import type { PieceReference } from '../log/config-log.ts'
import { type PieceReader, UnusablePieceError } from './piece-reader.ts'

/**
 * Most chunks of all lists together. A graph of 12,000 types with fifty flags has some 10,000. The limit
 * bounds the memory that lists can take whose author is somebody else than the composer.
 */
const MOST_CHUNKS = 100_000
/** Lists that are read at a time. */
const READ_AT_A_TIME = 16

export type Chunk = { readonly sha256: string; readonly bytes: number }

/** The memory of a list. */
export type KnownList = {
  readonly sha256: string
  readonly artifact: string
  /** Each chunk once. */
  readonly chunks: readonly Chunk[]
}

/** Why lists cannot be used, by their hashes. */
export type UnusableLists = ReadonlyMap<string, UnusablePieceError>

export class PieceLists {
  #known = new Map<string, KnownList>()
  /** Lists that would be the same if they were read again. */
  #refused = new Map<string, UnusablePieceError>()

  /**
   * Returns the lists of these references, in this order, and reads those that are not known yet. Forgets all
   * others. One call at a time.
   */
  async of(
    references: Iterable<PieceReference>,
    reader: PieceReader,
  ): Promise<{ readonly lists: readonly KnownList[]; readonly unusable: UnusableLists }> {
    const wanted = new Map([...references].map(({ artifact, pieces }) => [pieces, artifact]))
    this.#known = only(this.#known, wanted)
    this.#refused = only(this.#refused, wanted)
    const unusable = new Map(await this.#readAll(wanted.keys(), reader))
    for (const [sha256, error] of this.#refused) unusable.set(sha256, error)
    const lists: KnownList[] = []
    for (const [sha256, artifact] of wanted) {
      const list = this.#known.get(sha256)
      if (list?.artifact === artifact) lists.push(list)
      else if (list !== undefined) unusable.set(sha256, ofAnother(list, artifact))
    }
    return { lists, unusable }
  }

  get isEmpty(): boolean {
    return this.#known.size === 0 && this.#refused.size === 0
  }

  /** Notes that a list is not what it says. */
  refuse(sha256: string, error: UnusablePieceError): void {
    if (this.#known.delete(sha256)) this.#refused.set(sha256, error)
  }

  /** Has refused lists read again, since the store may have been repaired. */
  forgetRefused(): void {
    this.#refused.clear()
  }

  async #readAll(sha256s: Iterable<string>, reader: PieceReader): Promise<UnusableLists> {
    const unread = [...sha256s].filter((sha256) => !this.#known.has(sha256) && !this.#refused.has(sha256))
    const unusable = new Map<string, UnusablePieceError>()
    const chunks = new SharedChunks(this.#known.values())
    const read = async (sha256: string): Promise<void> => {
      try {
        this.#known.set(sha256, chunks.remembered(sha256, await reader.list(sha256)))
      } catch (error) {
        if (!(error instanceof UnusablePieceError)) throw error
        ;(error.lasts ? this.#refused : unusable).set(sha256, error)
      }
    }
    for (let from = 0; from < unread.length; from += READ_AT_A_TIME)
      await Promise.all(unread.slice(from, from + READ_AT_A_TIME).map(read))
    return unusable
  }
}

/** Has one object for each chunk, however many lists name it. */
class SharedChunks {
  readonly #chunks = new Map<string, Chunk>()
  /** The sum over all lists. */
  #count = 0

  constructor(lists: Iterable<KnownList>) {
    for (const { chunks } of lists) {
      for (const chunk of chunks) this.#chunks.set(chunk.sha256, chunk)
      this.#count += chunks.length
    }
  }

  /** Throws UnusablePieceError. */
  remembered(sha256: string, { artifact, chunks }: PieceList): KnownList {
    const own = new Map<string, Chunk>()
    for (const chunk of chunks) {
      const { bytes } = own.get(chunk.sha256) ?? chunk
      if (bytes !== chunk.bytes) throw unusable(sha256, `gives two sizes of the chunk ${chunk.sha256}`)
      own.set(chunk.sha256, this.#shared(chunk))
    }
    if (this.#count + own.size > MOST_CHUNKS)
      throw unusable(sha256, `and others of the graph name more than ${MOST_CHUNKS} chunks together`)
    this.#count += own.size
    return { sha256, artifact, chunks: [...own.values()] }
  }

  #shared(chunk: Chunk): Chunk {
    const shared = this.#chunks.get(chunk.sha256)
    if (shared?.bytes === chunk.bytes) return shared
    this.#chunks.set(chunk.sha256, chunk)
    return chunk
  }
}

function ofAnother({ sha256, artifact }: KnownList, expected: string): UnusablePieceError {
  return unusable(sha256, `is that of the artifact ${artifact}, expected ${expected}`)
}

function unusable(sha256: string, problem: string): UnusablePieceError {
  return new UnusablePieceError(`the list ${sha256} ${problem}`, { lasts: true })
}

function only<Value>(
  values: ReadonlyMap<string, Value>,
  wanted: ReadonlyMap<string, unknown>,
): Map<string, Value> {
  return new Map([...values].filter(([sha256]) => wanted.has(sha256)))
}
