/**
 * A plan under construction: positions, the providers of their objects, and the calls that fetch them.
 */
import type { FieldGoal, Selection } from '../../operation/normalise/normalised.ts'
import type { DocumentField, DocumentSelection } from '../document/document.ts'
import type { GroupId, SubgraphId, TypeId } from '../../ids/ids.ts'
import type { Node } from '../../graph/moves/query-graph.ts'

/** A position of the response whose providers are still being collected. */
export type DraftPosition = {
  readonly parent: DraftPosition | null
  readonly responseKey: string | null
  readonly selection: Selection
  /** Object types of the parent for which the position exists. */
  readonly guard: Set<TypeId>
  readonly providers: DraftProvider[]
  readonly children: DraftPosition[]
  readonly childByKey: Map<string, DraftPosition>
  /** Where goals of the client are read, by the object type they are wanted of. */
  readonly assignedByType: Map<TypeId, Map<FieldGoal, AssignedField>>
  /** Where the inputs of calls are read that delivery groups make for themselves, by group. */
  readonly assignedByGroup: Map<GroupId, Map<TypeId, Map<FieldGoal, AssignedField>>>
}

/** The place where the value of a goal is read: the field of a document, and the position below it. */
export type AssignedField = {
  readonly provider: DraftProvider
  readonly field: DocumentField
  readonly child: DraftPosition | null
}

/** A provider under construction: the objects of one subgraph that are part of the objects at a position. */
export type DraftProvider = {
  readonly position: DraftPosition
  /** The node of the declared type of the field, or of the entity. */
  readonly node: Node
  readonly document: DocumentSelection
  readonly source:
    | { readonly kind: 'inline'; readonly parent: DraftProvider; readonly field: DocumentField }
    | { readonly kind: 'call'; readonly call: DraftCall }
  /** Gives the runtime type that an interface object does not know. */
  tellsType: boolean
  /** Names the non-null fields that an interface object is asked for; '' for none. */
  nonNullFields: string
  /** The provider that its call was merged into, if it was. */
  mergedInto: DraftProvider | null
}

/** A root call or entity call that becomes a part of a fetch. */
export type DraftCall = {
  readonly kind: 'root' | 'entity'
  readonly subgraph: SubgraphId
  /** The delivery group that it is made for. */
  readonly group: GroupId
  readonly position: DraftPosition
  /** A call is made after all calls with a smaller number; always 0 for queries. */
  readonly barrier: number
  /** A root call at a deeper position that must not run before the objects there are known to exist. */
  readonly afterParent: boolean
  cases: DraftRepresentation[]
  /** Why the call is made, for the printed plan. */
  readonly reasons: Set<string>
}

/** The representation that is sent for objects of some types. */
export type DraftRepresentation = {
  readonly types: Set<TypeId>
  readonly typename: string
  /** The representation can be sent for objects whose runtime type is not known. */
  readonly anyType: boolean
  readonly fields: readonly DraftRepresentationField[]
}

/** A field of a representation, with the place its value is read from. */
export type DraftRepresentationField =
  | {
      readonly kind: 'leaf'
      readonly name: string
      readonly provider: DraftProvider
      readonly field: DocumentField
      readonly key: boolean
      /** The field is non-null in the supergraph. */
      readonly nonNull: boolean
    }
  | {
      readonly kind: 'object'
      readonly name: string
      readonly position: DraftPosition
      readonly key: boolean
      readonly nonNull: boolean
      readonly cases: readonly DraftRepresentation[]
      readonly withTypename: boolean
    }

/** The provider itself, or the one that it was merged into. */
export function liveProvider(provider: DraftProvider): DraftProvider {
  return provider.mergedInto === null ? provider : liveProvider(provider.mergedInto)
}

/** The call whose answer holds the provider's objects. */
export function callFor(provider: DraftProvider): DraftCall {
  const live = liveProvider(provider)
  return live.source.kind === 'call' ? live.source.call : callFor(live.source.parent)
}

/** The object type of a position's objects if it is known before anything runs; else null. */
export function knownObjectType(position: DraftPosition, isObject: (type: TypeId) => boolean): TypeId | null {
  if (isObject(position.selection.type)) return position.selection.type
  const [first] = position.providers
  if (first === undefined || first.node.interfaceObject || !isObject(first.node.type)) return null
  return first.node.type
}

/** The providers whose objects tell their runtime type; none where it is known before anything runs. */
export function typenameProviders(
  position: DraftPosition,
  isObject: (type: TypeId) => boolean,
): readonly DraftProvider[] {
  if (knownObjectType(position, isObject) !== null) return []
  const [first] = position.providers
  if (first === undefined) return []
  if (!first.node.interfaceObject) return [first]
  return position.providers.filter((provider) => provider.mergedInto === null && provider.tellsType)
}
