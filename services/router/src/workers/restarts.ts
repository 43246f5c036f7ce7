/**
 * When a worker that came to its end is replaced: at once, as long as that is rare. What clients send, or a
 * config, can end one worker after the other: then the next ones wait longer and longer, so that the machine
 * does not start processes all the time.
 */
const WINDOW_MS = 60_000
const FIRST_DELAY_MS = 500
const LONGEST_DELAY_MS = 30_000

/** The delay before a worker that ended is replaced. */
export type Restart = {
  /** Milliseconds until the worker is to be replaced. */
  readonly delay: number
  /** Ends of workers within the last minute, this one included. */
  readonly ends: number
}

/** Decides how long to wait before a worker is started again. */
export class Restarts {
  /** Each worker may end so often within a minute, on average, and be replaced at once. */
  readonly #atOnce: number
  readonly #now: () => number
  #ends: readonly number[] = []

  /** `now`: monotonic milliseconds. */
  constructor(workers: number, now: () => number = () => performance.now()) {
    this.#atOnce = workers
    this.#now = now
  }

  /** A worker came to an end that nobody asked for. */
  ended(): Restart {
    const now = this.#now()
    // As many as the longest delay lets happen within the window, and those at once: it stays short.
    this.#ends = [...this.#ends.filter((at) => now - at < WINDOW_MS), now]
    const ends = this.#ends.length
    const beyond = ends - this.#atOnce
    if (beyond <= 0) return { delay: 0, ends }
    return { delay: Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (beyond - 1)), ends }
  }
}
