/**
 * `5ns`, `1.2ms`: three digits at most before the point and one behind it, in the largest unit that leaves
 * some.
 */
export function prettyDuration(nanoseconds: number): string {
  if (nanoseconds < 1000) return `${nanoseconds}ns`
  if (nanoseconds < 999_950) return `${tenths(nanoseconds / 1e3)}µs`
  if (nanoseconds < 999_950_000) return `${tenths(nanoseconds / 1e6)}ms`
  return `${tenths(nanoseconds / 1e9)}s`
}

function tenths(value: number): number {
  return Math.round(value * 10) / 10
}
