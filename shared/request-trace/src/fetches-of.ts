import type { Trace, TraceFetch, TraceNode } from './schema.ts'

/** Returns the fetches in the order of the tree. `depends_on` names them by their index in this list. */
export function fetchesOf(trace: Pick<Trace, 'fetches'>): readonly TraceFetch[] {
  const found: TraceFetch[] = []
  const visit = (node: TraceNode): void => {
    if (node.kind === 'Single') found.push(node.fetch)
    else node.children.forEach(visit)
  }
  visit(trace.fetches)
  return found
}
