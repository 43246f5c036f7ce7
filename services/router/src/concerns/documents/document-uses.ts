/**
 * The number of minutes in which a document was asked for by its hash, each of which counts half as much a
 * day later.
 *
 * Minutes count and not requests, since it costs a client nothing to ask a thousand times at once. All
 * documents lose by the same factor as time passes, so that their order changes only when one is used.
 */
const MINUTE = 60 * 1000
const HALVED_AFTER = 24 * 60 * MINUTE

export class DocumentUses {
  #lastMinute = -1
  #minutes = 0
  #rank = Number.NEGATIVE_INFINITY

  /** Grows with what the document counts for, whenever it is compared: a logarithm. */
  get rank(): number {
    return this.#rank
  }

  /** Minutes in which it was used, all of which count alike. */
  get minutes(): number {
    return this.#minutes
  }

  /**
   * Counts a use. `now` is in monotonic milliseconds. False if the document was used in this minute before.
   */
  count(now: number): boolean {
    const minute = Math.floor(now / MINUTE)
    if (minute === this.#lastMinute) return false
    this.#rank = Math.log2(this.at(now) + 1) + now / HALVED_AFTER
    this.#lastMinute = minute
    this.#minutes++
    return true
  }

  /** Returns the number of minutes that the document counts for at this time. */
  at(now: number): number {
    return 2 ** (this.#rank - now / HALVED_AFTER)
  }
}
