/** Who was heard lately, and with what, by this process's monotonic clock: clocks of others are not asked. */
import { ALIVE_WITHIN_MS } from '@switchyard/contracts'

export type HeardOptions = {
  /** Whoever is silent for longer is forgotten. */
  readonly keptMs?: number
  /** Monotonic milliseconds. */
  readonly monotonicNow?: () => number
}

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
  readonly #entries = new Map<string, { readonly value: Value; readonly at: number }>()

  constructor({ keptMs = ALIVE_WITHIN_MS, monotonicNow = () => performance.now() }: HeardOptions = {}) {
    this.#keptMs = keptMs
    this.#now = monotonicNow
  }

  hear(key: string, value: Value): void {
    this.#forgetSilent()
    this.#entries.set(key, { value, at: this.#now() })
  }

  forget(key: string): void {
    this.#entries.delete(key)
  }

  /** What was heard last, unless it is forgotten. */
  get(key: string): Value | undefined {
    this.#forgetSilent()
    return this.#entries.get(key)?.value
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
    for (const [key, { at }] of this.#entries) if (now - at > this.#keptMs) this.#entries.delete(key)
  }
}
