import type { FeatureFlagDetail, FeatureFlagView } from '@switchyard/contracts'
import { type FeatureFlag, flagApplies, type NamespaceState, sortedByName } from '@switchyard/domain'
import { newestReports } from './composition-reports.ts'
import { flagStage } from './flag-stage.ts'
import { flagState } from './flag-state.ts'
import { newestResult, type ViewSources } from './view-sources.ts'

export function featureFlagView(
  sources: ViewSources,
  state: NamespaceState,
  flag: FeatureFlag,
): FeatureFlagView {
  const graphs = sortedByName(state.graphs.values()).flatMap((graph) => {
    const text = flagState(sources, state, graph, flag)
    return text === null ? [] : [{ graph: graph.name, state: text }]
  })
  const { launched } = flag
  const isServed = graphs.some((graph) => graph.state === 'served')
  return {
    namespace: state.namespace,
    name: flag.name,
    labels: [...flag.labels],
    featureSubgraphs: [...flag.featureSubgraphs],
    enabled: flag.enabled,
    graphs,
    ...(launched === null ? {} : { launched: { ...launched, promoted: [...launched.promoted] } }),
    stage: flagStage(sources, state, flag, isServed),
    use: sources.fleet.askedFlags.useOf(state.namespace, flag.name),
  }
}

export function featureFlagDetail(
  sources: ViewSources,
  state: NamespaceState,
  flag: FeatureFlag,
): FeatureFlagDetail {
  const graphs = sortedByName(state.graphs.values()).filter((graph) => flagApplies(state, graph, flag))
  return {
    ...featureFlagView(sources, state, flag),
    compositions: graphs.flatMap((graph) =>
      newestReports(graph.name, newestResult(sources, state, graph)).filter(
        ({ featureFlag }) => featureFlag === flag.name,
      ),
    ),
  }
}
