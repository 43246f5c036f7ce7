/** `5ns`, `1.2ms`: three digits at most before the point and one behind it, in the largest unit that leaves some. */
export function prettyDuration(nanoseconds: number): string {
  if (nanoseconds < 1000) return `${nanoseconds}ns`
  const [unit, size] = UNITS.find(([, next]) => nanoseconds / next < 999.95) ?? SECONDS
  return `${Math.round(nanoseconds / (size / 10)) / 10}${unit}`
}

const SECONDS = ['s', 1e9] as const
const UNITS: readonly (readonly [unit: string, nanoseconds: number])[] = [['µs', 1e3], ['ms', 1e6], SECONDS]
