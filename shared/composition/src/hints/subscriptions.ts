/**
 * Root fields of subscriptions: they compose, clients see them, and the router answers no subscription yet.
 */
import type { CompositionHint } from '../contract/composition-result.ts'
import type { Located } from '../locations/place.ts'
import { names } from '../locations/rule.ts'
import { hint } from './hint.ts'

/** A hint for the root fields of subscriptions that a subgraph has. */
export function subscriptionHints(one: Located): readonly CompositionHint[] {
  const fields = [...(one.subgraph.types.get('Subscription')?.fields.keys() ?? [])]
  if (fields.length === 0) return []
  const listed = fields.map((field) => `"Subscription.${field}"`).join(', ')
  return [
    hint(
      'SUBSCRIPTIONS_NOT_SERVED',
      `[${one.name}] Subscriptions are not served yet: clients see ${listed} in the schema, and get the error SUBSCRIPTIONS_NOT_SUPPORTED when they subscribe.`,
      names([one], 'Subscription'),
    ),
  ]
}
