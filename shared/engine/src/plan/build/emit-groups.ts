/**
 * Writes the delivery groups of a plan: which objects their fragments sit on, and whether they deliver any
 * field.
 */
import type { DeferredFragments } from '../../operation/normalise/normalised.ts'
import type { DraftNumbers } from './draft-numbers.ts'
import { type GroupId, INITIAL_GROUP, NO_GROUP } from '../../ids/ids.ts'
import type { Anchor, DeliveryGroup } from '../contract/plan.ts'

const INITIAL: DeliveryGroup = {
  id: INITIAL_GROUP,
  parent: NO_GROUP,
  label: null,
  anchors: [],
  isLive: true,
  completedAfter: [],
}

/**
 * The groups by their ids. A fragment at a place that the plan does not reach has no objects to sit on: it is
 * not live, and never announced.
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
