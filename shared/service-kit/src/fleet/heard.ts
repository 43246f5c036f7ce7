/** Who was heard lately, and with what, by this process's monotonic clock: clocks of others are not asked. */
import { ALIVE_WITHIN_MS } from '@switchyard/contracts'

export type HeardOptions = {
  /** The time after which a silent entry is forgotten. */
  readonly keptMs?: number
  /** Monotonic milliseconds. */
  readonly monotonicNow?: () => number
  /**
   * The number of entries that are kept at a time; while there are so many, no new ones are heard. 2000 if
   * not given.
   */
  readonly most?: number
}

const MOST = 2000

export type HeardEntry<Value> = {
  readonly key: string
  readonly value: Value
  readonly ageMs: number
  /** Heard within 15 s. */
  readonly alive: boolean
}

export class Heard<Value> {
  readonly #keptMs: number
  readonly #now: () => number
  readonly #most: number
  /** The entries in the order in which they were last heard. */
  readonly #entries = new Map<string, { readonly value: Value; readonly at: number }>()

  constructor({
    keptMs = ALIVE_WITHIN_MS,
    monotonicNow = () => performance.now(),
    most = MOST,
  }: HeardOptions = {}) {
    this.#most = most
    this.#keptMs = keptMs
    this.#now = monotonicNow
  }

  /**
   * Notes that an entry was heard. Returns false if too many others are known, so that this one is not kept.
   * The known ones stay: a flood of new names drives none of them out.
   */
  hear(key: string, value: Value): boolean {
    this.#forgetSilent()
    if (this.#entries.size >= this.#most && !this.#entries.has(key)) return false
    this.#entries.delete(key)
    this.#entries.set(key, { value, at: this.#now() })
    return true
  }

  forget(key: string): void {
    this.#entries.delete(key)
  }

  /** Returns the value that was heard last, unless it is forgotten. */
  get(key: string): Value | undefined {
    this.#forgetSilent()
    return this.#entries.get(key)?.value
  }

  /** Whether this one was heard within 15 s. */
  isAlive(key: string): boolean {
    const entry = this.#entries.get(key)
    return entry !== undefined && this.#now() - entry.at <= ALIVE_WITHIN_MS
  }

  list(): readonly HeardEntry<Value>[] {
    this.#forgetSilent()
    const now = this.#now()
    return Array.from(this.#entries, ([key, { value, at }]) => ({
      key,
      value,
      ageMs: now - at,
      alive: now - at <= ALIVE_WITHIN_MS,
    }))
  }

  #forgetSilent(): void {
    const now = this.#now()
    for (const [key, { at }] of this.#entries) {
      if (now - at <= this.#keptMs) return
      this.#entries.delete(key)
    }
  }
}
