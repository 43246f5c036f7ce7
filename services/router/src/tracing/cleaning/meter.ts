/**
 * Counts the characters that work on a trace goes through. The work is written as generators that yield when
 * a slice is used up, so that other requests are served in between.
 */
export type Sliced<Result> = Generator<undefined, Result, undefined>

/** Characters that are searched in one step, which is a microsecond. */
const CHARACTERS_PER_STEP = 64

/** Thrown when more is to be done for one trace than may be. */
export class TraceTooLargeError extends Error {}

export class Meter {
  #limit: number
  #spent = 0
  #sliceEnd = 0

  /** `limit` is the number of characters that may be gone through in all. */
  constructor(limit: number = Number.POSITIVE_INFINITY) {
    this.#limit = limit
  }

  /** Characters that were gone through; those that were looked at more often count more often. */
  get spent(): number {
    return this.#spent
  }

  /**
   * Counts characters. Returns true if the slice is used up, so that the work has to yield. Throws
   * TraceTooLargeError.
   */
  take(characters: number): boolean {
    this.#spent += characters
    if (this.#spent > this.#limit) throw new TraceTooLargeError(`More than ${this.#limit} characters.`)
    return this.#spent >= this.#sliceEnd
  }

  /**
   * Ends the slice earlier, for work that took as long as so many characters take. The limit is not touched.
   */
  shorten(characters: number): void {
    this.#sliceEnd -= characters
  }

  /** Allows `limit` more characters from now on. */
  renew(limit: number): void {
    this.#limit = this.#spent + limit
  }

  beginSlice(steps: number): void {
    this.#sliceEnd = this.#spent + steps * CHARACTERS_PER_STEP
  }
}
