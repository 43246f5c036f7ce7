/** Work that yields the steps that it took, so that it can be done in slices with others in between. */
export type Steps<Result = void> = Generator<number, Result>

/** Steps of one slice: some milliseconds. */
const SLICE = 1000

/** Does the work, in a later turn of the event loop after each slice. */
export async function inSteps<Result>(work: Steps<Result>): Promise<Result> {
  let left = SLICE
  for (;;) {
    const { done, value } = work.next()
    if (done === true) return value
    left -= value
    if (left > 0) continue
    left = SLICE
    await new Promise((resolve) => {
      setImmediate(resolve)
    })
  }
}
