import type { Pace, Task } from '../../../src/work/slices.ts'

/** Everything is interrupted after each step. */
export const STEP_BY_STEP: Pace = { slice: 1, isSpent: () => true }

/** Does a task to its end. */
export function finished<Result>(task: Task<Result>): Result {
  for (;;) {
    const step = task.next()
    if (step.done === true) return step.value
    while (!step.value.proceed(1));
  }
}
