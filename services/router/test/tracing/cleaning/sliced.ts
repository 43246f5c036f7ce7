/** Does work on traces for tests. */
import type { Meter, Sliced } from '../../../src/tracing/cleaning/meter.ts'

/** All of it at once. */
export function done<Result>(work: Sliced<Result>): Result {
  for (;;) {
    const next = work.next()
    if (next.done === true) return next.value
  }
}

/** In slices of so many steps. */
export function inSlices<Result>(meter: Meter, work: Sliced<Result>, steps: number, onSlice = () => {}) {
  for (let slices = 1; ; slices++) {
    meter.beginSlice(steps)
    const next = work.next()
    onSlice()
    if (next.done === true) return { result: next.value, slices }
  }
}

/** Work that was done before. */
export function* atOnce<Result>(result: Result): Sliced<Result> {
  yield* []
  return result
}
