/** The decisions of rollouts about a request, and their explanations. */
import type { RolloutCondition } from '@switchyard/contracts'
import type { PropertyValue } from './read-values.ts'

/** The key of a request: the first property of the rollout's list that the request has. */
export type RequestKey = {
  /** The property as the rollout names it. */
  readonly source: string
  readonly text: string
  /** From 0 to 9,999. */
  readonly bucket: number
}

/** The rollout that decided about a request. */
export type DecidingRollout = {
  readonly rollout: string
  readonly flag: string
  readonly percent: number
  /** Null if the rollout needs none, since it is for everybody of its audience, or for nobody. */
  readonly key: RequestKey | null
}

/**
 * The decision about a request that names no flag: the flag of a rollout, base since the request is outside
 * of the percentage of a rollout, or base since no rollout is for it.
 */
export type RolloutDecision =
  | { readonly kind: 'none' }
  | (DecidingRollout & { readonly kind: 'inside' | 'control' })

/**
 * The outcome of one rollout for a request: it decided (`inside`, `control`), its conditions do not all hold
 * (`other-audience`), the request has none of its keys (`no-key`), or nobody looks at it, since it has
 * expired, the config has no such flag (`unknown-flag`), its flag is not served by it (`not-serving`), or it
 * has a percentage and no key (`keyless`). One that is not understood (`not-understood`) ends the list for a
 * request that may be of its audience: base answers. `taken-back`: it decided, but a newer manifest, whose
 * compositions are being built, decides otherwise, so that base answers.
 */
export type RolloutOutcome =
  | 'inside'
  | 'control'
  | 'other-audience'
  | 'no-key'
  | 'expired'
  | 'unknown-flag'
  | 'not-serving'
  | 'keyless'
  | 'not-understood'
  | 'taken-back'

/** A condition, and whether a request fulfils it. */
export type ExplainedCondition = {
  readonly condition: RolloutCondition
  /** The value of its property; null if the request lacks the property. */
  readonly seen: PropertyValue
  readonly holds: boolean
  /** The reason why it holds for nobody; null if it may hold. */
  readonly problem: string | null
}

/** The way of one request through one rollout. */
export type ExplainedRollout = DecidingRollout & {
  readonly outcome: RolloutOutcome
  /** Empty if nobody looks at the rollout. */
  readonly conditions: readonly ExplainedCondition[]
}

/** The rollouts up to the one that decided, in their order. Later ones are not looked at. */
export type RolloutExplanation = {
  readonly decision: RolloutDecision
  readonly rollouts: readonly ExplainedRollout[]
}
