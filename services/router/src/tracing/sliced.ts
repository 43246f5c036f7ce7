/**
 * Work on a trace in slices, written as generators: they count the characters that they go through, and yield when a slice
 * is used up.
 */
import type { SlicedWork } from '@switchyard/engine'

export type Sliced<Result> = Generator<undefined, Result, undefined>

/** A step is a microsecond: so many characters are searched in it. */
const CHARACTERS_PER_STEP = 64

/** Thrown when more is to be done for one trace than may be. */
export class TraceTooLargeError extends Error {}

export class Meter {
  #limit: number
  #spent = 0
  #sliceEnd = 0

  /** `limit`: characters that may be gone through in all. */
  constructor(limit: number = Number.POSITIVE_INFINITY) {
    this.#limit = limit
  }

  /** Characters that were gone through; those that were looked at more often count more often. */
  get spent(): number {
    return this.#spent
  }

  /** True: the slice is used up, and the work has to yield. */
  take(characters: number): boolean {
    this.#spent += characters
    if (this.#spent > this.#limit) throw new TraceTooLargeError(`More than ${this.#limit} characters.`)
    return this.#spent >= this.#sliceEnd
  }

  /** Something took as long as so many characters take: the slice ends earlier, and the limit is not touched. */
  shorten(characters: number): void {
    this.#sliceEnd -= characters
  }

  /** From now on, so many more may be gone through. */
  renew(limit: number): void {
    this.#limit = this.#spent + limit
  }

  beginSlice(steps: number): void {
    this.#sliceEnd = this.#spent + steps * CHARACTERS_PER_STEP
  }
}

export class SlicedResult<Result> implements SlicedWork {
  readonly #meter: Meter
  readonly #work: Sliced<Result>
  /** null: it was stopped before it was done. */
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

  /** Nobody needs the result any more. */
  stop(): void {
    this.#stopped = true
  }
}
