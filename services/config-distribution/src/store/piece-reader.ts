/** Reads lists and chunks of artifacts in pieces from the log's storage. */
import { type PieceList, parsePieceList } from '@switchyard/contracts/artifact-pieces'
import {
  BlobCorruptedError,
  type BlobStore,
  StorageError,
  StorageUnavailableError,
} from '@switchyard/event-log'
import { messageOf } from '@switchyard/values'

/** Characters of what is wrong with a list that somebody else wrote. */
const MAX_REASON = 500
/** Bytes of lists that are kept for those who put them after they were read: hundreds of usual lists. */
const MAX_KEPT_BYTES = 8 * 1024 * 1024

/** A list, or a chunk of it, is missing, or is not what it is named by. */
export class UnusablePieceError extends Error {
  override readonly name = 'UnusablePieceError'
  /** True if it would be the same when it was read again, so that it is not read again soon. */
  readonly lasts: boolean

  constructor(problem: string, { lasts, cause }: { readonly lasts: boolean; readonly cause?: unknown }) {
    super(problem, { cause })
    this.lasts = lasts
  }
}

/**
 * Reads pieces for one purpose, such as a publication. Once the store turned out not to be available it is
 * not asked again, so that each of hundreds of pieces does not take the time in which it does not answer.
 */
export class PieceReader {
  readonly #pieces: Pick<BlobStore, 'get' | 'has'>
  readonly #signal: AbortSignal
  /** Lists that were read, by hash. */
  readonly #kept = new Map<string, Uint8Array>()
  #keptBytes = 0
  #outage: UnusablePieceError | null = null

  /** Nothing more is read when the signal aborts. */
  constructor(pieces: Pick<BlobStore, 'get' | 'has'>, signal: AbortSignal) {
    this.#pieces = pieces
    this.#signal = signal
  }

  /** Rejects with UnusablePieceError. */
  async list(sha256: string): Promise<PieceList> {
    const bytes = await this.bytes(sha256)
    try {
      const list = parsePieceList(bytes)
      this.#keep(sha256, bytes)
      return list
    } catch (error) {
      // Without the cause: whoever wrote the list decides how much there is to say about it.
      const reason = messageOf(error).slice(0, MAX_REASON)
      throw new UnusablePieceError(`the list ${sha256} cannot be used: ${reason}`, { lasts: true })
    }
  }

  /** Rejects with UnusablePieceError. */
  async bytes(sha256: string): Promise<Uint8Array> {
    const kept = this.#kept.get(sha256)
    if (kept !== undefined) return kept
    if (this.#outage !== null) throw this.#outage
    if (this.#signal.aborted) throw new UnusablePieceError('the service stops', { lasts: false })
    try {
      // A blob that is missing is waited for by `get`.
      if (await this.#pieces.has(sha256)) return await this.#pieces.get(sha256)
    } catch (error) {
      throw this.#unusable(error)
    }
    throw new UnusablePieceError(`the piece ${sha256} is not in the blob store`, { lasts: false })
  }

  #keep(sha256: string, bytes: Uint8Array): void {
    if (this.#keptBytes + bytes.length > MAX_KEPT_BYTES) return
    this.#kept.set(sha256, bytes)
    this.#keptBytes += bytes.length
  }

  #unusable(error: unknown): unknown {
    if (!(error instanceof StorageError)) return error
    const lasts = error instanceof BlobCorruptedError
    const unusable = new UnusablePieceError(error.message, { lasts, cause: error })
    if (!(error instanceof StorageUnavailableError)) return unusable
    this.#outage ??= unusable
    return this.#outage
  }
}
