/** Work on a trace, done in slices between other requests. */
import type { SlicedWork } from '@switchyard/engine'
import type { Meter, Sliced } from './meter.ts'

export class SlicedResult<Result> implements SlicedWork {
  readonly #meter: Meter
  readonly #work: Sliced<Result>
  /** The result; null until the work is done, and if it was stopped before. */
  result: Result | null = null
  #stopped = false

  constructor(meter: Meter, work: Sliced<Result>) {
    this.#meter = meter
    this.#work = work
  }

  proceed(steps: number): boolean {
    if (this.#stopped) return true
    this.#meter.beginSlice(steps)
    const next = this.#work.next()
    if (next.done !== true) return false
    this.result = next.value
    return true
  }

  /** Stops the work, since nobody needs its result any more. */
  stop(): void {
    this.#stopped = true
  }
}
