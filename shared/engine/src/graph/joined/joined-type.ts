/**
 * A type as the join directives of a supergraph state it: who has it, who resolves its fields, and under
 * which terms. It is read from the text of a supergraph, or made by a composer without one.
 */
import type { SubgraphId } from '../../ids/ids.ts'
import type { CompiledEnumValue, TypeKind } from '../compiled/compiled-graph.ts'

/** A type of a supergraph. What its kind does not have is empty. */
export type JoinedType = {
  readonly name: string
  readonly kind: TypeKind
  readonly inaccessible: boolean
  readonly interfaces: readonly string[]
  /** The members of a union. */
  readonly members: readonly string[]
  /** One for each `@join__type`. Empty: every subgraph has the type, like the value types of join 0.1. */
  readonly presence: readonly JoinedPresence[]
  readonly implementations: readonly { readonly at: SubgraphId; readonly interface: string }[]
  /** The members that single subgraphs know. Empty: each subgraph knows those that it has. */
  readonly memberships: readonly { readonly at: SubgraphId; readonly member: string }[]
  /** Only of join 0.1: the subgraph that resolves every field that names no other one; else null. */
  readonly owner: SubgraphId | null
  readonly fields: readonly JoinedField[]
  readonly enumValues: readonly CompiledEnumValue[]
}

/** One `@join__type`. */
export type JoinedPresence = {
  readonly at: SubgraphId
  /** The fields as they are written; null for none. */
  readonly key: string | null
  readonly isResolvable: boolean
  readonly isInterfaceObject: boolean
}

/** A field of an object type or an interface. */
export type JoinedField = {
  readonly name: string
  /** `[Product!]!` */
  readonly type: string
  readonly inaccessible: boolean
  /**
   * False if nothing is stated: then every subgraph that has the type resolves the field. Stated without a
   * join, the field comes from an interface object, and no subgraph resolves it on the object itself.
   */
  readonly isStated: boolean
  readonly joins: readonly JoinedResolver[]
}

/** One `@join__field` that names a subgraph. */
export type JoinedResolver = {
  readonly at: SubgraphId
  /** The type in the schema of the subgraph; null if it is the published one. */
  readonly type: string | null
  /** True also for a field that was taken over and that the subgraph still uses. */
  readonly isExternal: boolean
  readonly requires: string | null
  readonly provides: string | null
  /**
   * The subgraph that `@override` takes the field from, null if there is none of its name. Null as a whole
   * where nothing is overridden.
   */
  readonly override: { readonly from: SubgraphId | null } | null
  readonly overrideLabel: string | null
}
