/**
 * Rule: merged input types do not require each other in a circle. An input field has the narrowest of its
 * types, so that subgraphs that have no circle themselves can make one together.
 */
import { graphFinding, type GraphPlace } from '../../../findings/finding.ts'
import { findCircles } from '../../../model/input-circles.ts'
import type { CheckedGraph, GraphRule } from '../../checked/checked-graph.ts'
import { nameOf } from '../../checked/places.ts'

/** Finds each circle once. */
export const inputCircles: GraphRule = function* inputCircles(graph) {
  const types = [...graph.inputs.values()].map(({ merged }) => merged)
  const circles = findCircles(types, {
    fieldsOf: (type) => type.fields,
    requiredBy: ({ type }) =>
      type.endsWith('!') ? (graph.inputs.get(type.slice(0, -1))?.merged ?? null) : null,
  })
  for (const circle of circles) {
    const fields = circle.map(({ type, field }) => `${type.name}.${field.name}`)
    const places = circle.flatMap(({ type, field }) => placesOf(graph, type.name, field.name))
    yield graphFinding('INVALID_GRAPHQL', { kind: 'input-circle', fields }, places)
  }
}

function placesOf({ inputs }: CheckedGraph, type: string, field: string): readonly GraphPlace[] {
  return (inputs.get(type)?.declarations ?? []).flatMap(({ at, model }) => {
    const found = model.fields.get(field)
    return found === undefined ? [] : [nameOf({ at, model: found })]
  })
}
