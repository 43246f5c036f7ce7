/** What the lists show: the state of the namespace, and beside it what became of it downstream. */
import type { FeatureFlagView, FederatedGraphView, SubgraphView } from '@switchyard/contracts'
import {
  compositionInputs,
  type FeatureFlag,
  type FederatedGraph,
  flagApplicability,
  type NamespaceState,
  sortedByName,
} from '@switchyard/domain'
import { artifactOf } from './command-outcome.ts'
import type { CompositionEntry, CompositionResults } from './composition-results.ts'
import type { PublishedConfig, PublishedConfigs } from './published-configs.ts'
import type { RegistryFold } from './registry-fold.ts'

export type ViewSources = {
  readonly fold: RegistryFold
  readonly compositions: CompositionResults
  readonly configs: PublishedConfigs
}

export function subgraphViews(state: NamespaceState): SubgraphView[] {
  return sortedByName(state.subgraphs.values()).map((subgraph) => ({
    namespace: state.namespace,
    name: subgraph.name,
    routingUrl: subgraph.routingUrl,
    labels: subgraph.kind === 'subgraph' ? [...subgraph.labels] : [],
    published: subgraph.schema !== null,
    schema: subgraph.schema?.sha256 ?? null,
    base: subgraph.kind === 'feature-subgraph' ? subgraph.base : null,
  }))
}

export function graphViews(sources: ViewSources, state: NamespaceState): FederatedGraphView[] {
  return sortedByName(state.graphs.values()).map((graph) => ({
    namespace: state.namespace,
    name: graph.name,
    labelMatchers: [...graph.labelMatchers],
    subgraphs: (compositionInputs(state, graph.name)?.base ?? []).map((input) => input.name),
    base: baseState(currentResult(sources, state, graph)),
    revision: sources.configs.newest({ namespace: state.namespace, graph: graph.name })?.revision ?? null,
    pinnedRevision: graph.pinnedRevision,
  }))
}

export function flagViews(sources: ViewSources, state: NamespaceState): FeatureFlagView[] {
  return sortedByName(state.flags.values()).map((flag) => ({
    namespace: state.namespace,
    name: flag.name,
    labels: [...flag.labels],
    featureSubgraphs: [...flag.featureSubgraphs],
    enabled: flag.enabled,
    graphs: sortedByName(state.graphs.values()).flatMap((graph) => {
      const text = flagState(sources, state, graph, flag)
      return text === null ? [] : [{ graph: graph.name, state: text }]
    }),
  }))
}

/** Null while the newest result is older than the last change of the graph. */
function currentResult(
  { fold, compositions }: ViewSources,
  state: NamespaceState,
  graph: FederatedGraph,
): CompositionEntry | null {
  const newest = compositions.newest({ namespace: state.namespace, graph: graph.name })
  if (newest === null) return null
  return newest.record.registrySequence >= fold.lastAffected(state.namespace, graph.name) ? newest : null
}

function baseState(entry: CompositionEntry | null): FederatedGraphView['base'] {
  if (entry === null || entry.record.type === 'graph.removed') return 'pending'
  const { status } = entry.record.base
  return status === 'reused' ? 'composed' : status
}

/** Null for a graph that the flag's labels do not choose. */
function flagState(
  sources: ViewSources,
  state: NamespaceState,
  graph: FederatedGraph,
  flag: FeatureFlag,
): string | null {
  const name = { namespace: state.namespace, graph: graph.name }
  const config = sources.configs.newest(name)
  const applicability = flagApplicability(state, graph, flag)
  if (applicability.kind === 'applies') {
    return servedState(currentResult(sources, state, graph), config, flag.name)
  }
  const isLeaving = config?.featureFlags.has(flag.name) === true
  if (applicability.kind === 'other-labels') return isLeaving ? 'pending' : null
  if (isLeaving) return 'pending'
  if (applicability.kind === 'disabled') return 'not served: the flag is disabled'
  if (applicability.kind === 'nothing-published') {
    return 'not served: none of its feature subgraphs has a published schema'
  }
  const bases = applicability.bases.map((base) => `"${base}"`).join(', ')
  return `not served: it replaces ${bases}, which takes no part in this graph`
}

function servedState(entry: CompositionEntry | null, config: PublishedConfig | null, flag: string): string {
  if (entry === null || entry.record.type === 'graph.removed') return 'pending'
  const { base, featureFlags, pinnedRevision } = entry.record
  const result = featureFlags.find((item) => item.name === flag)?.result
  if (result === undefined) return 'pending'
  const served = config?.featureFlags.get(flag)
  if (pinnedRevision !== null) {
    return served === undefined ? `not served: the graph is held on revision ${pinnedRevision}` : 'served'
  }
  if (base.status === 'failed' || base.status === 'empty') {
    if (served !== undefined) return 'served'
    return base.status === 'failed'
      ? 'not served: the base composition fails'
      : 'not served: the graph has nothing to compose'
  }
  if (result.status === 'failed') {
    if (served !== undefined) return 'pending'
    const [first] = result.errors
    return `not served: its composition fails${first === undefined ? '' : ` (${first.code}: ${first.message})`}`
  }
  return served !== undefined && served === artifactOf(result) ? 'served' : 'pending'
}
