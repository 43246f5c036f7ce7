/**
 * Counts the requests in progress, and decides whether new ones are accepted.
 *
 * A request takes one of the limited slots only after its body has arrived, so that a client that sends
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
  /** The slots of the requests that come now. */
  #places: Places = this.#newPlaces()

  constructor(limit: number) {
    this.#limit = limit
  }

  get inFlight(): number {
    return this.#inFlight
  }

  /**
   * True if the router is about to stop. Load balancers should send nothing any more; requests that come all
   * the same are answered until draining begins.
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
   * Sets the number of requests in progress from now on. `over` is called once when all requests that came
   * before have left, at once if there are none.
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
      leaveProgress: () => {
        this.#inProgress--
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

  /**
   * Refuses new requests. Resolves to true if those in progress ended within the time, otherwise to false.
   */
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

/** The slots of requests that came under the same settings, and the function that a leaving request calls. */
type Places = {
  /** The number of requests that have not left. */
  entered: number
  /** Called when the last request has left. Null as long as more may come. */
  over: (() => void) | null
  /** Takes a slot. Returns false if all slots are taken. */
  readonly take: () => boolean
  /** Gives a slot back whose request stays. */
  readonly leaveProgress: () => void
  readonly leave: (isInProgress: boolean) => void
}

/** One request, until it is answered. */
export class TrackedRequest implements Disposable {
  readonly #places: Places
  #isInProgress = false

  constructor(places: Places) {
    this.#places = places
  }

  /**
   * Takes a slot. Has to be called once, when the request is read. Returns false if too many requests are in
   * progress.
   */
  begin(): boolean {
    this.#isInProgress = this.#places.take()
    return this.#isInProgress
  }

  /** Gives the slot back: the request stays, and others may be in progress in its place. */
  leaveProgress(): void {
    if (!this.#isInProgress) return
    this.#isInProgress = false
    this.#places.leaveProgress()
  }

  [Symbol.dispose](): void {
    this.#places.leave(this.#isInProgress)
  }
}
