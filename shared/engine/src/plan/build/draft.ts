/**
 * A plan under construction: positions, the slots that provide their objects, and the calls that fetch them.
 */
import type { FieldGoal, Selection } from '../../operation/normalised.ts'
import type { DocField, DocSelection } from '../document/document.ts'
import type { GroupId, SubgraphId, TypeId } from '../../ids.ts'
import type { Node } from '../search/query-graph.ts'

/** A position of the response whose providers are still being collected. */
export type DraftPosition = {
  readonly parent: DraftPosition | null
  readonly responseKey: string | null
  readonly selection: Selection
  /** Object types of the parent for which it exists. */
  readonly guard: Set<TypeId>
  readonly slots: Slot[]
  readonly children: DraftPosition[]
  readonly childByKey: Map<string, DraftPosition>
  readonly assigned: Map<TypeId, Map<FieldGoal, Assigned>>
  /** Inputs that delivery groups assign for calls of their own, by group. */
  readonly assignedFor: Map<GroupId, Map<TypeId, Map<FieldGoal, Assigned>>>
}

/** Where the value of a goal is read: the field of a document, and the position below it. */
export type Assigned = {
  readonly slot: Slot
  readonly field: DocField
  readonly child: DraftPosition | null
}

/** A provider under construction: the objects of one subgraph that are part of the objects at a position. */
export type Slot = {
  readonly position: DraftPosition
  /** The node of the declared type of the field, or of the entity. */
  readonly node: Node
  readonly doc: DocSelection
  readonly source:
    | { readonly kind: 'inline'; readonly parent: Slot; readonly field: DocField }
    | { readonly kind: 'call'; readonly call: DraftCall }
  /** Gives the runtime type that an interface object does not know. */
  discovers: boolean
  /** Non-null fields of an interface object that only some object types may be asked for; '' for none. */
  strict: string
  /** Set when another slot has taken over its work. */
  mergedInto: Slot | null
}

/** A root call or entity call that becomes a part of a fetch. */
export type DraftCall = {
  readonly kind: 'root' | 'entity'
  readonly sub: SubgraphId
  /** The delivery group that it is made for. */
  readonly group: GroupId
  readonly position: DraftPosition
  /** Mutation root groups run one after the other; always 0 for queries. */
  readonly barrier: number
  /** A root call at a deeper position that must not run before the objects there are known to exist. */
  readonly afterParent: boolean
  cases: DraftCase[]
  readonly reasons: Set<string>
}

/** The representation that is sent for objects of some types. */
export type DraftCase = {
  readonly types: Set<TypeId>
  readonly typename: string
  /** The runtime type need not be known. */
  readonly anyType: boolean
  readonly fields: readonly DraftRepField[]
}

/** A field of a representation, with the place its value is read from. */
export type DraftRepField =
  | {
      readonly kind: 'leaf'
      readonly name: string
      readonly slot: Slot
      readonly field: DocField
      readonly key: boolean
      /** By the type that the supergraph has it with. */
      readonly nonNull: boolean
    }
  | {
      readonly kind: 'object'
      readonly name: string
      readonly position: DraftPosition
      readonly key: boolean
      readonly nonNull: boolean
      readonly cases: readonly DraftCase[]
      readonly withTypename: boolean
    }

/** The slot that does the work of this one: itself, or the one that it was merged into. */
export function liveSlot(slot: Slot): Slot {
  return slot.mergedInto === null ? slot : liveSlot(slot.mergedInto)
}

/** The call whose answer holds the slot's objects. */
export function callFor(slot: Slot): DraftCall {
  const live = liveSlot(slot)
  return live.source.kind === 'call' ? live.source.call : callFor(live.source.parent)
}

/** The object type if it is known before anything runs. */
export function knownObjectType(position: DraftPosition, isObject: (type: TypeId) => boolean): TypeId | null {
  if (isObject(position.selection.type)) return position.selection.type
  const [first] = position.slots
  if (first === undefined || first.node.interfaceObject || !isObject(first.node.type)) return null
  return first.node.type
}

/** Slots whose objects tell their runtime type, where it is not known at plan time. */
export function typenameSlots(position: DraftPosition, isObject: (type: TypeId) => boolean): readonly Slot[] {
  if (knownObjectType(position, isObject) !== null) return []
  const [first] = position.slots
  if (first === undefined) return []
  if (!first.node.interfaceObject) return [first]
  return position.slots.filter((slot) => slot.mergedInto === null && slot.discovers)
}
