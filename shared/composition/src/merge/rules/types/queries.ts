/** Rule: clients can ask something. */
import { graphFinding, newFinding } from '../../../findings/finding.ts'
import type { CheckedGraph, GraphRule } from '../../checked/checked-graph.ts'
import { firstNameOf } from '../../checked/places.ts'

/** Finds graphs without a query, and those whose query has no field. */
export const queries: GraphRule = function* queries(graph) {
  const declarations = graph.types.get('Query')
  if (declarations.length === 0) yield graphFinding('NO_QUERIES', {}, [])
  else if (isWithoutFields(graph)) {
    const places = declarations.flatMap((one) => firstNameOf(one))
    yield newFinding(graphFinding('NO_QUERIES', {}, places))
  }
}

function isWithoutFields(graph: CheckedGraph): boolean {
  const query = graph.mergedType('Query')
  return query?.kind === 'object' && query.fields.length === 0
}
