/** The rollouts of a graph as routers get them. */
import type { GraphName, ManifestRollout, RampPlan } from '@switchyard/contracts'
import type { NamespaceState, Ramp, Rollout } from './namespace-state.ts'
import { inOrder } from './rollout-events.ts'

/** Returns the rollouts of a graph in the order in which requests try them. */
export function rolloutsOf(state: NamespaceState, graph: string): readonly Rollout[] {
  return inOrder(state.rollouts.values(), graph)
}

/** A ramp, with the rollout that it belongs to. */
export type RampOfRollout = GraphName & { readonly rollout: string; readonly ramp: Ramp }

/** Returns the running ramp of a rollout; null if there is no such rollout, or if no ramp of it runs. */
export function runningRamp(state: NamespaceState, name: string): RampOfRollout | null {
  const isActive = state.rollouts.get(name)?.status === 'active'
  const found = isActive ? rampOf(state, name) : null
  return found?.ramp.state === 'running' ? found : null
}

/** Returns the ramp of a rollout of which routers count figures while it runs; null if there is none. */
export function guardedRamp(state: NamespaceState, name: string): RampOfRollout | null {
  const found = rampOf(state, name)
  return found !== null && isGuarded(found.ramp) ? found : null
}

/** Whether a ramp needs the figures of routers. */
export function isGuarded({ guards, stop }: Pick<RampPlan, 'guards' | 'stop'>): boolean {
  return guards !== undefined || stop !== undefined
}

function rampOf({ namespace, rollouts }: NamespaceState, name: string): RampOfRollout | null {
  const { graph = '', ramp = null } = rollouts.get(name) ?? {}
  return ramp === null ? null : { namespace, graph, rollout: name, ramp }
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
    ...(ramp?.state === 'running' && isGuarded(ramp)
      ? { guard: { step: ramp.since, ...(ramp.stop === undefined ? {} : { stop: ramp.stop }) } }
      : {}),
  }
}
