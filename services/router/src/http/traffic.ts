/**
 * Counts the requests in progress, and decides whether new ones are taken.
 *
 * A request takes one of the limited places only after its body has arrived, so that a client that sends
 * slowly costs other clients nothing.
 */
export class Traffic {
  #limit: number
  /** Requests in progress, including those whose bodies are still arriving. */
  #inFlight = 0
  #inProgress = 0
  #leaving = false
  #draining = false
  #idle: (() => void) | null = null
  /** Those of the requests that come now. */
  #places: Places = this.#newPlaces()

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
    this.#places.entered++
    return new TrackedRequest(this.#places)
  }

  /**
   * From now on so many requests are taken. `over`: called once when all that came before have left, at once
   * if there are none.
   */
  changeLimit(limit: number, over: () => void): void {
    const before = this.#places
    this.#limit = limit
    this.#places = this.#newPlaces()
    before.over = over
    if (before.entered === 0) over()
  }

  #newPlaces(): Places {
    const places: Places = {
      entered: 0,
      over: null,
      take: () => {
        if (this.overloaded) return false
        this.#inProgress++
        return true
      },
      leave: (isInProgress) => {
        if (isInProgress) this.#inProgress--
        this.#inFlight--
        if (--places.entered === 0) places.over?.()
        if (this.#inFlight === 0) this.#idle?.()
      },
    }
    return places
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

/** The places of requests that came under the same settings, and what is done when one has left. */
type Places = {
  /** Requests that have not left. */
  entered: number
  /** Called when the last one has left; null: more may come. */
  over: (() => void) | null
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
