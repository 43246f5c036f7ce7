/** The state of the builder while it adds the goals of the objects of one type at one position. */
import type { TypeRef } from '../../graph/compiled/compiled-graph.ts'
import type { FieldGoal, Selection } from '../../operation/normalise/normalised.ts'
import type { AssignedField, DraftPosition, DraftProvider } from './draft.ts'
import type { GroupId, TypeId } from '../../ids/ids.ts'
import type { PossibleCall } from '../search/solution.ts'

/** The objects of one type at one position, and the calls that are made for them. */
export type BuildScope = {
  readonly position: DraftPosition
  readonly object: TypeId
  /** The provider that the objects come from; null at the root, where everything comes from root calls. */
  readonly source: DraftProvider | null
  /** The providers of the calls that were built so far. */
  readonly providerByCall: Map<PossibleCall, DraftProvider>
  /** Non-null fields that interface objects are asked for on behalf of this object type, by call. */
  readonly nonNullFields: ReadonlyMap<PossibleCall, string>
  /** Types of the source's fields that are selected on the interface itself, not type by type. */
  readonly onInterface: ReadonlyMap<string, TypeRef>
  /** Goals of the client are built; else inputs of calls. */
  readonly isForClient: boolean
  /** The delivery group that calls are made for. */
  readonly group: GroupId
  /** The scope of the group that the objects were fetched for; null if that is this group. */
  readonly base: BuildScope | null
  /** How later groups answer goals of this object type, where the position is that of other types as well. */
  readonly laterAnswers: ReadonlyMap<FieldGoal, string>
}

/** A position without providers and children yet. */
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
    providers: [],
    children: [],
    childByKey: new Map(),
    assignedByType: new Map(),
    assignedByGroup: new Map(),
  }
}

/**
 * Where the goals of a scope are assigned. Those of the client are assigned once, inputs once for each
 * delivery group: no group waits for calls of another one.
 */
export function assignedAt({
  position,
  object,
  isForClient: client,
  group,
  base,
}: BuildScope): Map<FieldGoal, AssignedField> {
  let byType = position.assignedByType
  if (!client && base !== null) {
    byType = position.assignedByGroup.get(group) ?? new Map()
    position.assignedByGroup.set(group, byType)
  }
  const assigned = byType.get(object) ?? new Map<FieldGoal, AssignedField>()
  byType.set(object, assigned)
  return assigned
}
