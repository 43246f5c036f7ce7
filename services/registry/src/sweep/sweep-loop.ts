/** Sweeps a store after each interval, and sooner if nothing could be removed. */
import { setTimeout as sleep } from 'node:timers/promises'
import { messageOf } from '@switchyard/values'
import type { BlobReferences } from '../reading/blob-references.ts'
import type { SweepEvents } from './sweep-events.ts'
import type { UnnamedBlobsOptions } from './unnamed-blobs.ts'

/** Milliseconds after a sweep that was not possible. */
const RETRY_MS = 60_000

export interface Sweep {
  /** The things that are removed, as messages name them. */
  readonly swept: string
  /** Returns why nothing could be removed, or null. It may throw as well. */
  run(signal: AbortSignal): Promise<string | null>
}

export type SweepOptions = Omit<UnnamedBlobsOptions, 'store'> & {
  readonly references: BlobReferences
  /** The readers of all logs, which fill `references`. */
  readonly folds: readonly SweptFold[]
}

export type SweptFold = {
  readonly stopReason: string | null
  /** Resolves when every record was applied that was acknowledged before the call. */
  everythingCaughtUp(): Promise<void>
}

export class SweepLoop implements AsyncDisposable {
  readonly #stop = new AbortController()
  readonly #run: Promise<void>

  constructor(sweep: Sweep, events: SweepEvents, intervalMs: number) {
    this.#run = this.#work(sweep, events, intervalMs)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort()
    await this.#run
  }

  async #work(sweep: Sweep, events: SweepEvents, intervalMs: number): Promise<void> {
    const { signal } = this.#stop
    let told: string | null = null
    while (!signal.aborted) {
      const problem = await sweep.run(signal).catch(messageOf)
      if (problem !== null && problem !== told && !signal.aborted) events.sweepPostponed(sweep.swept, problem)
      told = problem
      const pause = problem === null ? intervalMs : Math.min(intervalMs, RETRY_MS)
      await sleep(pause, undefined, { signal, ref: false }).catch(() => {})
    }
  }
}

/**
 * Waits until all records were read that are in the logs now. Returns why that is not possible, or null.
 */
export async function readToTheEnd(folds: readonly SweptFold[]): Promise<string | null> {
  await Promise.all(folds.map((fold) => fold.everythingCaughtUp()))
  return folds.find(({ stopReason }) => stopReason !== null)?.stopReason ?? null
}
