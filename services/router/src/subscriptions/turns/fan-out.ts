/**
 * Does something for each of very many subscriptions, such as telling 10,000 of them one event: a little in
 * each turn of the event loop, one work after the other.
 */

/** Milliseconds of one turn. */
const TURN_MS = 8
/** Finished works from which on they are forgotten. */
const MANY_DONE = 1000

export class FanOut {
  readonly #works: (() => boolean)[] = []
  /** The index of the next work in `#works`. */
  #next = 0
  #isScheduled = false

  /** `step` does the next step of a work, and returns whether there are more. It must not throw. */
  add(step: () => boolean): void {
    this.#works.push(step)
    this.#schedule()
  }

  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    setImmediate(this.#turn)
  }

  readonly #turn = (): void => {
    this.#isScheduled = false
    const until = performance.now() + TURN_MS
    while (this.#next < this.#works.length) {
      if (this.#works[this.#next]?.() !== true) this.#next++
      if (performance.now() >= until) break
    }
    const isDone = this.#next === this.#works.length
    // Others may go on adding, so that there is never nothing left.
    if (isDone || this.#next >= MANY_DONE) {
      this.#works.splice(0, this.#next)
      this.#next = 0
    }
    if (!isDone) this.#schedule()
  }
}
