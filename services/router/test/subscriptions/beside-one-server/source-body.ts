/** The request that a router opens the source of a subscription with. */
import {
  grantedBy,
  planOperation,
  prepareOperation,
  sourceRequest,
  type Authorization,
  type Graph,
} from '@switchyard/engine'
import type { SuiteOperation } from '@switchyard/corpus'

/** Returns its body; null if there is no source, since the root field may not be seen. */
export function sourceBody(
  graph: Graph,
  { query, variables }: SuiteOperation,
  authorization: Authorization,
): string | null {
  const prepared = prepareOperation(graph, { document: query, subscriptions: true })
  const coerced = prepared.coerceVariables({ ...variables })
  const granted = grantedBy(prepared, authorization)
  const plan = planOperation(prepared, coerced, { labels: new Set(), granted })
  return sourceRequest(graph, plan, coerced)?.body ?? null
}
