/** Events about rollouts on a state. Total, like all events. */
import type { RegistryEvent } from '@switchyard/contracts'
import type { NamespaceState, Rollout } from './namespace-state.ts'
import type { PersistentMap } from './persistent-map.ts'
import { afterRampEvent } from './ramp-events.ts'

/** An event about a rollout. */
export type RolloutEvent = Extract<RegistryEvent, { readonly type: `rollout.${string}` }>

export function isRolloutEvent(event: RegistryEvent): event is RolloutEvent {
  return event.type.startsWith('rollout.')
}

/** Applies an event about a rollout. */
export function applyRolloutEvent(state: NamespaceState, event: RolloutEvent): NamespaceState {
  if (event.type === 'rollout.created') return created(state, event)
  const rollout = state.rollouts.get(event.name)
  if (rollout === undefined) return state
  switch (event.type) {
    case 'rollout.updated': {
      const { type: _type, before, ...change } = event
      // Other groups, by hand: the plan of the ramp was for those that it began with.
      const { percent, where, key, mode } = change
      const isRegrouped = [percent, where, key, mode].some((member) => member !== undefined)
      const ramp = isRegrouped ? null : rollout.ramp
      const changed = withRollout(state, { ...rollout, ...withoutAbsent(change), ramp })
      return before === undefined ? changed : moved(changed, rollout.name, before)
    }
    case 'rollout.deleted':
      return withoutRollouts(state, (one) => one === rollout)
    default: {
      const at = { sequence: state.lastSequence, time: state.logTime }
      return withRollout(state, afterRampEvent(rollout, event, at))
    }
  }
}

/** Removes rollouts. Those that stay keep their order. */
export function withoutRollouts(
  state: NamespaceState,
  isGone: (rollout: Rollout) => boolean,
): NamespaceState {
  const gone = [...state.rollouts.values()].filter(isGone)
  if (gone.length === 0) return state
  let { rollouts } = state
  for (const { name } of gone) rollouts = rollouts.delete(name)
  for (const graph of new Set(gone.map((rollout) => rollout.graph)))
    rollouts = numbered(rollouts, inOrder(rollouts.values(), graph))
  return { ...state, rollouts }
}

/** Returns the rollouts of a graph in the order in which requests try them. */
export function inOrder(rollouts: Iterable<Rollout>, graph: string): readonly Rollout[] {
  return [...rollouts]
    .filter((rollout) => rollout.graph === graph)
    .sort((left, right) => left.place - right.place)
}

function created(
  state: NamespaceState,
  event: Extract<RolloutEvent, { readonly type: 'rollout.created' }>,
): NamespaceState {
  const { type: _type, before = null, expires = null, shadow = null, ...rollout } = event
  const place = inOrder(state.rollouts.values(), event.graph).length
  return moved(
    withRollout(state, { ...rollout, expires, shadow, status: 'active', ramp: null, place }),
    event.name,
    before,
  )
}

function withRollout(state: NamespaceState, rollout: Rollout): NamespaceState {
  return { ...state, rollouts: state.rollouts.set(rollout.name, rollout) }
}

/** Moves a rollout right before another one of its graph, or to the end if there is none of that name. */
function moved(state: NamespaceState, name: string, before: string | null): NamespaceState {
  const rollout = state.rollouts.get(name)
  if (rollout === undefined) return state
  const others = inOrder(state.rollouts.values(), rollout.graph).filter((one) => one.name !== name)
  const found = others.findIndex((one) => one.name === before)
  const order = others.toSpliced(found < 0 ? others.length : found, 0, rollout)
  return { ...state, rollouts: numbered(state.rollouts, order) }
}

function numbered(rollouts: PersistentMap<Rollout>, order: readonly Rollout[]): PersistentMap<Rollout> {
  return order.reduce(
    (map, rollout, place) => (rollout.place === place ? map : map.set(rollout.name, { ...rollout, place })),
    rollouts,
  )
}

function withoutAbsent(
  change: Omit<Extract<RolloutEvent, { readonly type: 'rollout.updated' }>, 'type' | 'before'>,
): Partial<Rollout> {
  const { mode, where, percent, key, expires, shadow } = change
  return {
    ...(mode === undefined ? {} : { mode }),
    ...(where === undefined ? {} : { where }),
    ...(percent === undefined ? {} : { percent }),
    ...(key === undefined ? {} : { key }),
    ...(expires === undefined ? {} : { expires }),
    ...(shadow === undefined ? {} : { shadow }),
  }
}
