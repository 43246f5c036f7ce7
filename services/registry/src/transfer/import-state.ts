/**
 * Whether the storage holds half an import.
 *
 * The logs are the only truth, and they cannot tell: a crash in the middle leaves logs that look like those
 * of a smaller registry. So a marker, a blob of fixed bytes, is put before the first record and removed after
 * the last one. While it is there every registry on this storage answers nothing and says why.
 */
import { createHash } from 'node:crypto'
import { problem, ProblemError } from '@switchyard/contracts'
import type { BlobStore, EventLog } from '@switchyard/event-log'
import { LOG_NAMES } from '@switchyard/event-log'

const MARKER = Buffer.from('an import into this registry has begun and is not finished\n')
export const IMPORT_MARKER_SHA256 = createHash('sha256').update(MARKER).digest('hex')

const HALF_IMPORTED =
  'An import into this registry has not finished, so only a part of the data is here. If an import is still running, perhaps at ' +
  'another registry on this storage, wait for it. If not, empty the storage (the data directory, or the NATS streams registry, compositions and configs and ' +
  'the object stores switchyard-blobs and switchyard-pieces) and import the same file again.'

export class ImportState {
  readonly #log: EventLog
  readonly #blobs: BlobStore
  #isImporting = false
  #isMarked = false
  #wasLookedAt = false

  constructor(log: EventLog, blobs: BlobStore) {
    this.#log = log
    this.#blobs = blobs
  }

  /** Why the registry cannot be used, or null. */
  get problem(): string | null {
    if (this.#isImporting) return 'An import is under way.'
    return this.#isMarked ? HALF_IMPORTED : null
  }

  /** Throws when the storage cannot be asked. */
  async refresh(): Promise<void> {
    const isMarked = await this.#blobs.has(IMPORT_MARKER_SHA256)
    if (isMarked && !this.#wasLookedAt && (await this.isEmpty())) await this.clear()
    else this.#isMarked = isMarked
    this.#wasLookedAt = true
  }

  async isEmpty(): Promise<boolean> {
    for (const log of LOG_NAMES) if ((await this.#log.last({ kind: 'log', log })) !== null) return false
    return true
  }

  /** From here on, until it is disposed, this registry answers nothing else. */
  begin(): Disposable {
    if (this.#isImporting) throw new ProblemError(problem('NOT_READY', 'Another import is under way.'))
    this.#isImporting = true
    return { [Symbol.dispose]: () => void (this.#isImporting = false) }
  }

  async mark(): Promise<void> {
    await this.#blobs.put(MARKER)
    this.#isMarked = true
  }

  async clear(): Promise<void> {
    await this.#blobs.delete(IMPORT_MARKER_SHA256)
    this.#isMarked = false
  }
}
