/**
 * The times of one request: it is in one phase at a time, from its first line to the last byte of its answer.
 */
import type { Series } from '@switchyard/service-kit'

/**
 * The phases in their order. A request that is refused goes on to `write`. See docs/metrics.md for each of
 * them.
 */
export const PHASES = ['read', 'choose', 'prepare', 'plan', 'execute', 'write'] as const
/** One of the phases of a request. */
export type RequestPhase = (typeof PHASES)[number]

/** The time of a phase that the request did not enter. */
const NONE = Number.NaN
const NONE_ENTERED: readonly number[] = PHASES.map(() => NONE)

/** Measures the phases of one request. */
export class RequestPhases {
  readonly #started: number
  #current = 0
  #since: number
  /** Milliseconds by phase; `NONE` if the phase was not entered. */
  readonly #spent = NONE_ENTERED.slice()

  /** `started` is a time of `performance.now()`. */
  constructor(started: number) {
    this.#started = started
    this.#since = started
  }

  /** Ends the one before. There is no way back: an earlier phase goes on as the one that it is in. */
  enter(phase: RequestPhase): void {
    const index = PHASES.indexOf(phase)
    if (index <= this.#current) return
    this.#leave()
    this.#current = index
  }

  /** The request is over. What comes after the first call changes nothing. */
  end(): void {
    if (this.#current === PHASES.length) return
    this.#leave()
    this.#current = PHASES.length
  }

  /** Milliseconds from its start to the end of the last phase. */
  get whole(): number {
    return this.#since - this.#started
  }

  /** Returns the milliseconds spent in this phase. 0 if the request never entered it. */
  spent(phase: RequestPhase): number {
    return this.#spent[PHASES.indexOf(phase)] || 0
  }

  /** Calls `told` for each phase that the request entered. */
  each(told: (phase: RequestPhase, milliseconds: number) => void): void {
    for (const [index, phase] of PHASES.entries()) {
      const spent = this.#spent[index] ?? NONE
      if (!Number.isNaN(spent)) told(phase, spent)
    }
  }

  /** Records the seconds in each phase that the request entered. `series` has the order of the phases. */
  tell(series: readonly Series[]): void {
    for (let index = 0; index < PHASES.length; index++) {
      const spent = this.#spent[index] ?? NONE
      if (!Number.isNaN(spent)) series[index]?.record(spent / 1000)
    }
  }

  #leave(): void {
    const now = performance.now()
    this.#spent[this.#current] = now - this.#since
    this.#since = now
  }
}
