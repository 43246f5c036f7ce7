/** Says when what is damaged of the served config is to be read again. */
import { Backoff } from '@switchyard/service-kit'

/** Milliseconds until that, the first time and at most. */
const FIRST_PAUSE_MS = 1000
const LONGEST_PAUSE_MS = 30_000

/** The next reading of what is damaged. */
export class Mending {
  readonly #pauses = new Backoff(LONGEST_PAUSE_MS, FIRST_PAUSE_MS)
  /** Time of `performance.now()`; null if nothing is damaged. */
  #at: number | null = null

  /** Milliseconds until then; infinite if nothing is damaged. */
  get left(): number {
    return this.#at === null ? Infinity : Math.max(0, this.#at - performance.now())
  }

  /** Called after each look. `config`: the one that is served. */
  plan(config: { readonly damage: readonly string[] } | undefined): void {
    const isDamaged = (config?.damage.length ?? 0) > 0
    if (!isDamaged) this.#pauses.reset()
    this.#at = isDamaged ? performance.now() + this.#pauses.pause() : null
  }
}
