/** Subgraphs and feature subgraphs, as the log has them: nothing downstream adds to that. */
import type { SubgraphDetail, SubgraphView } from '@switchyard/contracts'
import {
  flagApplies,
  isLaunched,
  type NamespaceState,
  sortedByName,
  type Subgraph,
  takesPart,
} from '@switchyard/domain'

export function subgraphView(state: NamespaceState, subgraph: Subgraph): SubgraphView {
  return {
    namespace: state.namespace,
    name: subgraph.name,
    routingUrl: subgraph.routingUrl,
    labels: subgraph.kind === 'subgraph' ? [...subgraph.labels] : [],
    published: subgraph.schema !== null,
    schema: subgraph.schema?.sha256 ?? null,
    base: subgraph.kind === 'feature-subgraph' ? subgraph.base : null,
  }
}

export function subgraphDetail(state: NamespaceState, subgraph: Subgraph): SubgraphDetail {
  const { name } = subgraph
  const flags = sortedByName(state.flags.values()).filter((flag) => flag.featureSubgraphs.includes(name))
  const graphs = sortedByName(state.graphs.values()).filter((graph) =>
    subgraph.kind === 'subgraph'
      ? takesPart(graph, subgraph)
      : subgraph.schema !== null &&
        flags.some((flag) => flagApplies(state, graph, flag) && !isLaunched(state, flag)),
  )
  const replacing = sortedByName(state.subgraphs.values()).filter(
    (other) => other.kind === 'feature-subgraph' && other.base === name,
  )
  return {
    ...subgraphView(state, subgraph),
    bytes: subgraph.schema?.bytes ?? null,
    graphs: graphs.map((graph) => graph.name),
    featureSubgraphs: replacing.map((other) => other.name),
    featureFlags: flags.map((flag) => flag.name),
  }
}
