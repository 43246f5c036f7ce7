import { FeatureFlagDetail, FeatureFlagList } from '@switchyard/contracts'
import { sortedByName } from '@switchyard/domain'
import { featureFlagDetail, featureFlagView } from '../../views/feature-flag-views.ts'
import { NamespacePath, ReadQuery, ResourcePath } from '../api/api.ts'
import { found, type ReadRoutes } from './read-route.ts'

export function featureFlagReads({ add, sources }: ReadRoutes): void {
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
    read: ({ state, params: { name } }) =>
      featureFlagDetail(sources, state, found(state.flags, 'feature flag', name, state)),
  })
}
