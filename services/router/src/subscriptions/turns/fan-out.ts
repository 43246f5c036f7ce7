/**
 * Does something for each of very many subscriptions, such as telling 10,000 of them one event: a little in
 * each turn of the event loop, one work after the other.
 */

/** Milliseconds of one turn. */
const TURN_MS = 8
/** Steps between two looks at the clock. */
const STEPS_AT_ONCE = 8

export class FanOut {
  #works: (() => boolean)[] = []
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
    for (let steps = 1; ; steps++) {
      const step = this.#works[this.#next]
      if (step === undefined) break
      if (!step()) this.#next++
      if (steps % STEPS_AT_ONCE === 0 && performance.now() >= until) break
    }
    if (this.#next < this.#works.length) return this.#schedule()
    this.#works = []
    this.#next = 0
  }
}
