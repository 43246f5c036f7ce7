/**
 * Takes no more messages from a client in a second than the settings allow, and one in a turn of the event
 * loop. Those beyond that wait, and nothing more is read from the client meanwhile, so that at most a read's
 * worth of messages waits.
 */

/** The second in which messages are counted, in milliseconds. */
const PERIOD = 1000

type Options<Received> = {
  readonly perSecond: () => number
  readonly handle: (received: Received) => void
  /** Reads nothing more until `resume`. */
  readonly pause: () => void
  readonly resume: () => void
}

/** Hands on what a client sends. */
export class Pace<Received> implements Disposable {
  readonly #options: Options<Received>
  #waiting: Received[] = []
  #began = Number.NEGATIVE_INFINITY
  #count = 0
  #timer: NodeJS.Timeout | null = null

  constructor(options: Options<Received>) {
    this.#options = options
  }

  /** Hands it on at once, or later if too much came before. */
  take(received: Received): void {
    if (this.#timer === null && this.#hasRoom()) this.#options.handle(received)
    else this.#wait(received)
  }

  #hasRoom(): boolean {
    const now = performance.now()
    if (now - this.#began >= PERIOD) {
      this.#began = now
      this.#count = 0
    }
    return this.#count++ < this.#options.perSecond()
  }

  #wait(received: Received): void {
    this.#waiting.push(received)
    if (this.#timer !== null) return
    this.#options.pause()
    this.#timer = setTimeout(() => this.#next(0), this.#began + PERIOD - performance.now())
  }

  /** Hands on one message a turn, until a second's worth is through. */
  #next(index: number): void {
    const received = this.#waiting[index]
    if (received === undefined) {
      this.#waiting = []
      this.#timer = null
      this.#options.resume()
    } else if (this.#hasRoom()) {
      this.#timer = setTimeout(() => this.#next(index + 1), 0)
      this.#options.handle(received)
    } else {
      this.#waiting.splice(0, index)
      this.#timer = setTimeout(() => this.#next(0), this.#began + PERIOD - performance.now())
    }
  }

  [Symbol.dispose](): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#waiting = []
  }
}
