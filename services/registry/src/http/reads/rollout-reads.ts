import {
  problem,
  ProblemError,
  RolloutDifferences,
  RolloutFigures,
  RolloutList,
  RolloutView,
} from '@switchyard/contracts'
import { guardedRamp, rolloutsOf, sortedByName } from '@switchyard/domain'
import { rolloutDifferences } from '../../views/rollout-differences.ts'
import { rolloutFigures } from '../../views/rollout-figures.ts'
import { rolloutView } from '../../views/rollout-views.ts'
import { type ApiOptions, NamespacePath, ReadQuery, ResourcePath } from '../api/api.ts'
import { found, type ReadRoutes } from './read-route.ts'

export function rolloutReads(
  { add, sources }: ReadRoutes,
  { differences, figures }: Pick<ApiOptions, 'differences' | 'figures'>,
): void {
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
  add({
    url: '/v1/rollouts/:namespace/:name/figures',
    summary: 'What routers count of the step that the ramp of a rollout is at, and what its guards say of it',
    params: ResourcePath,
    query: ReadQuery,
    answer: RolloutFigures,
    looksDownstream: false,
    read: ({ state, params: { name } }) => {
      const { namespace } = state
      const rollout = found(state.rollouts, 'rollout', name, state)
      const step = guardedRamp(state, name)
      const counted = step === null ? null : { ramp: step.ramp, figures: figures.of(step) }
      const routers = sources.fleet.following({ namespace, graph: rollout.graph })
      return rolloutFigures(namespace, rollout, counted, routers)
    },
  })
  add({
    url: '/v1/rollouts/:namespace/:name/differences',
    summary: 'How answers of the flag of a rollout differ from those of base, as its routers found',
    params: ResourcePath,
    query: ReadQuery,
    answer: RolloutDifferences,
    looksDownstream: false,
    permission: 'trace',
    read: ({ state: { namespace, rollouts }, params: { name } }) => {
      const rollout = rollouts.get(name)
      // No other name is suggested: the permission includes no reading.
      if (rollout === undefined)
        throw new ProblemError(problem('NOT_FOUND', `There is no rollout "${name}".`))
      const { graph, flag } = rollout
      return rolloutDifferences(namespace, rollout, differences.of({ namespace, graph }, name, flag))
    },
  })
}
