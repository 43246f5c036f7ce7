/** What becomes of requests while the buckets that routers share cannot be asked. */
import type { Buckets, Draw, Waits } from './buckets.ts'

/** Told once when they cannot be asked, and once when they can again. */
export type BucketsWatcher = {
  away(reason: string): void
  back(): void
}

/** What is done instead: `deny` refuses everybody, `memory` counts in this process. */
export type OnFailure = 'allow' | 'deny' | 'memory'

/** Failures in a row after which nobody waits for an answer any more. */
const TRIES = 3
/** Milliseconds after which one request tries again. */
const RETRY_AFTER = 1000

/** No limit can be looked up, and the settings say that nobody is served then. */
export class NoBucketsError extends Error {
  override readonly name = 'NoBucketsError'
}

type Options = {
  readonly shared: Buckets
  /** Asked where `onFailure` is `memory`. */
  readonly own: Buckets
  readonly onFailure: OnFailure
  readonly watcher: BucketsWatcher
  readonly now?: () => number
}

/** Asks the shared buckets, and does without them while they fail. */
export class FailingBuckets implements Buckets {
  readonly #options: Options
  readonly #now: () => number
  #failures = 0
  #retryAt = 0

  constructor(options: Options) {
    this.#options = options
    this.#now = options.now ?? (() => performance.now())
  }

  /** Throws, or rejects with, NoBucketsError. */
  take(draws: readonly Draw[]): Waits | Promise<Waits> {
    if (this.#failures < TRIES) return this.#ask(draws)
    const now = this.#now()
    if (now < this.#retryAt) return this.#without(draws)
    // One tries for all.
    this.#retryAt = now + RETRY_AFTER
    return this.#ask(draws)
  }

  async #ask(draws: readonly Draw[]): Promise<Waits> {
    try {
      const waits = await this.#options.shared.take(draws)
      if (this.#failures >= TRIES) this.#options.watcher.back()
      this.#failures = 0
      return waits
    } catch (error) {
      if (++this.#failures === TRIES) {
        this.#retryAt = this.#now() + RETRY_AFTER
        this.#options.watcher.away(error instanceof Error ? error.message : String(error))
      }
      return this.#without(draws)
    }
  }

  #without(draws: readonly Draw[]): Waits | Promise<Waits> {
    const { onFailure, own } = this.#options
    if (onFailure === 'deny') throw new NoBucketsError('the limits cannot be looked up')
    return onFailure === 'memory' ? own.take(draws) : draws.map(() => 0)
  }
}
