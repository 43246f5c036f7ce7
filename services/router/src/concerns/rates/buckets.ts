/**
 * Token buckets, one for each key of a limit: they refill at an even pace, and requests take from them.
 *
 * Only one time is stored, at which the bucket will be full again ("theoretical arrival time", generic cell
 * rate algorithm, ITU-T I.371). So a bucket takes no work while nobody asks, and a full one need not be
 * remembered at all.
 */

/** The amount that one request takes from one bucket. */
export type Draw = {
  readonly key: string
  /** Milliseconds in which one unit is refilled. */
  readonly interval: number
  /** Units that the bucket holds. */
  readonly burst: number
  /** Units that are taken. */
  readonly amount: number
  /**
   * Whether the request is refused if this bucket has too little. A limit that is not enforced only counts.
   */
  readonly isEnforced: boolean
}

/**
 * Milliseconds for each draw until the bucket holds enough. 0 means that it did; infinite means that it never
 * holds so much.
 */
export type Waits = readonly number[]

/** Keeps buckets. */
export interface Buckets {
  /** Takes from all of them, or from none if one that is enforced has too little. */
  take(draws: readonly Draw[]): Waits | Promise<Waits>
}

/** Difference in milliseconds below which two times are the same, since times are sums of fractions. */
const EXACT = 1e-6
/**
 * Buckets that are forgotten at a time: a few milliseconds. Fewer would take longer altogether, since a `Map`
 * looks each time at the places of all that it has just forgotten.
 */
const MOST_FORGOTTEN = 20_000

/** Buckets in the memory of this process. */
export class MemoryBuckets implements Buckets {
  readonly #fullAt = new Map<string, number>()
  readonly #most: number
  readonly #now: () => number

  /**
   * `most`: buckets that are remembered. Beyond them the one that was used longest ago is forgotten.
   */
  constructor(most: number, now: () => number = () => performance.now()) {
    this.#most = most
    this.#now = now
  }

  take(draws: readonly Draw[]): Waits {
    const now = this.#now()
    const waits = draws.map((draw) => this.#wait(draw, now))
    if (draws.some(({ isEnforced }, index) => isEnforced && waits[index] !== 0)) return waits
    for (const [index, { key, interval, amount }] of draws.entries()) {
      if (waits[index] !== 0) continue
      const fullAt = Math.max(this.#fullAt.get(key) ?? 0, now) + amount * interval
      this.#fullAt.delete(key)
      this.#fullAt.set(key, fullAt)
    }
    this.#forget(now)
    return waits
  }

  get size(): number {
    return this.#fullAt.size
  }

  #wait({ key, interval, burst, amount }: Draw, now: number): number {
    if (amount > burst) return Number.POSITIVE_INFINITY
    const fullAt = Math.max(this.#fullAt.get(key) ?? 0, now)
    const wait = fullAt + amount * interval - now - burst * interval
    return wait > EXACT ? wait : 0
  }

  /** Those at the beginning were used longest ago. Many may be full at once, and requests wait meanwhile. */
  #forget(now: number): void {
    let left = MOST_FORGOTTEN
    for (const [key, fullAt] of this.#fullAt) {
      if (left-- === 0 || (fullAt > now && this.#fullAt.size <= this.#most)) return
      this.#fullAt.delete(key)
    }
  }
}
