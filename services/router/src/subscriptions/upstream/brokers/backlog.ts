/** Messages that wait to be read, in their order, bounded by number and bytes. */

/** A message that waits. */
export type WaitingMessage = {
  /** Its number among all that arrived. */
  readonly number: number
  readonly data: Buffer
  /** Messages may be missing before it. */
  readonly isAfterGap: boolean
}

const MOST_MESSAGES = 10_000
const MOST_BYTES = 16 * 1024 * 1024

/** The oldest messages are dropped when there are too many. */
export class Backlog {
  /** Places before the oldest message are empty. */
  #waiting: (WaitingMessage | undefined)[] = []
  /** The index of the oldest one. */
  #first = 0
  #bytes = 0
  /** Messages may be missing before the next one that comes. */
  #isGap = false
  /** Messages were dropped before the oldest one. */
  #isOldestAfterGap = false

  get length(): number {
    return this.#waiting.length - this.#first
  }

  /** Returns the number of messages that were dropped for it. */
  add(number: number, data: Buffer): number {
    this.#waiting.push({ number, data, isAfterGap: this.#isGap })
    this.#isGap = false
    this.#bytes += data.length
    let dropped = 0
    while (this.length > MOST_MESSAGES || (this.#bytes > MOST_BYTES && this.length > 1)) {
      this.#remove()
      dropped++
    }
    if (dropped > 0) this.#isOldestAfterGap = true
    return dropped
  }

  gap(): void {
    this.#isGap = true
  }

  /** Takes the oldest message. */
  take(): WaitingMessage | undefined {
    const message = this.#remove()
    if (message === undefined || !this.#isOldestAfterGap) return message
    this.#isOldestAfterGap = false
    return { ...message, isAfterGap: true }
  }

  #remove(): WaitingMessage | undefined {
    const message = this.#waiting[this.#first]
    if (message === undefined) return undefined
    this.#waiting[this.#first] = undefined
    this.#first++
    this.#bytes -= message.data.length
    // Many empty places are let go in one step, so that taking costs the same however many wait.
    if (this.#first === this.#waiting.length || this.#first > MOST_MESSAGES) {
      this.#waiting = this.#waiting.slice(this.#first)
      this.#first = 0
    }
    return message
  }

  clear(): void {
    this.#waiting = []
    this.#first = 0
    this.#bytes = 0
  }
}
