import { RolloutList, RolloutView } from '@switchyard/contracts'
import { rolloutsOf, sortedByName } from '@switchyard/domain'
import { rolloutView } from '../../views/rollout-views.ts'
import { NamespacePath, ReadQuery, ResourcePath } from '../api/api.ts'
import { found, type ReadRoutes } from './read-route.ts'

export function rolloutReads({ add, sources }: ReadRoutes): void {
  add({
    url: '/v1/rollouts/:namespace',
    summary: 'List the rollouts of a namespace: by graph, in the order in which requests try them',
    params: NamespacePath,
    query: ReadQuery,
    answer: RolloutList,
    looksDownstream: true,
    read: ({ state }) => ({
      rollouts: sortedByName(state.graphs.values())
        .flatMap(({ name }) => rolloutsOf(state, name))
        .map((rollout) => rolloutView(sources, state, rollout)),
    }),
  })
  add({
    url: '/v1/rollouts/:namespace/:name',
    summary: 'A rollout, with what routers were given of it',
    params: ResourcePath,
    query: ReadQuery,
    answer: RolloutView,
    looksDownstream: true,
    read: ({ state, params: { name } }) =>
      rolloutView(sources, state, found(state.rollouts, 'rollout', name, state)),
  })
}
