/**
 * The form of an operation after normalisation: without fragments, conditions and duplicates.
 *
 * Goals are listed for each object type, because a value has an object type when the operation runs. Types
 * that are asked for the same share one list of goals, so the identity of a goal tells what is wanted:
 *
 *     { node { id ... on Book { pages } } }    selection of `node`:   Book → id, pages    Album → id
 */
import type { OperationKind } from '../operation-kind.ts'
import type { TypeRef } from '../../graph/compiled/compiled-graph.ts'
import type { GroupId, TypeId } from '../../ids/ids.ts'

/** The goals for the objects at one place, by their object type. */
export type Selection = {
  /** Declared type of the place. */
  readonly type: TypeId
  /**
   * The goals of each possible type that is visible here, in ascending order of type; also of types with
   * nothing selected.
   */
  readonly byType: ReadonlyMap<TypeId, readonly Goal[]>
  /** The part that one source left unanswered. The source tells the types, unless `__typename` is a goal. */
  readonly isRest?: true
}

/** One thing that is wanted of an object. */
export type Goal = FieldGoal | TypenameGoal | IntrospectionGoal | DeniedGoal

/** A field of a subgraph, with everything that is wanted below it. */
export type FieldGoal = {
  readonly kind: 'field'
  /** The client's response key, or the field's name for keys and requires inputs. */
  readonly key: string
  readonly name: string
  /** Canonical text with parentheses, '' for none. */
  readonly args: string
  readonly variables: readonly string[]
  /** Type in the supergraph. */
  readonly type: TypeRef
  readonly child: Selection | null
  /** The `@defer` that delivers it, 0 for none. */
  readonly group: GroupId
  /** Others that select it as well: the next one delivers it where that one fails. Ascending. */
  readonly fallbackGroups: readonly GroupId[]
  /** Set on a remainder: the goal as it was wanted, of which another subgraph answers the rest. */
  readonly whole: FieldGoal | null
  /**
   * Set on goals of a deferred fragment that another subgraph than the source would answer without `@defer`,
   * too.
   */
  readonly elsewhere?: true
}

/** The field `__typename`. */
export type TypenameGoal = {
  readonly kind: 'typename'
  readonly key: string
  /** As those of the object. */
  readonly group: GroupId
  readonly fallbackGroups: readonly GroupId[]
}
/** A root field `__schema` or `__type`, which no subgraph is asked for. */
export type IntrospectionGoal = {
  readonly kind: 'introspection'
  readonly key: string
  readonly group: GroupId
  readonly fallbackGroups: readonly GroupId[]
}

/**
 * A field that the request may not see: nobody is asked for it, and the response has an error in its place.
 */
export type DeniedGoal = {
  readonly kind: 'denied'
  readonly key: string
  readonly name: string
  readonly nonNull: boolean
  readonly group: GroupId
  readonly fallbackGroups: readonly GroupId[]
}

/** A fragment with `@defer` sits on these objects; `types` null: whatever their type is. */
export type SelectionAnchor = { readonly group: GroupId; readonly types: readonly TypeId[] | null }

/** A delivery group, before it is known at which positions of the plan its fragment sits. */
export type DeliveryGroupOutline = {
  readonly id: GroupId
  /** The nearest live group around it, 0 if there is none; -1 for group 0 itself. */
  readonly parent: GroupId
  readonly label: string | null
  /** It owns a field, or delivers one if the owner fails. A group that is not live is never announced. */
  readonly isLive: boolean
  /**
   * Other groups that own fields selected by this fragment, too: it is completed only after these. Not those
   * that are complete before anyway, because it is nested in them.
   */
  readonly completedAfter: readonly GroupId[]
}

/** The deferred fragments of an operation, and the objects that they sit on. */
export type DeferredFragments = {
  /** groups[n] has the id n + 1. */
  readonly groups: readonly DeliveryGroupOutline[]
  anchorsOf(selection: Selection): readonly SelectionAnchor[]
}

/** The root fields `__schema` and `__type` of an operation, which are answered from the API schema. */
export type IntrospectionPart = {
  /** A complete operation holding only the introspection root fields. */
  readonly document: string
  readonly responseKeys: readonly string[]
  readonly variables: readonly string[]
  /** Whether `@defer` is among the directives that it shows: only where it has a meaning. */
  readonly showsDefer: boolean
}

/** Everything planning needs to know of an operation. */
export type NormalisedOperation = {
  readonly kind: OperationKind
  readonly name: string | null
  readonly rootType: TypeId
  readonly selection: Selection
  readonly introspection: IntrospectionPart | null
  /** Coordinates of the fields that the request may not see, each once. */
  readonly denied: readonly string[]
  /** Null while no `@defer` is active. */
  readonly deferred: DeferredFragments | null
  /** Printed definitions (`$first:Int=10`) by variable name. */
  readonly variableDefinitions: ReadonlyMap<string, string>
}
