/** A rollout as the API shows it, with what became of it. */
import type { GraphName, RolloutView } from '@switchyard/contracts'
import { type NamespaceState, percentInForce, type Rollout } from '@switchyard/domain'
import { countRouters, hasRollouts } from './command-outcome.ts'
import { flagState } from './flag-state.ts'
import type { ViewSources } from './view-sources.ts'

export function rolloutView(sources: ViewSources, state: NamespaceState, rollout: Rollout): RolloutView {
  const graph = state.graphs.get(rollout.graph)
  const flag = state.flags.get(rollout.flag)
  const name = { namespace: state.namespace, graph: rollout.graph }
  const given = stateOf(sources, name)
  const routers = countRouters(sources, [{ graph: name, entry: sources.compositions.newest(name) }])
  return {
    ...rollout,
    where: [...rollout.where],
    key: [...rollout.key],
    namespace: state.namespace,
    inForce: percentInForce(rollout),
    flagState: graph === undefined || flag === undefined ? null : flagState(sources, state, graph, flag),
    state: given,
    routers: given === 'live' ? routers : { ...routers, serving: 0 },
  }
}

function stateOf(sources: ViewSources, graph: GraphName): RolloutView['state'] {
  if ((sources.revisions.told(graph)?.base ?? null) === null) return 'waiting'
  return hasRollouts(sources, graph) ? 'live' : 'pending'
}
