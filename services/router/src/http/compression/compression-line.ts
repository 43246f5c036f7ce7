/**
 * The answers that are compressed, and those that wait for it. Two at a time: libuv's pool has four threads,
 * in which names of hosts are looked up and files are read as well.
 */
const MAX_AT_ONCE = 2

/**
 * Bytes of all of them together. What is more is not compressed: that takes less time than it would wait,
 * some tens of milliseconds, and the memory of what waits is bounded.
 */
const MAX_BYTES = 8 * 1024 * 1024

/** Lets a few begin at a time. */
export class CompressionLine {
  readonly #waiting: (() => void)[] = []
  #atOnce = 0
  #bytes = 0

  /** A single one may be larger than all may be together. null: there is no room in the line. */
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
