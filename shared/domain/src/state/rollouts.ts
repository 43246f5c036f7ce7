/** The rollouts of a graph as routers get them. */
import type { ManifestRollout } from '@switchyard/contracts'
import type { NamespaceState, Rollout } from './namespace-state.ts'
import { inOrder } from './rollout-events.ts'

/** Returns the rollouts of a graph in the order in which requests try them. */
export function rolloutsOf(state: NamespaceState, graph: string): readonly Rollout[] {
  return inOrder(state.rollouts.values(), graph)
}

/** Returns the percentage in force. */
export function percentInForce({ status, percent }: Pick<Rollout, 'status' | 'percent'>): number {
  if (status === 'aborted') return 0
  return status === 'completed' ? 100 : percent
}

/** Returns the rollouts of a graph as its manifest carries them. */
export function manifestRollouts(state: NamespaceState, graph: string): ManifestRollout[] {
  return rolloutsOf(state, graph).map(manifestRollout)
}

/** Returns a rollout as a manifest carries it, its members in the order of the schema. */
export function manifestRollout(rollout: Rollout): ManifestRollout {
  const { name, flag, mode, where, key, salt, expires, shadow, ramp } = rollout
  const isGuarded = ramp?.state === 'running' && (ramp.guards !== undefined || ramp.stop !== undefined)
  return {
    name,
    flag,
    mode,
    where: [...where],
    percent: percentInForce(rollout),
    key: [...key],
    salt,
    ...(expires === null ? {} : { expires }),
    ...(shadow === null ? {} : { shadow }),
    ...(isGuarded
      ? { guard: { step: ramp.since, ...(ramp.stop === undefined ? {} : { stop: ramp.stop }) } }
      : {}),
  }
}
