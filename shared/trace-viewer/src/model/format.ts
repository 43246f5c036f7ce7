/** Quantities as people read them: three digits that count, and a unit. */

export function printDuration(nanoseconds: number): string {
  if (nanoseconds === 0) return '0'
  if (nanoseconds < 1_000) return `${Math.round(nanoseconds)} ns`
  if (nanoseconds < 999_500) return `${threeDigits(nanoseconds / 1_000)} µs`
  if (nanoseconds < 999_500_000) return `${threeDigits(nanoseconds / 1_000_000)} ms`
  return `${threeDigits(nanoseconds / 1_000_000_000)} s`
}

/** Returns a difference with its sign: `+12 ms`, `−3 ms`, `±0`. */
export function durationDifference(nanoseconds: number): string {
  if (nanoseconds === 0) return '±0'
  return `${nanoseconds > 0 ? '+' : '−'}${printDuration(Math.abs(nanoseconds))}`
}

export function byteSize(bytes: number): string {
  if (bytes < 1_024) return `${bytes} B`
  if (bytes < 1_048_576) return `${threeDigits(bytes / 1_024)} KiB`
  return `${threeDigits(bytes / 1_048_576)} MiB`
}

export function percent(part: number, whole: number): string {
  const share = whole === 0 ? 0 : (part / whole) * 100
  return `${share > 0 && share < 1 ? '< 1' : Math.round(share)} %`
}

/** `1 fetch`, `3 fetches`. */
export function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`
}

/** `a, b and c`. */
/** A message of somebody else inside a sentence: on one line, not long, and without an end of its own. */
export function quotedMessage(message: string): string {
  const line = message.replace(/\s+/g, ' ').trim().replace(/\.$/, '')
  return `“${line.length > 160 ? `${line.slice(0, 159)}…` : line}”`
}

export function printList(words: readonly string[]): string {
  const last = words.at(-1) ?? ''
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} and ${last}`
}

function threeDigits(value: number): string {
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : 2
  return String(Number(value.toFixed(digits)))
}
