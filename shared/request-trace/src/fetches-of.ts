import type { Trace, TraceFetch, TraceNode } from './schema.ts'

/** In the order of the tree: `depends_on` names them by their place here. */
export function fetchesOf(trace: Trace): readonly TraceFetch[] {
  const found: TraceFetch[] = []
  const visit = (node: TraceNode): void => {
    if (node.kind === 'Single') found.push(node.fetch)
    else node.children.forEach(visit)
  }
  visit(trace.fetches)
  return found
}
