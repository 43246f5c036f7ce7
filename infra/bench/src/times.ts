/** Lengths of time as people write and read them. */

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }
const LENGTH = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/

/** Returns the milliseconds of times such as `500ms`, `30s`, `5m` and `1h`. Null if the text is no time. */
export function parseTime(text: string): number | null {
  const [, amount, unit = ''] = LENGTH.exec(text) ?? []
  const milliseconds = Number(amount) * (UNITS[unit] ?? Number.NaN)
  return Number.isFinite(milliseconds) ? milliseconds : null
}

/** Writes a time with two or three figures: `0.45 ms`, `12.3 ms`, `450 ms`, `1.20 s`. */
export function describeTime(milliseconds: number): string {
  if (milliseconds >= 1000) return `${(milliseconds / 1000).toFixed(2)} s`
  const digits = milliseconds >= 100 ? 0 : milliseconds >= 10 ? 1 : 2
  return `${milliseconds.toFixed(digits)} ms`
}
