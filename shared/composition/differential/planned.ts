/** Whether routers can answer an operation: the proof that a field can be reached. */
import { compileSupergraph, openGraph, planOperation, prepareOperation } from '@switchyard/engine'

/** True if the operation has a plan in this supergraph, whatever labels are set. */
export function hasPlan(supergraphSdl: string, operation: string): boolean {
  const graph = openGraph(compileSupergraph(supergraphSdl))
  try {
    const prepared = prepareOperation(graph, { document: operation })
    const variables = prepared.coerceVariables({})
    return planOperation(prepared, variables, { labels: new Set() }).unreachable.length === 0
  } catch {
    return false
  }
}
