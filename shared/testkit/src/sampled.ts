/**
 * Decides how much of a long list a run looks at. `make test` and `make test-full` look at a sample, and
 * `make test-long` looks at all of it. A list may be cut here only if every item is tested in the same way,
 * and the items of one kind are spread over the list.
 */

/** True in `make test-full` and in `make test-long`, which run everything that `make test` leaves out. */
export function isFullRun(): boolean {
  return process.env['SWITCHYARD_TEST_FULL'] === '1'
}

/** True in `make test-long`, which takes whole lists and long draws: too long for each commit. */
export function isLongRun(): boolean {
  return process.env['SWITCHYARD_TEST_LONG'] === '1'
}

/**
 * Returns the first item of each `every` items of a list, in the order of the list. In `make test-long` it
 * returns the whole list.
 */
export function sampled<T>(list: readonly T[], every: number): readonly T[] {
  if (!Number.isSafeInteger(every) || every < 1)
    throw new RangeError(`A sample takes one item of ${every}, which is not a whole number of at least 1.`)
  return isLongRun() ? list : list.filter((_, index) => index % every === 0)
}
