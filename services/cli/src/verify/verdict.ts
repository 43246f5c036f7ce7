/** What comes of putting one operation to both gateways. */
import type { FetchId, Plan } from '@switchyard/engine'
import type { ResponsePath, StitchingLimitId } from '@switchyard/second-opinion'

export type Verdict =
  /** After so many runs: real data may move between two questions. */
  { readonly kind: 'equal'; readonly runs: number } | LimitVerdict | DifferentVerdict | OneOnlyVerdict

/** The stitched gateway is wrong as it is known to be. */
export type LimitVerdict = {
  readonly kind: 'limit'
  readonly limits: readonly StitchingLimitId[]
  readonly differences: readonly Difference[]
}

/** Both gateways answer, and not alike. */
export type DifferentVerdict = {
  readonly kind: 'different'
  readonly differences: readonly Difference[]
  /**
   * Whom a third, one server with the same values, agrees with; null where there is none (real subgraphs).
   */
  readonly oneServerAgreesWith: 'ours' | 'theirs' | 'neither' | null
  /** Null when the engine had no answer. */
  readonly plan: Plan | null
}

/** Only one gateway answers, or none. */
export type OneOnlyVerdict = {
  readonly kind: 'one-only'
  readonly answeredBy: 'ours' | 'theirs' | 'nobody'
  /** Of the refusal, the engine's where nobody answered. */
  readonly code: string
  readonly message: string
  /** Whether the one answer is that of one server; null where there is none. */
  readonly isConfirmed: boolean | null
}

/** One place at which two answers differ. */
export type Difference = {
  readonly path: ResponsePath
  /** As JSON values; a value that is not there is undefined. */
  readonly ours: unknown
  readonly theirs: unknown
  /** An error at this path that only one of them has. */
  readonly errorOf: 'ours' | 'theirs' | null
  /** Fetches of our plan that gave our value. */
  readonly fetches: readonly FetchId[]
}
