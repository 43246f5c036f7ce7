/** The rate limits that requests count for. */
/**
 * The rate limits that a request counts for. `waits` has the milliseconds that each rule would make the
 * request wait; 0 if the rule allows it.
 */
export type RateCount = {
  readonly rules: readonly { readonly name: string }[]
  readonly waits: readonly number[]
}
