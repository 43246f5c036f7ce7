/**
 * Removes blobs (stored schemas and artifacts) that no record refers to, by the rules of `unnamed-blobs.ts`.
 */
import type { BlobStore } from '@switchyard/event-log'
import { IMPORT_MARKER_SHA256 } from '../transfer/import-state.ts'
import { readToTheEnd, type Sweep, type SweepOptions } from './sweep-loop.ts'
import { NOTHING_NAMED, UnnamedBlobs } from './unnamed-blobs.ts'

export class BlobSweep implements Sweep {
  readonly swept = 'schemas and artifacts'
  readonly #blobs: BlobStore
  readonly #options: SweepOptions
  readonly #unnamed: UnnamedBlobs

  constructor(blobs: BlobStore, options: SweepOptions) {
    this.#blobs = blobs
    this.#options = options
    this.#unnamed = new UnnamedBlobs({ ...options, store: blobs })
  }

  async run(signal: AbortSignal): Promise<string | null> {
    const { references, folds } = this.#options
    const unnamed = this.#unnamed.begin()
    const unread = await readToTheEnd(folds)
    if (unread !== null) return unread
    for await (const blob of this.#blobs.list()) {
      if (signal.aborted) return null
      if (references.has(blob.sha256) || blob.sha256 === IMPORT_MARKER_SHA256) continue
      if (!unnamed.isDue(blob)) continue
      if (references.size === 0) return NOTHING_NAMED
      await unnamed.remove(blob)
    }
    unnamed.end()
    return null
  }
}
