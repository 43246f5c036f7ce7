/** The verdict on one operation that both gateways were asked. */
import type { FetchId, Plan } from '@switchyard/engine'
import type { ResponsePath, StitchingLimitId } from '@switchyard/second-opinion'

export type Verdict =
  /**
   * No difference lasted through all `runs` runs. There may be several, since real data may change meanwhile.
   */
  { readonly kind: 'equal'; readonly runs: number } | LimitVerdict | DifferentVerdict | OneOnlyVerdict

/** The answers differ by a known limit of the stitched gateway. */
export type LimitVerdict = {
  readonly kind: 'limit'
  readonly limits: readonly StitchingLimitId[]
  readonly differences: readonly Difference[]
}

/** The gateways gave different answers. */
export type DifferentVerdict = {
  readonly kind: 'different'
  readonly differences: readonly Difference[]
  /**
   * The gateway that a third one agrees with: a single server with the same values. Null if there is no such
   * server, as with real subgraphs.
   */
  readonly oneServerAgreesWith: 'ours' | 'theirs' | 'neither' | null
  /** Null when the engine had no answer. */
  readonly plan: Plan | null
}

/** Only one gateway answers, or none. */
export type OneOnlyVerdict = {
  readonly kind: 'one-only'
  readonly answeredBy: 'ours' | 'theirs' | 'nobody'
  /** The code of the refusal. If both gateways refused, it is that of the engine. */
  readonly code: string
  readonly message: string
  /** True if the single server gives the same answer. Null if there is no such server. */
  readonly isConfirmed: boolean | null
}

/** One place at which two answers differ. */
export type Difference = {
  readonly path: ResponsePath
  /** The values as JSON. A value that is missing is undefined. */
  readonly ours: unknown
  readonly theirs: unknown
  /** An error at this path that only one of them has. */
  readonly errorOf: 'ours' | 'theirs' | null
  /** Fetches of our plan that gave our value. */
  readonly fetches: readonly FetchId[]
}
