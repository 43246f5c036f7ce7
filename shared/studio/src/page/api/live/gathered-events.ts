/**
 * Hands events over together, and none while what the last ones made old is still being read: whoever reads
 * anew gives up what is being read, so that events that come quickly would let no slow read end.
 */
import type { LiveEvent } from '@switchyard/contracts'

/** Milliseconds for which events are gathered at first, and between two times of reading. */
const GATHER_MS = 50
const BETWEEN_MS = 500
/** Milliseconds after which a read that does not end keeps nothing else from being read. */
const MOST_READING_MS = 10_000

export class GatheredEvents {
  readonly #read: (events: readonly LiveEvent[]) => Promise<unknown>
  #events: LiveEvent[] = []
  #readAt = 0
  #isPlanned = false
  #isReading = false

  /** `read` reads what the events made old, and ends when that is done. It must not reject. */
  constructor(read: (events: readonly LiveEvent[]) => Promise<unknown>) {
    this.#read = read
  }

  add(event: LiveEvent): void {
    this.#events.push(event)
    this.#plan()
  }

  #plan(): void {
    if (this.#isPlanned || this.#isReading || this.#events.length === 0) return
    this.#isPlanned = true
    const wait = Math.max(GATHER_MS, this.#readAt + BETWEEN_MS - Date.now())
    setTimeout(() => void this.#handOver(), wait)
  }

  async #handOver(): Promise<void> {
    const events = this.#events
    this.#events = []
    this.#isPlanned = false
    this.#isReading = true
    this.#readAt = Date.now()
    await endOrTimeOut(this.#read(events))
    this.#isReading = false
    this.#plan()
  }
}

async function endOrTimeOut(reading: Promise<unknown>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, MOST_READING_MS)
  })
  await Promise.race([reading, late])
  clearTimeout(timer)
}
