import type { Graph } from '../../graph/graph.ts'
import { introspect, type IntrospectionResult } from '../../introspection/introspect.ts'
import type { ExecuteOptions } from '../contract/options.ts'

/**
 * The values of `__schema` and `__type`: what the caller gave, or else what is computed now; null if none is
 * selected.
 */
export function introspected(
  graph: Graph,
  { plan, variables, introspection }: ExecuteOptions,
): IntrospectionResult | null {
  if (introspection !== undefined || plan.introspection === null) return introspection ?? null
  return introspect(graph, plan.introspection, variables)
}
