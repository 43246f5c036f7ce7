/**
 * Stores artifacts in pieces. Where that fails they are stored as a whole, so that a store of pieces that
 * cannot be used costs speed, and no composition.
 */
import type { ArtifactPieces } from '@switchyard/composition'
import { type BlobStore, StorageError } from '@switchyard/event-log'

/**
 * Milliseconds for which a chunk that was put counts as young: far less than the least age of a chunk that is
 * swept.
 */
const YOUNG_FOR_MS = 30 * 60 * 1000
/** Chunks that are remembered, of graphs of 5 MB some 200 each. */
const MOST_REMEMBERED = 100_000

export type StoredPiecesOptions = {
  readonly pieces: BlobStore
  readonly onFailed: (error: StorageError) => void
  readonly monotonicNow?: () => number
}

export class StoredPieces {
  readonly #pieces: BlobStore
  readonly #onFailed: (error: StorageError) => void
  readonly #monotonicNow: () => number
  /** When each chunk was put last, the oldest first. */
  readonly #putAt = new Map<string, number>()

  constructor({ pieces, onFailed, monotonicNow = () => performance.now() }: StoredPiecesOptions) {
    this.#pieces = pieces
    this.#onFailed = onFailed
    this.#monotonicNow = monotonicNow
  }

  /**
   * Stores chunks that were not put lately, and after them the list, so that a list is there only with its
   * chunks. Returns the hash of the list; null if there is none, or it cannot be stored. `evenYoung` puts all
   * chunks, for a composition that is stored in no other form.
   */
  async put(
    artifact: ArtifactPieces | null,
    { evenYoung = false }: { readonly evenYoung?: boolean } = {},
  ): Promise<string | null> {
    if (artifact === null) return null
    try {
      const now = this.#monotonicNow()
      const old = artifact.chunks.filter(({ sha256 }) => evenYoung || !this.#isYoung(sha256, now))
      await this.#pieces.putAll(old.map(({ bytes }) => bytes))
      for (const { sha256 } of old) this.#remember(sha256, now)
      return await this.#pieces.put(artifact.list)
    } catch (error) {
      if (!(error instanceof StorageError)) throw error
      this.#putAt.clear()
      this.#onFailed(error)
      return null
    }
  }

  /** Whether the list is there. False, too, if the store cannot be asked. */
  async has(list: string): Promise<boolean> {
    try {
      return await this.#pieces.has(list)
    } catch (error) {
      if (error instanceof StorageError) return false
      throw error
    }
  }

  #isYoung(sha256: string, now: number): boolean {
    const at = this.#putAt.get(sha256)
    return at !== undefined && now - at < YOUNG_FOR_MS
  }

  #remember(sha256: string, now: number): void {
    this.#putAt.delete(sha256)
    this.#putAt.set(sha256, now)
    if (this.#putAt.size <= MOST_REMEMBERED) return
    for (const oldest of this.#putAt.keys()) {
      this.#putAt.delete(oldest)
      return
    }
  }
}
