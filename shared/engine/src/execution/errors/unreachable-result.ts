import type { Plan } from '../../plan/contract/plan.ts'
import type { ExecutionResult } from '../contract/response.ts'

/** The whole response to an operation with fields that no subgraph resolves: one error each, and no data. */
export function unreachableResult(plan: Plan): ExecutionResult {
  const errors = plan.unreachable.map(({ path, coordinate }) => ({
    message: unreachableMessage(coordinate),
    ...(path.length === 0 ? {} : { path }),
    extensions: { code: 'PLAN_UNREACHABLE' },
  }))
  return { data: null, errors }
}

function unreachableMessage(coordinate: string): string {
  const [type = '', field] = coordinate.split('.')
  return field === '__typename'
    ? `No subgraph can tell which type the "${type}" at this place of the graph has, and the answer depends on it.`
    : `No subgraph can resolve "${coordinate}" at this place of the graph.`
}
