/** Measures the time of each step of a request before its fetches. */
import type { Trace, TracePhase } from '@switchyard/request-trace'
import type { Clock } from '../../transport/load/clock.ts'
import { prettyDuration } from '../../transport/load/pretty-duration.ts'

const PHASES = ['parse', 'normalize', 'validate', 'planner'] as const
const STATS = ['parse_stats', 'normalize_stats', 'validate_stats', 'planner_stats'] as const
export type Phase = (typeof PHASES)[number]

export class Phases {
  readonly #now: Clock
  /** Times at which the phases began, in their order. A phase ends when the next begins. */
  readonly #began: number[] = []
  #ended: number | null = null

  constructor(now: Clock) {
    this.#now = now
  }

  /** Begins a phase. Earlier phases that did not begin took no time. A phase that has begun goes on. */
  begin(phase: Phase): void {
    const at = this.#now()
    while (this.#began.length <= PHASES.indexOf(phase)) this.#began.push(at)
  }

  /** Ends the last phase, after an error as well as with a plan. Phases that have ended stay so. */
  end(): void {
    this.#ended ??= this.#now()
  }

  /** Returns the times of the phases. `start` is the start of the request, by the same clock. */
  stats(start: number): Omit<Trace['info'], 'trace_start_time' | 'trace_start_unix'> {
    const end = this.#ended ?? this.#now()
    const stats: { [Phase in (typeof STATS)[number]]?: TracePhase } = {}
    for (const [index, began] of this.#began.entries()) {
      const name = STATS[index]
      if (name === undefined) continue
      const took = (this.#began[index + 1] ?? end) - began
      const since = Math.max(0, began - start)
      stats[name] = {
        duration_nanoseconds: took,
        duration_pretty: prettyDuration(took),
        duration_since_start_nanoseconds: since,
        duration_since_start_pretty: prettyDuration(since),
      }
    }
    return stats
  }
}
