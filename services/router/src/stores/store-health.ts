/** Whether a store that routers share is asked, or done without for a moment because it does not answer. */

/** Called once when the store cannot be reached, and once when it can be again. */
export type StoreWatcher = {
  away(reason: string): void
  back(): void
}

/** Failures in a row after which nobody waits for an answer any more. */
const TRIES = 3
/** Milliseconds after which one request tries again. */
const RETRY_AFTER = 1000

export class StoreHealth {
  readonly #watcher: StoreWatcher
  readonly #now: () => number
  #failures = 0
  #retryAt = 0

  /** `now`: monotonic milliseconds. */
  constructor(watcher: StoreWatcher, now: () => number = () => performance.now()) {
    this.#watcher = watcher
    this.#now = now
  }

  /**
   * True if the caller may ask the store. It must then report the outcome. While the store is away, one
   * caller in a second may ask.
   */
  mayAsk(): boolean {
    if (this.#failures < TRIES) return true
    const now = this.#now()
    if (now < this.#retryAt) return false
    this.#retryAt = now + RETRY_AFTER
    return true
  }

  answered(): void {
    if (this.#failures >= TRIES) this.#watcher.back()
    this.#failures = 0
  }

  failed(error: unknown): void {
    if (++this.#failures !== TRIES) return
    this.#retryAt = this.#now() + RETRY_AFTER
    this.#watcher.away(error instanceof Error ? error.message : String(error))
  }
}
