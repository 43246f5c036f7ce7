const UNITS: readonly (readonly [ms: number, name: string])[] = [
  [24 * 60 * 60_000, 'day'],
  [60 * 60_000, 'hour'],
  [60_000, 'minute'],
  [1000, 'second'],
]

/** Returns a length of time in the largest unit that it is a whole number of. */
export function durationText(ms: number): string {
  const [unit, name] = UNITS.find(([one]) => ms >= one && ms % one === 0) ?? [1, 'millisecond']
  const count = ms / unit
  return `${count} ${name}${count === 1 ? '' : 's'}`
}
