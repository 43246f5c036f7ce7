/** Writes down each deferred fragment: the objects it sits on, and whether anything is left to deliver. */
import type { DeferredFragments } from '../../operation/normalised.ts'
import type { Numbering } from './emit.ts'
import { type GroupId, INITIAL_GROUP, NO_GROUP } from '../../ids.ts'
import type { Anchor, DeliveryGroup } from '../plan.ts'

const INITIAL: DeliveryGroup = {
  id: INITIAL_GROUP,
  parent: NO_GROUP,
  label: null,
  anchors: [],
  live: true,
  holds: [],
}

/**
 * A place that no plan reaches has no objects for a fragment to sit on: nothing is ever heard of that
 * fragment.
 */
export function emitGroups(
  deferred: DeferredFragments | null,
  numbering: Numbering,
): readonly DeliveryGroup[] {
  if (deferred === null) return [INITIAL]
  const anchors = new Map<GroupId, Anchor[]>()
  for (const [position, at] of numbering.positionIds)
    for (const { group, types } of deferred.anchorsOf(position.selection)) {
      const known = anchors.get(group)
      if (known === undefined) anchors.set(group, [{ at, types }])
      else known.push({ at, types })
    }
  const groups: DeliveryGroup[] = [INITIAL]
  for (const { id, parent, label, isLive, holds } of deferred.groups) {
    const own = anchors.get(id) ?? []
    groups.push({ id, parent, label, anchors: own, live: isLive && own.length > 0, holds })
  }
  return groups
}
