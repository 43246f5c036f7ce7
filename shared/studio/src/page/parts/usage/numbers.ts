/** Figures of usage as texts. */
const NUMBER = new Intl.NumberFormat('en')

export function countText(count: number): string {
  return NUMBER.format(count)
}

/** Returns errors with their share of all requests. */
export function errorsText({
  requests,
  errors,
}: {
  readonly requests: number
  readonly errors: number
}): string {
  if (errors === 0 || requests === 0) return countText(errors)
  return `${countText(errors)} (${Number(((errors / requests) * 100).toPrecision(2))} %)`
}

/** Returns a latency. The bucket that it is the beginning of is 19 % wide, so two digits are enough. */
export function latencyText(ms: number | null): string {
  return ms === null ? '–' : `${Number(ms.toPrecision(2))} ms`
}

/** Returns the name of a client with its version, or null if it gave none. */
export function clientText({
  name,
  version,
}: {
  readonly name: string | null
  readonly version: string | null
}): string | null {
  return name === null || version === null ? name : `${name} ${version}`
}
