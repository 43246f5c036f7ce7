/**
 * Work that may be long, done in slices with others in between: one event loop serves everybody.
 *
 * Slices are counted in steps, not timed, so that the same work is cut in the same places on every machine.
 */
export interface SlicedWork {
  /** Goes on for about `steps` steps. Returns true when everything is done. */
  proceed(steps: number): boolean
}

/** A generator that yields the work to be done before it goes on, as long as that is not done yet. */
export type Task<Result = void> = Generator<SlicedWork, Result>

/** How far a task may go in this turn of the event loop. */
export interface Pace {
  /** Steps that are left. */
  readonly slice: number
  /** Takes steps. Returns true if none are left, so that the task should yield `NEXT_TURN`. */
  isSpent(steps: number): boolean
}

/** The work that a task yields when it has taken all steps of this turn. */
export const NEXT_TURN: SlicedWork = { proceed: () => true }

/** Lets other work run between slices. */
export interface Turns {
  /** Resolves when it is this work's turn again. */
  next(): Promise<void>
}

/** Takes a few milliseconds. */
export const SLICE_STEPS = 5000

/**
 * Does work in slices. Most work is done within its first slice, and then nobody has to wait for a promise.
 */
export function inSlices(work: SlicedWork, turns: Turns): Promise<void> | undefined {
  return work.proceed(SLICE_STEPS) ? undefined : remaining(work, turns)
}

/** Does work in one go, for callers that serve nobody else meanwhile. */
export function atOnce(work: SlicedWork): void {
  while (!work.proceed(Number.POSITIVE_INFINITY));
}

async function remaining(work: SlicedWork, turns: Turns): Promise<void> {
  do await turns.next()
  while (!work.proceed(SLICE_STEPS))
}
