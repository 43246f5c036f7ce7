/** The properties of rollouts, in words. */
import type { RolloutView } from '@switchyard/contracts'
import { printRolloutCondition } from '@switchyard/rollouts'

/** Returns the percentage in force, and the percentage that was set if something keeps it from being so. */
export function printPercent(
  { inForce, percent, status, expires }: Pick<RolloutView, 'inForce' | 'percent' | 'status' | 'expires'>,
  now: number,
): string {
  if (expires !== null && Date.parse(expires) <= now) return `0 (expired, was ${inForce})`
  return status === 'active' ? String(inForce) : `${inForce} (${status}, was ${percent})`
}

/** Returns its conditions, or that it has none. */
export function printAudience({ where }: Pick<RolloutView, 'where'>): readonly string[] {
  return where.length === 0 ? ['everybody'] : where.map(printRolloutCondition)
}

/** Returns the sources of its key. */
export function printKey({ key }: Pick<RolloutView, 'key'>): string {
  return key.length === 0 ? '-' : key.join(', ')
}

/** Returns the state of its flag in its graph. */
export function printFlagState({ flagState }: Pick<RolloutView, 'flagState'>): string {
  return flagState ?? 'not served: the labels of the flag do not match the graph'
}

/** Returns what routers were given of it. */
export function printState({ state }: Pick<RolloutView, 'state'>): string {
  switch (state) {
    case 'live':
      return 'live'
    case 'pending':
      return 'pending: routers were not given it yet'
    case 'waiting':
      return 'waiting: routers have nothing to serve of its graph yet'
    default:
      return state satisfies never
  }
}

/** Returns how many routers have it. */
export function printRouters({ routers }: Pick<RolloutView, 'routers'>): string {
  return routers.total === 0 ? 'none has reported' : `${routers.serving}/${routers.total} serve it`
}
