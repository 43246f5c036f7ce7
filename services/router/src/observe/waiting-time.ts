/**
 * The time that a request waited for subgraphs, in which at least one of its calls was in progress. Calls
 * overlap, and each is reported when it ends.
 */
export class WaitingTime {
  /** Times that do not touch each other, the earliest first; null as long as there are none. */
  #times: { readonly from: number; readonly to: number }[] | null = null
  #milliseconds = 0

  /** Milliseconds of all waits together. Overlapping waits count once. */
  get milliseconds(): number {
    return this.#milliseconds
  }

  /** Adds a call that took this long and has just ended. `now` is a time of `performance.now()`. */
  add(milliseconds: number, now: number = performance.now()): void {
    let from = now - milliseconds
    const times = (this.#times ??= [])
    for (;;) {
      const last = times.at(-1)
      if (last === undefined || last.to < from) break
      times.pop()
      this.#milliseconds -= last.to - last.from
      from = Math.min(from, last.from)
    }
    times.push({ from, to: now })
    this.#milliseconds += now - from
  }
}
