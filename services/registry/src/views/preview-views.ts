/** A preview as the API shows it, with its state in each graph that has what it replaces. */
import type { PreviewView } from '@switchyard/contracts'
import { type NamespaceState, type Preview, previewApplies, sortedByName } from '@switchyard/domain'
import { previewState } from './flag-state.ts'
import type { ViewSources } from './view-sources.ts'

export function previewView(sources: ViewSources, state: NamespaceState, preview: Preview): PreviewView {
  return {
    namespace: state.namespace,
    ...preview,
    subgraphs: preview.subgraphs.map((subgraph) => ({ ...subgraph })),
    graphs: sortedByName(state.graphs.values())
      .filter((graph) => previewApplies(state, graph, preview))
      .map((graph) => ({ graph: graph.name, state: previewState(sources, state, graph, preview) })),
  }
}
