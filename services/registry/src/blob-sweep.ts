/**
 * Removes blobs that no record names: what was put for a record that was then refused, lost a race, or never
 * written.
 *
 * A blob is put before the record that names it, so one that is young may still get its record; `put` makes
 * an old blob young again, and removing asks for the age once more. What is old was put before this sweep
 * began, hence its record, if there is one, is in the logs as they are now: all of them are read to their end
 * first, or nothing is removed.
 *
 * The age is what the clocks of two machines say, and either may be wrong by days. So a blob must also have
 * been without a name in every sweep of this process for hours of its monotonic time: a wrong clock removes
 * nothing that still waits for its record.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { BlobStore } from '@switchyard/event-log'
import { reasonOf } from '@switchyard/service-kit'
import type { BlobReferences } from './reading/blob-references.ts'
import type { RegistryEvents } from './events.ts'
import { IMPORT_MARKER_SHA256 } from './transfer/import-state.ts'

/** Far longer than any writer takes from putting a blob to writing its record. */
const KEPT_UNNAMED_MS = 24 * 60 * 60 * 1000
/** Monotonic; longer than any writer takes, too. */
const SEEN_UNNAMED_MS = 2 * 60 * 60 * 1000
/** After a sweep that was not possible. */
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

/** `since`: monotonic. A blob that is put again has another `storedAt`. */
type UnnamedBlob = { readonly storedAt: number; readonly since: number }

export class BlobSweep implements AsyncDisposable {
  readonly #options: BlobSweepOptions
  readonly #stop = new AbortController()
  readonly #run: Promise<void>
  /** Blobs that the last sweep found without a name, and since when they are. */
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
      const problem = await this.#sweep().catch(reasonOf)
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
