/** Writes down each deferred fragment: the objects it sits on, and whether anything is left to deliver. */
import type { DeferredFragments } from '../../operation/normalised.ts'
import type { DraftNumbers } from './emit.ts'
import { type GroupId, INITIAL_GROUP, NO_GROUP } from '../../ids.ts'
import type { Anchor, DeliveryGroup } from '../plan.ts'

const INITIAL: DeliveryGroup = {
  id: INITIAL_GROUP,
  parent: NO_GROUP,
  label: null,
  anchors: [],
  isLive: true,
  completedAfter: [],
}

/**
 * A place that no plan reaches has no objects for a fragment to sit on: nothing is ever heard of that
 * fragment.
 */
export function emitGroups(
  deferred: DeferredFragments | null,
  numbers: DraftNumbers,
): readonly DeliveryGroup[] {
  if (deferred === null) return [INITIAL]
  const anchors = new Map<GroupId, Anchor[]>()
  for (const [position, at] of numbers.positionIds)
    for (const { group, types } of deferred.anchorsOf(position.selection)) {
      const known = anchors.get(group)
      if (known === undefined) anchors.set(group, [{ at, types }])
      else known.push({ at, types })
    }
  const groups: DeliveryGroup[] = [INITIAL]
  for (const group of deferred.groups) {
    const own = anchors.get(group.id) ?? []
    groups.push({ ...group, anchors: own, isLive: group.isLive && own.length > 0 })
  }
  return groups
}
