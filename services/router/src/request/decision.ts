/** The decision which composition is to answer a request. */
import type { RolloutTable } from '@switchyard/rollouts'
import type { FlagChoice } from '../flags/flag-choice.ts'
import type { Asking } from './asking.ts'

/** The visitor that a cookie of the router tells. */
export type Visitor = {
  readonly id: string
  /** The value of `Set-Cookie` for a visitor who had no cookie; null for one who had. */
  readonly newCookie: string | null
}

/** The choice for one request, and what it was made by. */
export type Decision = {
  readonly choice: FlagChoice
  /** The rollouts of the config at that moment; null if it has none. */
  readonly rollouts: RolloutTable<Asking> | null
  /** The request as the rollouts looked at it; null if they did not, since it names a flag. */
  readonly asking: Asking | null
  /** Unix milliseconds; 0 if no rollout was looked at. */
  readonly at: number
  /** The visitor; null if nothing asks for it, or the request tells none. */
  readonly visitor: Visitor | null
}

/**
 * Whether another user may get another composition for the same request: it names no flag, and rollouts read
 * who asks. The answer is for its user alone then, whichever composition it is from.
 */
export function isForOneUser(decision: Decision | null): boolean {
  if (decision === null || decision.rollouts === null || decision.asking === null) return false
  return decision.rollouts.isPersonal(decision.at)
}
