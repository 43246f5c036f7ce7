/** Counts how many of the last calls failed. Time is cut into slices, of which the oldest are forgotten. */

const SLICES = 10

/** Calls and failures within a window of time. */
export class RollingRate {
  readonly #width: number
  readonly #calls = Array.from({ length: SLICES }, () => 0)
  readonly #failures = Array.from({ length: SLICES }, () => 0)
  /** Number of the newest slice since the clock began. */
  #newest = 0

  /** `window` is in milliseconds. */
  constructor(window: number) {
    this.#width = window / SLICES
  }

  /** Counts a call. `now` is in milliseconds, and never less than before. */
  add(failed: boolean, now: number): void {
    this.#forget(now)
    const slot = this.#newest % SLICES
    this.#calls[slot] = (this.#calls[slot] ?? 0) + 1
    if (failed) this.#failures[slot] = (this.#failures[slot] ?? 0) + 1
  }

  within(now: number): { readonly calls: number; readonly failures: number } {
    this.#forget(now)
    return { calls: sum(this.#calls), failures: sum(this.#failures) }
  }

  clear(): void {
    this.#calls.fill(0)
    this.#failures.fill(0)
  }

  #forget(now: number): void {
    const slice = Math.floor(now / this.#width)
    const passed = Math.min(SLICES, slice - this.#newest)
    for (let behind = 0; behind < passed; behind++) {
      this.#calls[(slice - behind) % SLICES] = 0
      this.#failures[(slice - behind) % SLICES] = 0
    }
    this.#newest = slice
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, number) => all + number, 0)
}
