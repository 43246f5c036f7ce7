/**
 * Rule: merged input types do not require each other in a circle. An input field has the narrowest of its
 * types, so that subgraphs that have no circle themselves can make one together.
 */
import { graphFinding, type GraphPlace } from '../../../findings/finding.ts'
import { declarationsOfKind } from '../../../graph/declarations.ts'
import type { MergedInputType } from '../../merged.ts'
import { findCircles } from '../../../model/input-circles.ts'
import type { CheckedGraph, GraphRule } from '../../checked/checked-graph.ts'
import { nameOf } from '../../checked/places.ts'

/** Finds each circle once. */
export const inputCircles: GraphRule = function* inputCircles(graph) {
  const types = [...graph.merged.types.values()].filter((type) => type.kind === 'input')
  const circles = findCircles(types, {
    fieldsOf: (type) => type.fields,
    requiredBy: ({ type }) => (type.endsWith('!') ? inputNamed(graph, type.slice(0, -1)) : null),
  })
  for (const circle of circles) {
    const fields = circle.map(({ type, field }) => `${type.name}.${field.name}`)
    const places = circle.flatMap(({ type, field }) => placesOf(graph, type.name, field.name))
    yield graphFinding('INVALID_GRAPHQL', { kind: 'input-circle', fields }, places)
  }
}

function inputNamed({ merged }: CheckedGraph, name: string): MergedInputType | null {
  const found = merged.types.get(name)
  return found?.kind === 'input' ? found : null
}

function placesOf({ types }: CheckedGraph, type: string, field: string): readonly GraphPlace[] {
  return declarationsOfKind(types.get(type), 'input').flatMap(({ at, model }) => {
    const found = model.fields.get(field)
    return found === undefined ? [] : [nameOf({ at, model: found })]
  })
}
