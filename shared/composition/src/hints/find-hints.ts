/**
 * Finds definitions that compose but are probably mistakes. The codes are those of the federation
 * documentation.
 */
import type { CompositionHint } from '../contract/composition-result.ts'
import type { Located } from '../locations/place.ts'
import { descriptionHints } from './descriptions.ts'
import { differenceHints } from './differences.ts'
import { overrideHints } from './overrides.ts'
import { provisionHints } from './provisions.ts'
import { sharedDefinitions } from './shared-definitions.ts'
import { subscriptionHints } from './subscriptions.ts'
import { unenforcedAuthorizationHints } from './unenforced-authorization.ts'
import { withoutEffectHints } from './without-effect.ts'

/**
 * Returns all hints about a graph that composes. `isEnforced` means that routers enforce its authorization
 * directives.
 */
export function findHints(located: readonly Located[], isEnforced: boolean): readonly CompositionHint[] {
  const shared = sharedDefinitions(located)
  return [
    ...(isEnforced ? [] : located.flatMap((one) => unenforcedAuthorizationHints(one))),
    ...located.flatMap((one) => overrideHints(one, located)),
    ...located.flatMap((one) => provisionHints(one, located)),
    ...located.flatMap((one) => subscriptionHints(one)),
    ...located.flatMap((one) => withoutEffectHints(one)),
    ...differenceHints(located, shared),
    // These differ often and matter least: they come last, where a long list is cut.
    ...descriptionHints(located, shared),
  ]
}
