/** The sources of views: the requested state, and its compositions and revisions. */
import type { FederatedGraph, NamespaceState } from '@switchyard/domain'
import type { CompositionEntry, CompositionResults } from '../reading/composition-results.ts'
import type { Fleet } from '../fleet/fleet.ts'
import type { RegistryReader } from '../reading/registry-reader.ts'
import type { RevisionHistory } from '../reading/revision-history.ts'

export type ViewSources = {
  readonly fold: RegistryReader
  readonly compositions: CompositionResults
  readonly revisions: RevisionHistory
  readonly fleet: Fleet
  /** Unix milliseconds. */
  readonly now: () => number
}

/**
 * The newest result of the graph itself, not of an earlier one of its name. It may be older than the last
 * change.
 */
export function newestResult(
  { fold, compositions }: ViewSources,
  state: NamespaceState,
  graph: FederatedGraph,
): CompositionEntry | null {
  const newest = compositions.newest({ namespace: state.namespace, graph: graph.name })
  if (newest === null || newest.record.type === 'graph.removed') return null
  return newest.record.registrySequence >= fold.createdAt(state.namespace, graph.name) ? newest : null
}

/** Null while the newest result is older than the last change of the graph. */
export function currentResult(
  sources: ViewSources,
  state: NamespaceState,
  graph: FederatedGraph,
): CompositionEntry | null {
  const newest = newestResult(sources, state, graph)
  if (newest === null) return null
  return newest.record.registrySequence >= sources.fold.lastAffected(state.namespace, graph.name)
    ? newest
    : null
}

/**
 * Reads the revisions that graphs are pinned to. It has to be called before the states of flags are asked
 * for.
 */
export async function recallPins(sources: ViewSources, state: NamespaceState): Promise<void> {
  for (const graph of state.graphs.values()) {
    const entry = currentResult(sources, state, graph)
    await sources.revisions.recallPin({ namespace: state.namespace, graph: graph.name }, entry)
  }
}
