/**
 * Removes blobs (stored schemas and artifacts) that no record refers to: their record was refused, lost a
 * race, or was never written.
 *
 * A blob is stored before the record that refers to it, so a young blob may still get its record, and storing
 * it again makes an old blob young. An old blob was stored before the sweep began. Its record, if there is
 * one, is in the logs by now: all logs are read to their end first, or nothing is removed.
 *
 * The age compares the clocks of two machines, and either may be wrong by days. So a blob must also have been
 * without a record in every sweep of this process for hours of its monotonic clock. A wrong clock then
 * removes nothing that still waits for its record.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { BlobStore } from '@switchyard/event-log'
import { messageOf } from '@switchyard/values'
import type { BlobReferences } from './reading/blob-references.ts'
import type { RegistryEvents } from './events.ts'
import { IMPORT_MARKER_SHA256 } from './transfer/import-state.ts'

/** Unix time: far longer than any writer takes between storing a blob and writing its record. */
const KEPT_UNNAMED_MS = 24 * 60 * 60 * 1000
/** Monotonic time, which is longer than any writer takes, too. */
const SEEN_UNNAMED_MS = 2 * 60 * 60 * 1000
/** Milliseconds after a sweep that was not possible. */
const RETRY_MS = 60_000

export type BlobSweepOptions = {
  readonly blobs: BlobStore
  readonly references: BlobReferences
  /** The readers of all logs, which fill `references`. */
  readonly folds: readonly SweptFold[]
  readonly events: RegistryEvents
  /** Unix milliseconds. */
  readonly now: () => number
  readonly monotonicNow: () => number
  readonly intervalMs: number
}

export type SweptFold = {
  readonly stopReason: string | null
  /** Resolves when every record was applied that was acknowledged before the call. */
  everythingCaughtUp(): Promise<void>
}

/** A blob that no record names. `since` is monotonic. A blob that is stored again has another `storedAt`. */
type UnnamedBlob = { readonly storedAt: number; readonly since: number }

export class BlobSweep implements AsyncDisposable {
  readonly #options: BlobSweepOptions
  readonly #stop = new AbortController()
  readonly #run: Promise<void>
  /** Blobs that the last sweep found without a record, each with the time since when. */
  #unnamed: ReadonlyMap<string, UnnamedBlob> = new Map()

  constructor(options: BlobSweepOptions) {
    this.#options = options
    this.#run = this.#work()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort()
    await this.#run
  }

  async #work(): Promise<void> {
    const { signal } = this.#stop
    const { events, intervalMs } = this.#options
    let told: string | null = null
    while (!signal.aborted) {
      const problem = await this.#sweep().catch(messageOf)
      if (problem !== null && problem !== told && !signal.aborted) events.sweepPostponed(problem)
      told = problem
      const pause = problem === null ? intervalMs : Math.min(intervalMs, RETRY_MS)
      await sleep(pause, undefined, { signal, ref: false }).catch(() => {})
    }
  }

  /** Why nothing could be removed, or null. */
  async #sweep(): Promise<string | null> {
    const { blobs, folds, references, events, now, monotonicNow } = this.#options
    const storedBefore = now() - KEPT_UNNAMED_MS
    await Promise.all(folds.map((fold) => fold.everythingCaughtUp()))
    const stopped = folds.find(({ stopReason }) => stopReason !== null)
    if (stopped !== undefined) return stopped.stopReason
    const unnamed = new Map<string, UnnamedBlob>()
    for await (const { sha256, storedAt, size } of blobs.list()) {
      if (this.#stop.signal.aborted) return null
      if (references.has(sha256) || sha256 === IMPORT_MARKER_SHA256) continue
      const since = this.#unnamedSince(sha256, storedAt)
      unnamed.set(sha256, { storedAt, since })
      if (storedAt >= storedBefore || monotonicNow() - since < SEEN_UNNAMED_MS) continue
      if (references.size === 0) return 'the logs name no blob at all; they may be about to be restored'
      if (await blobs.delete(sha256, storedBefore)) {
        events.blobSwept(sha256, new Date(storedAt).toISOString(), size)
      }
    }
    this.#unnamed = unnamed
    return null
  }

  #unnamedSince(sha256: string, storedAt: number): number {
    const before = this.#unnamed.get(sha256)
    return before?.storedAt === storedAt ? before.since : this.#options.monotonicNow()
  }
}
