/** The decision which composition is to answer a request. */
import type { Rollouts } from '@switchyard/rollouts'
import type { FlagChoice } from '../flags/flag-choice.ts'
import type { Asking } from './asking.ts'
import type { StandIn } from './stand-in.ts'

/** The visitor that a cookie of the router tells. */
export type Visitor = {
  readonly id: string
  /** The value of `Set-Cookie` for a visitor who had no cookie; null for one who had. */
  readonly newCookie: string | null
}

/** The stand-in that a choice was made for. It is ignored if the request may not be traced. */
export type DecidedStandIn =
  | { readonly kind: 'none' }
  | { readonly kind: 'ignored' }
  | {
      readonly kind: 'used'
      readonly given: StandIn
      /** The stand-in as settings look at requests that tell them apart. */
      readonly asking: Asking
      /** Whether the request itself names a flag, which wins. */
      readonly isOverruled: boolean
    }

export const NO_STAND_IN: DecidedStandIn = { kind: 'none' }

/** The choice for one request, and what it was made by. */
export type Decision = {
  readonly choice: FlagChoice
  /** The rollouts by which requests were decided at that moment; null if there were none. */
  readonly rollouts: Rollouts<Asking> | null
  /** The request as the rollouts looked at it; null if they did not, since it names a flag. */
  readonly asking: Asking | null
  /** Unix milliseconds; 0 if no rollout was looked at. */
  readonly at: number
  /** The visitor; null if nothing asks for it, or the request tells none. */
  readonly visitor: Visitor | null
  readonly standIn: DecidedStandIn
}

/**
 * Whether another user may get another composition for the same request: it names no flag, and rollouts read
 * who asks. The answer is for its user alone then, whichever composition it is from.
 */
export function isForOneUser(decision: Decision | null): boolean {
  if (decision === null || decision.rollouts === null || decision.asking === null) return false
  return decision.rollouts.isPersonal(decision.at)
}
