import type { Trace, TraceFetch, TraceNode } from '@switchyard/request-trace'

/** A trace whose data, variables included, may be `RecordedJson`. */
export type RecordedTrace = Omit<Trace, 'request'> & {
  readonly request: Omit<Trace['request'], 'body'> & {
    readonly body: Omit<Trace['request']['body'], 'variables'> & { readonly variables: unknown }
  }
}

/** Returns the tree of fetches with each fetch changed. */
export function mapFetches(
  root: Trace['fetches'],
  change: (fetch: TraceFetch) => TraceFetch,
): Trace['fetches'] {
  const visit = (node: TraceNode): TraceNode =>
    node.kind === 'Single'
      ? { kind: 'Single', fetch: change(node.fetch) }
      : { kind: node.kind, children: node.children.map(visit) }
  return { kind: 'Sequence', children: root.children.map(visit) }
}
