/**
 * Long work of all requests, one slice in each turn of the event loop: many long requests at once make each other slower,
 * but nobody else.
 */
import type { Turns } from '@switchyard/engine'

export class TurnQueue implements Turns {
  readonly #waiting: (() => void)[] = []
  readonly #schedule: (next: () => void) => void

  /** `schedule` calls back in the next turn. */
  constructor(schedule: (next: () => void) => void = setImmediate) {
    this.#schedule = schedule
  }

  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve)
      if (this.#waiting.length === 1) this.#schedule(this.#turn)
    })
  }

  readonly #turn = (): void => {
    this.#waiting.shift()?.()
    // Whoever had this turn may want the next one, after those that wait already.
    if (this.#waiting.length > 0) this.#schedule(this.#turn)
  }
}
