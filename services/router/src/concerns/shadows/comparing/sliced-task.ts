/** A generator as work that is done in slices: it yields whenever the steps of its slice are spent. */
import type { SlicedWork } from '@switchyard/engine'

/** Counts the steps of a slice. */
export class Steps {
  #left = 0

  begin(steps: number): void {
    this.#left = steps
  }

  /** Takes one step. Returns true if the slice is over, so that the task should yield. */
  take(): boolean {
    return --this.#left < 0
  }
}

/** Runs a task whose steps are counted. */
export class SlicedTask implements SlicedWork {
  readonly #steps: Steps
  readonly #task: Iterator<void>

  constructor(steps: Steps, task: Iterator<void>) {
    this.#steps = steps
    this.#task = task
  }

  proceed(steps: number): boolean {
    this.#steps.begin(steps)
    return this.#task.next().done === true
  }
}
