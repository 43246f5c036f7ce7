/**
 * The state of one address of a subgraph that has several: how many calls it has in progress, and whether it
 * failed lately. All compositions that call the address share it.
 */
import type { AddressEvents } from './events.ts'
import type { CallResult } from '../circuit/circuit-breaker.ts'

/**
 * Milliseconds for which an address is set aside after its first failure. They double with each further one.
 */
const FIRST_MS = 500
const MOST_MS = 30_000

/** Counts the calls of one address. */
export class AddressState implements Disposable {
  readonly #events: AddressEvents
  readonly #now: () => number
  #active = 0
  /** Failures in a row since the address last answered. */
  #failures = 0
  #asideUntil = 0

  /** `now` returns the milliseconds of a clock that never goes back. */
  constructor(events: AddressEvents, now: () => number = () => performance.now()) {
    this.#events = events
    this.#now = now
  }

  /** Calls in progress. */
  get active(): number {
    return this.#active
  }

  /**
   * True if other addresses are preferred. Once its time is over, an address gets one call at a time until
   * one of them is answered.
   */
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
    // Calls that began together fail together; only the first failure makes the wait longer.
    if (this.#failures > 0 && this.#now() < this.#asideUntil) return
    const milliseconds = Math.min(MOST_MS, FIRST_MS * 2 ** Math.min(this.#failures, 10))
    this.#asideUntil = this.#now() + milliseconds
    this.#events.setAside(milliseconds, ++this.#failures)
  }

  /** Called when no composition calls the address any more. */
  [Symbol.dispose](): void {
    if (this.#failures > 0) this.#events.forgotten()
  }
}
