import type { Clock } from './clock.ts'
import { loadDuration, type LoadTimes, sinceStart } from './load-times.ts'

/**
 * Observes a fetch that waits for the call of another one. It does not note what happens to that call, which
 * belongs to the fetch that began it and was partly over when this fetch joined.
 */
export class JoinedWait {
  readonly #now: Clock
  readonly #began: number
  #ended: number | null = null
  /** Always null: if the call fails, that is a failure of the fetch that began it. */
  readonly failure = null

  constructor(now: Clock) {
    this.#now = now
    this.#began = now()
  }

  /** Notes that the fetch has its answer, or waits no longer. */
  end(): void {
    this.#ended ??= this.#now()
  }

  /** Returns times since the `start` of the request, by the same clock. */
  times(start: number): Omit<LoadTimes, 'load_stats'> {
    return { ...sinceStart(this.#began, start), ...loadDuration(this.#began, this.#ended ?? this.#now()) }
  }
}
