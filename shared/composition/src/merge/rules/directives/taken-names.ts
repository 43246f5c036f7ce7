/** Rule: no subgraph defines what a supergraph defines for itself. */
import { graphFinding } from '../../../findings/finding.ts'
import { featuresOf } from '../../features.ts'
import type { GraphRule } from '../../checked/checked-graph.ts'
import { namesOf, place } from '../../checked/places.ts'

const TAKEN = /^(?:join|link|eventSources)__/

/** Finds types and composed directives that a supergraph would have twice. */
export const takenNames: GraphRule = function* takenNames({ types, merged, subgraphs }) {
  for (const name of types.names)
    if (TAKEN.test(name))
      yield graphFinding(
        'INVALID_GRAPHQL',
        { kind: 'taken-name', name },
        types.get(name).flatMap((one) => namesOf(one)),
      )
  const composed = new Set(subgraphs.flatMap((subgraph) => [...subgraph.composed.keys()]))
  if (composed.size === 0) return
  const defined = new Set<string>(['link', 'eventSources', ...[...merged.types.values()].flatMap(featuresOf)])
  if (defined.has('cost')) defined.add('listSize')
  for (const directive of composed) {
    if (!defined.has(directive) && !TAKEN.test(directive)) continue
    const places = subgraphs.flatMap(({ directives, composed: own }, at) => {
      const node = own.has(directive) ? directives.get(directive) : undefined
      return node === undefined ? [] : [place(at, node.name)]
    })
    yield graphFinding('DIRECTIVE_COMPOSITION_ERROR', { kind: 'taken-name', directive }, places)
  }
}
