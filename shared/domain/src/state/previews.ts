/** Where previews apply, and what their subgraphs are called. */
import { groupsMatch } from '@switchyard/contracts'
import type { FederatedGraph, NamespaceState, Preview, Subgraph } from './namespace-state.ts'

/** Labels match and there is a published schema. */
export function takesPart(graph: FederatedGraph, subgraph: Subgraph | undefined): boolean {
  return (
    subgraph?.kind === 'subgraph' &&
    subgraph.schema !== null &&
    groupsMatch(graph.labelGroups, subgraph.labels)
  )
}

/** Returns whether the graph has all subgraphs that the preview replaces. */
export function previewApplies(
  state: NamespaceState,
  graph: FederatedGraph,
  { subgraphs }: Preview,
): boolean {
  return subgraphs.every(({ base }) => takesPart(graph, state.subgraphs.get(base)))
}

/** Returns the name that a subgraph of a preview has in a composition. */
export function previewSubgraphName(base: string, flag: string): string {
  return `${base}/${flag.slice(flag.lastIndexOf('-') + 1)}`
}
