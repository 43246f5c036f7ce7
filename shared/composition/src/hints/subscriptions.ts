/**
 * Hint: a subgraph has root fields of subscriptions. They compose, clients see them, and only routers whose
 * settings say so answer them.
 */
import { finding, type SubgraphFinding } from '../findings/finding.ts'
import type { SubgraphModel } from '../model/model.ts'

/** Finds the root fields of subscriptions. */
export function* subscriptions({ types }: SubgraphModel): Iterable<SubgraphFinding> {
  const type = types.get('Subscription')
  if ((type?.kind !== 'object' && type?.kind !== 'interface') || type.fields.size === 0) return
  const fields = [...type.fields.keys()].map((field) => `${type.name}.${field}`)
  const at = type.parts.map(({ name }) => ({ node: name }))
  yield finding('SUBSCRIPTIONS_NOT_SERVED', { fields }, at)
}
