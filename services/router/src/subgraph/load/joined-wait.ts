import type { Clock } from './clock.ts'
import { loadDuration, type LoadTimes, sinceStart } from './load-times.ts'

/**
 * Observes a fetch that waits for the call of another one. What happens to that call is not noted: it belongs
 * to the fetch that began it, and much of it was over before.
 */
export class JoinedWait {
  readonly #now: Clock
  readonly #began: number
  #ended: number | null = null
  /** What failed is the call of another fetch. */
  readonly failure = null

  constructor(now: Clock) {
    this.#now = now
    this.#began = now()
  }

  /** It has its answer, or waits no longer. */
  end(): void {
    this.#ended ??= this.#now()
  }

  /** In time since the start of the request, by the same clock. */
  times(start: number): Omit<LoadTimes, 'load_stats'> {
    return { ...sinceStart(this.#began, start), ...loadDuration(this.#began, this.#ended ?? this.#now()) }
  }
}
