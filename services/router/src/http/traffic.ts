/**
 * Counts the requests in progress, and decides whether new ones are taken.
 *
 * A request takes one of the limited places only after its body has arrived, so that a client that sends
 * slowly costs other clients nothing.
 */
export class Traffic {
  readonly #limit: number
  /** Requests in progress, including those whose bodies are still arriving. */
  #inFlight = 0
  #inProgress = 0
  #leaving = false
  #draining = false
  #idle: (() => void) | null = null
  readonly #places: Places = {
    take: () => {
      if (this.overloaded) return false
      this.#inProgress++
      return true
    },
    leave: (isInProgress) => {
      if (isInProgress) this.#inProgress--
      this.#inFlight--
      if (this.#inFlight === 0) this.#idle?.()
    },
  }

  constructor(limit: number) {
    this.#limit = limit
  }

  get inFlight(): number {
    return this.#inFlight
  }

  /**
   * The router is about to stop. Load balancers should send nothing any more; what comes all the same is
   * answered until draining begins.
   */
  get leaving(): boolean {
    return this.#leaving
  }

  get draining(): boolean {
    return this.#draining
  }

  get overloaded(): boolean {
    return this.#inProgress >= this.#limit
  }

  leave(): void {
    this.#leaving = true
  }

  enter(): TrackedRequest {
    this.#inFlight++
    return new TrackedRequest(this.#places)
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

/** The places of requests in progress, and what is done when a request has left. */
type Places = {
  /** false: all places are taken. */
  readonly take: () => boolean
  readonly leave: (isInProgress: boolean) => void
}

/** One request, until it is answered. */
export class TrackedRequest implements Disposable {
  readonly #places: Places
  #isInProgress = false

  constructor(places: Places) {
    this.#places = places
  }

  /** To be called once, when the request is read. false: too many are in progress. */
  begin(): boolean {
    this.#isInProgress = this.#places.take()
    return this.#isInProgress
  }

  [Symbol.dispose](): void {
    this.#places.leave(this.#isInProgress)
  }
}
