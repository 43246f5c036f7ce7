/** Rule: clients can ask something. */
import { graphFinding } from '../../../findings/finding.ts'
import type { GraphRule } from '../../checked/checked-graph.ts'

/** Finds graphs without a query. */
export const queries: GraphRule = function* queries({ types }) {
  if (types.get('Query').length === 0) yield graphFinding('NO_QUERIES', {}, [])
}
