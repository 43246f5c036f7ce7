/**
 * The fetches that decided when the answer was complete: the one that ended last, the one it waited for
 * longest, and so on back to the start. Making any other fetch faster would not have helped.
 */
/** On the axis: nanoseconds since the start, or steps where the trace has no real times. */
export type Span = { readonly start: number; readonly end: number }

export type TimedStep = {
  /**
   * The time that the step took. Null if it took none of its own; the steps that it waited for then stand in
   * its place.
   */
  readonly span: Span | null
  readonly dependsOn: readonly number[]
}

/** Returns the numbers of the steps on the critical path. */
export function criticalPath(steps: readonly TimedStep[]): ReadonlySet<number> {
  const path = new Set<number>()
  let at = latest(steps, [...steps.keys()])
  while (at !== null) {
    path.add(at)
    at = latest(steps, timedBefore(steps, at))
  }
  return path
}

function latest(steps: readonly TimedStep[], among: readonly number[]): number | null {
  let found: number | null = null
  let end = -1
  for (const number of among) {
    const span = steps[number]?.span
    if (span === null || span === undefined || span.end <= end) continue
    found = number
    end = span.end
  }
  return found
}

function timedBefore(steps: readonly TimedStep[], number: number): readonly number[] {
  const found = new Set<number>()
  const looked = new Set<number>()
  const waiting = [...(steps[number]?.dependsOn ?? [])]
  for (let before = waiting.pop(); before !== undefined; before = waiting.pop()) {
    if (looked.has(before)) continue
    looked.add(before)
    const step = steps[before]
    if (step === undefined) continue
    if (step.span === null) for (const earlier of step.dependsOn) waiting.push(earlier)
    else found.add(before)
  }
  return [...found].toSorted((a, b) => a - b)
}
