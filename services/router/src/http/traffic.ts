/** How many requests are in progress, and whether new ones are still taken. */
export class Traffic {
  readonly #limit: number
  #inFlight = 0
  #leaving = false
  #draining = false
  #idle: (() => void) | null = null

  constructor(limit: number) {
    this.#limit = limit
  }

  get inFlight(): number {
    return this.#inFlight
  }

  /** On its way out: nothing should be sent to it any more, and what comes all the same is answered until it drains. */
  get leaving(): boolean {
    return this.#leaving
  }

  get draining(): boolean {
    return this.#draining
  }

  /** Asked by a request that is already counted. */
  get overloaded(): boolean {
    return this.#inFlight > this.#limit
  }

  leave(): void {
    this.#leaving = true
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
    this.#leaving = true
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
