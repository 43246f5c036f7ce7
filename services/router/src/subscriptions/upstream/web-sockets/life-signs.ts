/** Finds out that the other side of a WebSocket is gone without a word. */

export type LifeSignsOptions = {
  /** Milliseconds of silence after which a ping is sent, and as many until silence is the end. */
  readonly interval: number
  /** True while nothing is taken from the connection, so that nothing can be heard. */
  readonly isDeaf: () => boolean
  readonly ping: () => void
  /** The other side gave no sign of life after a ping. */
  readonly gone: () => void
}

/** Listens for signs of life. */
export class LifeSigns {
  readonly #options: LifeSignsOptions
  /** Intervals that have begun since the last sign of life. */
  #silent = 0
  #timer: NodeJS.Timeout | undefined

  constructor(options: LifeSignsOptions) {
    this.#options = options
  }

  start(): void {
    this.#timer = setInterval(() => this.#check(), this.#options.interval)
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  /** Notes a sign of life. */
  heard(): void {
    this.#silent = 0
  }

  #check(): void {
    const { isDeaf, ping, gone } = this.#options
    if (isDeaf()) return this.heard()
    this.#silent++
    // The first interval may have begun just now.
    if (this.#silent === 2) ping()
    else if (this.#silent > 2) gone()
  }
}
