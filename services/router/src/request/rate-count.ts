/** The rate limits that requests count for. */
import { IncomingMessage } from 'node:http'

/**
 * The rate limits that a request counts for. `waits` has the milliseconds that each rule would make the
 * request wait; 0 if the rule allows it.
 */
export type RateCount = {
  readonly rules: readonly { readonly name: string }[]
  readonly waits: readonly number[]
}

/** A request that may have been counted before it was made, as the first operation of a batch. */
export abstract class CountedRequest extends IncomingMessage {
  /** The rate limits that it counts for already; null if it is still to be counted. */
  abstract readonly rateCounts: readonly RateCount[] | null
}
