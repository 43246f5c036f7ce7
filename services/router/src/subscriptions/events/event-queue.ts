/** The events of one subscription that wait until its client can be sent more. */

/** The ways to go on when a queue is full. */
export type WhenFull = 'drop_oldest' | 'end'

/** The limits of one queue. */
export type QueueLimits = {
  readonly maxEvents: number
  /** Bytes, as the events came from their source. One event always fits. */
  readonly maxSize: number
  readonly whenFull: WhenFull
}

/** An event that waits. */
export type WaitingEvent = {
  /** The response of the source, as parsed JSON. */
  readonly body: unknown
  readonly bytes: number
  /** The number of events that were dropped before it; `unknown` if the source was lost in between. */
  readonly missed: number | 'unknown'
}

/** Keeps events in their order, bounded by number and bytes. */
export class EventQueue {
  readonly #limits: QueueLimits
  #waiting: WaitingEvent[] = []
  #bytes = 0
  /** Events that were dropped since the last one that was kept. */
  #missed: number | 'unknown' = 0

  constructor(limits: QueueLimits) {
    this.#limits = limits
  }

  get length(): number {
    return this.#waiting.length
  }

  /**
   * Keeps an event. Returns the number of events that were dropped for it; null if the queue is full and its
   * subscription is to end.
   */
  add(body: unknown, bytes: number): number | null {
    const { maxEvents, maxSize, whenFull } = this.#limits
    let dropped = 0
    while (this.#waiting.length > 0 && (this.#waiting.length >= maxEvents || this.#bytes + bytes > maxSize)) {
      if (whenFull === 'end') return null
      this.#drop()
      dropped++
    }
    this.#waiting.push({ body, bytes, missed: this.#missed })
    this.#missed = 0
    this.#bytes += bytes
    return dropped
  }

  /** Notes that events of the source may have been lost: the next event says so. */
  lost(): void {
    this.#missed = 'unknown'
  }

  /** Takes the oldest event. */
  take(): WaitingEvent | null {
    const event = this.#waiting.shift() ?? null
    if (event !== null) this.#bytes -= event.bytes
    return event
  }

  clear(): void {
    this.#waiting = []
    this.#bytes = 0
  }

  /** Drops the oldest event; the one after it says how many were missed. */
  #drop(): void {
    const dropped = this.take()
    if (dropped === null) return
    const [next] = this.#waiting
    const missed = dropped.missed === 'unknown' ? dropped.missed : dropped.missed + 1
    if (next === undefined) this.#missed = joined(missed, this.#missed)
    else this.#waiting[0] = { ...next, missed: joined(missed, next.missed) }
  }
}

function joined(one: number | 'unknown', other: number | 'unknown'): number | 'unknown' {
  return one === 'unknown' || other === 'unknown' ? 'unknown' : one + other
}
