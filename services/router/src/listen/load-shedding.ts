/**
 * Refuses a part of the requests while the event loop is late. Each request that begins then makes all others
 * wait longer, and an answer that comes too late is worth nothing.
 *
 * The part grows for as long as the loop is late and shrinks when it is not, each step a few percent. So it
 * settles where the loop is as late as is allowed, and one long turn by itself refuses almost nobody.
 */

/** How often the delay is measured. Milliseconds. */
const EVERY = 100
/** The weight of a measurement; earlier ones have the rest. */
const WEIGHT = 0.5
const UP = 0.05
const DOWN = 0.02
/**
 * The largest part of the requests that is refused. Some are always accepted, because a router that refuses
 * everybody looks as if it were gone.
 */
const MOST = 0.95

/** Is told when requests begin to be refused, and when that is over. */
export type SheddingWatcher = {
  /** Requests are refused from now on. `delay` is in milliseconds. */
  shedding(delay: number): void
  /** No more requests are refused. `refused` counts those that were since `shedding`. */
  over(refused: number): void
}

type Options = {
  /** Milliseconds that a timer may be late. */
  readonly maxDelay: number
  readonly watcher: SheddingWatcher
  /** Returns a number from 0 up to, but not including, 1. */
  readonly random?: () => number
}

/** Measures how late the event loop is, and refuses requests by it. */
export class LoadShedding implements Disposable {
  readonly #options: Options
  readonly #random: () => number
  readonly #timer: NodeJS.Timeout
  #due = performance.now() + EVERY
  #delay = 0
  #share = 0
  #refused = 0

  constructor(options: Options) {
    this.#options = options
    this.#random = options.random ?? Math.random
    this.#timer = setInterval(() => {
      const now = performance.now()
      this.measured(Math.max(0, now - this.#due))
      this.#due = now + EVERY
    }, EVERY).unref()
  }

  /** The part of requests that is refused, from 0 to 0.95. */
  get share(): number {
    return this.#share
  }

  /** Decides whether to refuse a request that comes now, and counts it if so. */
  refuses(): boolean {
    if (this.#share === 0 || this.#random() >= this.#share) return false
    this.#refused++
    return true
  }

  /** Takes a measurement into account: the event loop was so many milliseconds late. */
  measured(delay: number): void {
    this.#delay += (delay - this.#delay) * WEIGHT
    const { maxDelay, watcher } = this.#options
    const before = this.#share
    this.#share = this.#delay > maxDelay ? Math.min(MOST, before + UP) : before <= DOWN ? 0 : before - DOWN
    if (before === 0 && this.#share > 0) {
      this.#refused = 0
      watcher.shedding(this.#delay)
    } else if (before > 0 && this.#share === 0) watcher.over(this.#refused)
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer)
    if (this.#share > 0) this.#options.watcher.over(this.#refused)
  }
}
