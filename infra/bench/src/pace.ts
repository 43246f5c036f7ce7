/** When requests are due, and when they are sent. */
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * The pace of a load.
 *
 * With `rate`, requests are sent when they are due, whether or not earlier ones were answered, as by many
 * users who do not know of each other. With `connections`, each of `count` clients sends its next request
 * after its last answer and a pause in milliseconds.
 */
export type Pace =
  | { readonly kind: 'rate'; readonly perSecond: number }
  | { readonly kind: 'connections'; readonly count: number; readonly pause?: number }

/**
 * Sends one; resolves when it is over, with whether it can be followed at once. Times are those of
 * `performance.now()`.
 */
export type SendDue = (due: number) => Promise<{ readonly wasRefused: boolean }>

export type Pacing = {
  /** No request is due after this. The times at which those were due that nobody sent. */
  stop(): Iterable<number>
}

export function startPacing(pace: Pace, maxInFlight: number, send: SendDue): Pacing {
  if (pace.kind === 'rate') return new RatePacing(pace.perSecond, maxInFlight, send)
  return startConnections(pace.count, pace.pause ?? 0, send)
}

/** The most requests that are sent in one turn of a late event loop, so that answers are read in between. */
const BURST = 64

class RatePacing implements Pacing {
  readonly #interval: number
  readonly #maxInFlight: number
  readonly #send: SendDue
  readonly #began = performance.now()
  /** Number of the next request. */
  #next = 0
  #inFlight = 0
  #isStopped = false
  #wakes: 'never' | 'later' = 'never'
  #timer: NodeJS.Timeout | undefined

  constructor(perSecond: number, maxInFlight: number, send: SendDue) {
    this.#interval = 1000 / perSecond
    this.#maxInFlight = maxInFlight
    this.#send = send
    this.#sendDue()
  }

  stop(): Iterable<number> {
    this.#isStopped = true
    clearTimeout(this.#timer)
    const now = performance.now()
    while (this.#dueTime <= now && this.#inFlight < this.#maxInFlight) this.#sendNext()
    return this.#unsent(now)
  }

  /** They may be many: one by one, and not kept. */
  *#unsent(now: number): Iterable<number> {
    for (; this.#dueTime <= now; this.#next++) yield this.#dueTime
  }

  get #dueTime(): number {
    return this.#began + this.#next * this.#interval
  }

  #sendDue(): void {
    this.#wakes = 'never'
    if (this.#isStopped) return
    const now = performance.now()
    for (let sent = 0; this.#dueTime <= now && this.#inFlight < this.#maxInFlight; sent++) {
      if (sent === BURST) return this.#wakeLater(() => setImmediate(() => this.#sendDue()))
      this.#sendNext()
    }
    // Where too many are waiting, the next that is over makes room.
    if (this.#inFlight >= this.#maxInFlight) return
    this.#wakeLater(() => {
      this.#timer = setTimeout(() => this.#sendDue(), Math.max(0, this.#dueTime - now))
    })
  }

  #sendNext(): void {
    const due = this.#dueTime
    this.#next++
    this.#inFlight++
    void this.#send(due).then(() => {
      this.#inFlight--
      if (this.#wakes === 'never') this.#sendDue()
    })
  }

  #wakeLater(arrange: () => void): void {
    this.#wakes = 'later'
    arrange()
  }
}

/** The least milliseconds that a client waits after it was refused. */
const AFTER_REFUSAL = 100

function startConnections(count: number, pause: number, send: SendDue): Pacing {
  const stopped = new AbortController()
  const client = async (): Promise<void> => {
    while (!stopped.signal.aborted) {
      const { wasRefused } = await send(performance.now())
      const wait = wasRefused ? Math.max(pause, AFTER_REFUSAL) : pause
      if (wait > 0) await sleep(wait)
    }
  }
  for (let started = 0; started < count; started++) void client()
  return {
    stop() {
      stopped.abort()
      return []
    },
  }
}
