/** Hints about directives that compose and have no effect, since the router does not carry them out. */
import type { CompositionHint } from '../contract/composition-result.ts'
import { at, type Located } from '../locations/place.ts'
import { specifiedDirectives } from '../directives/specified-directives.ts'
import { reasonWithoutEffect } from '../directives/unsupported-directives.ts'
import { hint } from './hint.ts'

/** A hint for each directive of a subgraph that changes nothing. */
export function withoutEffectHints(one: Located): readonly CompositionHint[] {
  const found = specifiedDirectives(one.written).flatMap(({ node, directive }) => {
    const reason = reasonWithoutEffect(directive)
    return reason === null ? [] : [{ node, reason }]
  })
  return [...Map.groupBy(found, ({ node }) => node.name.value)].map(([name, applied]) =>
    hint(
      'DIRECTIVE_WITHOUT_EFFECT',
      `[${one.name}] @${name} has no effect: ${applied[0]?.reason ?? ''}`,
      applied.flatMap(({ node }) => at(one, node)),
    ),
  )
}
