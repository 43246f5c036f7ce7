/**
 * When a blob may be removed that no record names: its record was refused, lost a race, or was never written.
 *
 * A blob is stored before the record that refers to it, so a young blob may still get its record, and storing
 * it again makes an old blob young. An old blob was stored before the sweep began. Its record, if there is
 * one, is in the logs by now: all logs are read to their end first, or nothing is removed.
 *
 * The age compares the clocks of two machines, and either may be wrong by days. So a blob must also have been
 * without a record in every sweep of this process for hours of its monotonic clock. A wrong clock then
 * removes nothing that still waits for its record.
 */
import type { BlobStore } from '@switchyard/event-log'
import type { SweepEvents } from './sweep-events.ts'

/** Unix time: far longer than any writer takes between storing a blob and writing its record. */
const KEPT_UNNAMED_MS = 24 * 60 * 60 * 1000
/** Monotonic time, which is longer than any writer takes, too. */
export const SEEN_UNNAMED_MS = 2 * 60 * 60 * 1000

export const NOTHING_NAMED = 'the logs name no blob at all; they may be about to be restored'

export type UnnamedBlobsOptions = {
  readonly store: BlobStore
  readonly events: SweepEvents
  /** Unix milliseconds. */
  readonly now: () => number
  readonly monotonicNow: () => number
}

export type StoredBlob = { readonly sha256: string; readonly storedAt: number; readonly size: number }

/** A blob that no record names. `since` is monotonic. A blob that is stored again has another `storedAt`. */
type UnnamedBlob = { readonly storedAt: number; readonly since: number }

/** The view of one sweep. All times are compared with those of its beginning. */
export type UnnamedBlobsOfSweep = {
  /** Monotonic time. */
  readonly began: number
  /** Notes that nothing names the blob. Returns whether it has been so for long enough. */
  isDue(blob: StoredBlob): boolean
  /** Removes the blob, unless it was stored again since it was listed. */
  remove(blob: StoredBlob): Promise<void>
  /** To be called when all blobs of the store were seen. */
  end(): void
}

export class UnnamedBlobs {
  readonly #options: UnnamedBlobsOptions
  /** Blobs that the last sweep found without a record, each with the time since when. */
  #last: ReadonlyMap<string, UnnamedBlob> = new Map()

  constructor(options: UnnamedBlobsOptions) {
    this.#options = options
  }

  /** To be called before the logs are read. */
  begin(): UnnamedBlobsOfSweep {
    const { store, events, now, monotonicNow } = this.#options
    const began = monotonicNow()
    const storedBefore = now() - KEPT_UNNAMED_MS
    const found = new Map<string, UnnamedBlob>()
    return {
      began,
      isDue: ({ sha256, storedAt }) => {
        const before = this.#last.get(sha256)
        const since = before?.storedAt === storedAt ? before.since : monotonicNow()
        found.set(sha256, { storedAt, since })
        return storedAt < storedBefore && began - since >= SEEN_UNNAMED_MS
      },
      async remove({ sha256, storedAt, size }) {
        if (await store.delete(sha256, storedBefore))
          events.blobSwept(sha256, new Date(storedAt).toISOString(), size)
      },
      end: () => {
        this.#last = found
      },
    }
  }
}
