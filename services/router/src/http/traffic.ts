/** How many requests are in progress, and whether new ones are still taken. */
export class Traffic {
  readonly #limit: number
  #inFlight = 0
  #draining = false
  #idle: (() => void) | null = null

  constructor(limit: number) {
    this.#limit = limit
  }

  get inFlight(): number {
    return this.#inFlight
  }

  get draining(): boolean {
    return this.#draining
  }

  /** Asked by a request that is already counted. */
  get overloaded(): boolean {
    return this.#inFlight > this.#limit
  }

  enter(): Disposable {
    this.#inFlight++
    return {
      [Symbol.dispose]: () => {
        this.#inFlight--
        if (this.#inFlight === 0) this.#idle?.()
      },
    }
  }

  /** Refuses new requests; true when those in progress ended within the time. */
  async drain(milliseconds: number): Promise<boolean> {
    this.#draining = true
    if (this.#inFlight === 0) return true
    const { promise, resolve } = Promise.withResolvers<boolean>()
    this.#idle = () => resolve(true)
    const timer = setTimeout(resolve, milliseconds, false)
    try {
      return await promise
    } finally {
      clearTimeout(timer)
      this.#idle = null
    }
  }
}
