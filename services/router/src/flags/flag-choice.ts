/** The choice of a composition for a request, before it is known whether that can be served. */
import type { DecidingRollout } from '@switchyard/rollouts'
import type { RequestedFlag } from './requested-flag.ts'

/**
 * The flag that a request names, or the choice of a rollout for one that names none: the rollout's flag, or
 * base for those outside of its percentage.
 */
export type FlagChoice =
  | RequestedFlag
  | { readonly from: 'rollout'; readonly name: string; readonly by: DecidingRollout }
  | { readonly from: 'rollout-control'; readonly by: DecidingRollout }

/** Returns the name of the rollout that made the choice; null if none did. */
export function rolloutOf(choice: FlagChoice): string | null {
  return 'by' in choice ? choice.by.rollout : null
}
