/**
 * What is known of one address of a subgraph that has several: how many calls it has in progress, and whether
 * it failed lately. Shared by all compositions that call it.
 */
import type { AddressEvents } from './events.ts'
import type { CallResult } from '../circuit/circuit-breaker.ts'

/** After the first failure, in milliseconds; it doubles with each further one. */
const FIRST_MS = 500
const MOST_MS = 30_000

/** Counts the calls of one address. */
export class AddressState implements Disposable {
  readonly #events: AddressEvents
  readonly #now: () => number
  #active = 0
  /** Failures since it last answered. */
  #failures = 0
  #asideUntil = 0

  /** `now`: milliseconds of a clock that never goes back. */
  constructor(events: AddressEvents, now: () => number = () => performance.now()) {
    this.#events = events
    this.#now = now
  }

  /** Calls in progress. */
  get active(): number {
    return this.#active
  }

  /** Others are preferred. When its time is over, one call after the other finds out whether it is well. */
  get isAside(): boolean {
    if (this.#failures === 0) return false
    return this.#now() < this.#asideUntil || this.#active > 0
  }

  began(): void {
    this.#active++
  }

  ended(result: CallResult): void {
    this.#active--
    if (result === 'unknown') return
    if (result === 'answered') {
      if (this.#failures > 0) this.#events.back()
      this.#failures = 0
      return
    }
    // Calls that began together fail together, which is no reason to wait for longer.
    if (this.#failures > 0 && this.#now() < this.#asideUntil) return
    const milliseconds = Math.min(MOST_MS, FIRST_MS * 2 ** Math.min(this.#failures, 10))
    this.#asideUntil = this.#now() + milliseconds
    this.#events.setAside(milliseconds, ++this.#failures)
  }

  /** No composition calls it any more. */
  [Symbol.dispose](): void {
    if (this.#failures > 0) this.#events.forgotten()
  }
}
