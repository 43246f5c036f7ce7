/** Decides about requests while the buckets that routers share cannot be reached. */
import { StoreHealth, type StoreWatcher } from '../../stores/store-health.ts'
import type { Buckets, Draw, Waits } from './buckets.ts'

/**
 * The treatment of requests meanwhile: `allow` admits all, `deny` refuses all, `memory` counts in this
 * process.
 */
export type OnFailure = 'allow' | 'deny' | 'memory'

/** No limit can be looked up, and the settings say that nobody is served then. */
export class NoBucketsError extends Error {
  override readonly name = 'NoBucketsError'
}

type Options = {
  readonly shared: Buckets
  /** The buckets of this process, used if `onFailure` is `memory`. */
  readonly own: Buckets
  readonly onFailure: OnFailure
  readonly watcher: StoreWatcher
  readonly now?: () => number
}

/** Asks the shared buckets, and does without them while they fail. */
export class FailingBuckets implements Buckets {
  readonly #options: Options
  readonly #health: StoreHealth

  constructor(options: Options) {
    this.#options = options
    this.#health = new StoreHealth(options.watcher, options.now)
  }

  /** Throws, or rejects with, NoBucketsError. */
  take(draws: readonly Draw[]): Waits | Promise<Waits> {
    return this.#health.mayAsk() ? this.#ask(draws) : this.#without(draws)
  }

  async #ask(draws: readonly Draw[]): Promise<Waits> {
    try {
      const waits = await this.#options.shared.take(draws)
      this.#health.answered()
      return waits
    } catch (error) {
      this.#health.failed(error)
      return this.#without(draws)
    }
  }

  #without(draws: readonly Draw[]): Waits | Promise<Waits> {
    const { onFailure, own } = this.#options
    if (onFailure === 'deny') throw new NoBucketsError('the limits cannot be looked up')
    return onFailure === 'memory' ? own.take(draws) : draws.map(() => 0)
  }
}
