/**
 * Answers that are compressed at a time; others wait. Two, because libuv's pool has four threads, which also
 * look up host names and read files.
 */
const MAX_AT_ONCE = 2

/**
 * Bytes of all these answers together. Beyond them, answers are not compressed: sending them takes less time
 * than they would wait, some tens of milliseconds, and waiting answers take a bounded amount of memory.
 */
const MAX_BYTES = 8 * 1024 * 1024

/** Lets a few answers be compressed at a time, while others wait. */
export class CompressionLine {
  readonly #waiting: (() => void)[] = []
  #atOnce = 0
  #bytes = 0

  /**
   * Calls `begin` at once or when it is its turn. Returns null if there is no room in the line. A single
   * answer may be larger than the limit for all together.
   */
  enter<Result>(bytes: number, begin: () => Promise<Result>): Promise<Result> | null {
    if (this.#bytes > 0 && this.#bytes + bytes > MAX_BYTES) return null
    this.#bytes += bytes
    return this.#run(begin).finally(() => {
      this.#bytes -= bytes
      const next = this.#waiting.shift()
      if (next === undefined) this.#atOnce--
      else next()
    })
  }

  async #run<Result>(begin: () => Promise<Result>): Promise<Result> {
    if (this.#atOnce < MAX_AT_ONCE) this.#atOnce++
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    return begin()
  }
}
