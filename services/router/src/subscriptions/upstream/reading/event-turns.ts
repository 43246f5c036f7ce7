/**
 * Limits how much of what subgraphs send on subscriptions is read in one turn of the event loop, of all
 * connections together. Connections with more to read wait for the next turn, one after the other.
 */
import type { Turns } from '@switchyard/engine'

/**
 * The work of one turn, in bytes of JSON: a few milliseconds. `JSON.parse` takes 12 ms at the worst for so
 * much.
 */
const WORK_IN_TURN = 128 * 1024

/** Something that waits for its turn. */
export interface WaitingReader {
  /** Reads one message. Returns whether there are more that can be read now. */
  readNext(): boolean
}

/** Hands out turns for reading. */
export class EventTurns implements Turns {
  readonly #schedule: (next: () => void) => void
  readonly #readers = new Set<WaitingReader>()
  /** Large messages, of which one slice is read in each turn. */
  readonly #slices: (() => void)[] = []
  #left = WORK_IN_TURN
  /** How many sources have something to tell that not all their listeners have heard yet. */
  #telling = 0
  #isScheduled = false

  /** `schedule` calls its argument after everything that has arrived was read. */
  constructor(schedule: (next: () => void) => void = setImmediate) {
    this.#schedule = schedule
  }

  /** True if the work of this turn is done. */
  get isDone(): boolean {
    return this.#left <= 0
  }

  /** True if nobody may read in this turn who has not waited. */
  get isTaken(): boolean {
    return this.isDone || this.#readers.size > 0 || this.#telling > 0
  }

  /** Counts work of this turn. */
  did(work: number): void {
    this.#left -= work
    this.#scheduleNext()
  }

  /** Reads nothing more until what is returned is disposed: what was read before has to be told first. */
  whileTelling(): Disposable {
    this.#telling++
    return {
      [Symbol.dispose]: () => {
        this.#telling--
        if (this.#telling === 0) this.#scheduleNext()
      },
    }
  }

  /** Lets a reader go on in the next turn. */
  wait(reader: WaitingReader): void {
    this.#readers.add(reader)
    if (this.#telling === 0) this.#scheduleNext()
  }

  /** Forgets a reader whose connection is over. */
  forget(reader: WaitingReader): void {
    this.#readers.delete(reader)
  }

  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#slices.push(resolve)
      this.#scheduleNext()
    })
  }

  #scheduleNext(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    this.#schedule(this.#turn)
  }

  readonly #turn = (): void => {
    this.#isScheduled = false
    this.#left = WORK_IN_TURN
    this.#slices.shift()?.()
    for (const reader of this.#readers) {
      if (this.#left <= 0 || this.#telling > 0) break
      this.#readers.delete(reader)
      // A reader that has more to read goes to the end, which this loop reaches if work is left.
      if (reader.readNext()) this.#readers.add(reader)
    }
    const isReading = this.#readers.size > 0 && this.#telling === 0
    if (isReading || this.#slices.length > 0) this.#scheduleNext()
  }
}
