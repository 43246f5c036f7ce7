/** Where a solution is being turned into a draft: the objects of one type at one position, and what is made for them. */
import type { TypeRef } from '../../graph/compiled-graph.ts'
import type { FieldGoal, Selection } from '../../operation/normalised.ts'
import type { Assigned, DraftPosition, Slot } from './draft.ts'
import type { GroupId, TypeId } from '../../ids.ts'
import type { Visit } from '../search/solution.ts'

export type BuildScope = {
  readonly position: DraftPosition
  readonly object: TypeId
  /** Null at the root, where everything comes from root calls. */
  readonly source: Slot | null
  readonly visits: Map<Visit, Slot>
  /** Non-null fields that interface objects are asked for on behalf of this object type, by visit. */
  readonly strict: ReadonlyMap<Visit, string>
  /** Types of the source's fields that are selected on the interface itself, not type by type. */
  readonly onInterface: ReadonlyMap<string, TypeRef>
  readonly client: boolean
  /** What the calls made here are for. */
  readonly group: GroupId
  /** The same place for the group that its objects were fetched for; null when that is this one. */
  readonly base: BuildScope | null
  /** How later groups answer goals of this object type, where the position is that of other types as well. */
  readonly laterAnswers: ReadonlyMap<FieldGoal, string>
}

export function draftPosition(
  parent: DraftPosition | null,
  responseKey: string | null,
  selection: Selection,
): DraftPosition {
  return {
    parent,
    responseKey,
    selection,
    guard: new Set(),
    slots: [],
    children: [],
    childByKey: new Map(),
    assigned: new Map(),
    assignedFor: new Map(),
  }
}

/** What clients want is assigned once; inputs are so for each group, since none waits for another one's calls. */
export function assignedAt({ position, object, client, group, base }: BuildScope): Map<FieldGoal, Assigned> {
  let byType = position.assigned
  if (!client && base !== null) {
    byType = position.assignedFor.get(group) ?? new Map()
    position.assignedFor.set(group, byType)
  }
  const assigned = byType.get(object) ?? new Map<FieldGoal, Assigned>()
  byType.set(object, assigned)
  return assigned
}
