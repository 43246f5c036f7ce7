import { FeatureFlagDetail, FeatureFlagList } from '@switchyard/contracts'
import { sortedByName } from '@switchyard/domain'
import { featureFlagDetail, featureFlagView } from '../../views/feature-flag-views.ts'
import { requestsOfFlag } from '../../usage/requests-of-flag.ts'
import { type ApiOptions, NamespacePath, ReadQuery, ResourcePath } from '../api/api.ts'
import { found, type ReadRoutes } from './read-route.ts'

export function featureFlagReads({ add, sources }: ReadRoutes, { usage }: ApiOptions): void {
  add({
    url: '/v1/feature-flags/:namespace',
    summary: 'List the feature flags of a namespace, with their state per graph',
    params: NamespacePath,
    query: ReadQuery,
    answer: FeatureFlagList,
    looksDownstream: true,
    read: ({ state }) => ({
      featureFlags: sortedByName(state.flags.values()).map((flag) => featureFlagView(sources, state, flag)),
    }),
  })
  add({
    url: '/v1/feature-flags/:namespace/:name',
    summary: 'A feature flag, with its state and its newest composition per graph',
    params: ResourcePath,
    query: ReadQuery,
    answer: FeatureFlagDetail,
    looksDownstream: true,
    read: async ({ state, params: { name } }) => {
      const flag = found(state.flags, 'feature flag', name, state)
      const detail = featureFlagDetail(sources, state, flag)
      const graphs = detail.graphs.map(({ graph }) => graph)
      const lastDay =
        usage === null ? null : await requestsOfFlag(usage.answers, state.namespace, graphs, name)
      return lastDay === null ? detail : { ...detail, lastDay }
    },
  })
}
