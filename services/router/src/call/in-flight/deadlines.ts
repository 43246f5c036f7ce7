/**
 * Time limits of subgraph calls, on one interval for all of them instead of a timer each. A limit fires at
 * most one tick late, never early; nothing runs while no call is in progress.
 */

/** Something that is given up when it takes too long, such as a call of a subgraph. */
export interface Expiring {
  /** The time is over. Called at most once for each `add`, and never after `cancel`. */
  expire(): void
}

const TICK_MS = 25

/** Ends calls whose time is over, with one timer for all of them. */
export class Deadlines implements Disposable {
  readonly #due = new Map<number, Set<Expiring>>()
  readonly #now: () => number
  #timer: NodeJS.Timeout | null = null
  #lastTick = 0
  #size = 0

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** `expiring` is told in so many milliseconds that its time is over. Returns the ticket for `cancel`. */
  add(expiring: Expiring, milliseconds: number): number {
    const tick = Math.ceil((this.#now() + milliseconds) / TICK_MS)
    const waiting = this.#due.get(tick)
    if (waiting === undefined) this.#due.set(tick, new Set([expiring]))
    else waiting.add(expiring)
    this.#size++
    if (this.#timer === null) {
      this.#lastTick = Math.floor(this.#now() / TICK_MS)
      this.#timer = setInterval(() => this.#advance(), TICK_MS).unref()
    }
    return tick
  }

  cancel(expiring: Expiring, ticket: number): void {
    const waiting = this.#due.get(ticket)
    if (waiting?.delete(expiring) !== true) return
    this.#size--
    if (waiting.size === 0) this.#due.delete(ticket)
  }

  #advance(): void {
    const current = Math.floor(this.#now() / TICK_MS)
    for (let tick = this.#lastTick; tick <= current; tick++) {
      const waiting = this.#due.get(tick)
      if (waiting === undefined) continue
      this.#due.delete(tick)
      this.#size -= waiting.size
      for (const expiring of waiting) expiring.expire()
    }
    this.#lastTick = current
    if (this.#size === 0) this.#stop()
  }

  #stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer)
    this.#timer = null
  }

  [Symbol.dispose](): void {
    this.#stop()
    this.#due.clear()
    this.#size = 0
  }
}
