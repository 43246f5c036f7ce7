/**
 * Fields that anybody is answered although a directive says who may see them: only where the graph allows it.
 */
import type { CompositionHint } from '../contract/composition-result.ts'
import { at, type Located } from '../locations/place.ts'
import { specifiedDirectives } from '../directives/specified-directives.ts'
import { isAuthorization } from '../directives/unsupported-directives.ts'
import { hint } from './hint.ts'

/**
 * One for each directive of the subgraph: the warning is repeated with every answer, so it must stay
 * readable.
 */
export function unenforcedAuthorizationHints(one: Located): readonly CompositionHint[] {
  const found = specifiedDirectives(one.written).filter(({ directive }) => isAuthorization(directive))
  return [...Map.groupBy(found, ({ node }) => node.name.value)].map(([name, applied]) =>
    hint(
      'AUTHORIZATION_NOT_ENFORCED',
      `[${one.name}] @${name} is not enforced by the router, which the graph allows: everybody who reaches the router is answered ${listed(applied.map(({ coordinate }) => coordinate))}.`,
      applied.flatMap(({ node, coordinate }) => at(one, node, `on "${coordinate}"`)),
    ),
  )
}

const LISTED = 5

function listed(coordinates: readonly string[]): string {
  const shown = coordinates.slice(0, LISTED).map((coordinate) => `"${coordinate}"`)
  const more = coordinates.length - shown.length
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ')
}
