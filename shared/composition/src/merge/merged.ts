/**
 * The merged graph: what the supergraph says, as values. A subgraph stands here by its position among the
 * inputs, never by its name, so that a merged value does not change with the name of a feature subgraph.
 */
import type { ConstValueNode } from 'graphql'

/** All types and directives of the supergraph by name. */
export type MergedGraph = {
  readonly types: ReadonlyMap<string, MergedType>
  readonly directives: ReadonlyMap<string, MergedDirective>
  /** The links that bring composed directives. */
  readonly links: readonly MergedLink[]
}

/** A type of the supergraph. */
export type MergedType = MergedFieldsType | MergedInputType | MergedEnum | MergedUnion | MergedScalar

/** True for an object type or an interface. */
export function isFieldsType(type: MergedType): type is MergedFieldsType {
  return type.kind === 'object' || type.kind === 'interface'
}

/** The beginnings of names of types that the specifications of composed directives bring: `cache__`. */
export function prefixesOf({ links }: MergedGraph): readonly string[] {
  return links.map(({ identity }) => `${identity.slice(identity.lastIndexOf('/') + 1)}__`)
}

/** The parts that every merged definition has. */
export type MergedHead = {
  readonly name: string
  readonly description: string | null
  readonly applied: MergedApplied
}

/** Directives that are no part of the join specification, merged. */
export type MergedApplied = {
  /** Names of tags, in the order in which they were met. */
  readonly tags: readonly string[]
  readonly isInaccessible: boolean
  readonly access: MergedAccess
  readonly cost: number | null
  readonly listSize: MergedListSize | null
  /** The reason; the empty text where none is given; null if nothing is deprecated. */
  readonly deprecated: string | null
  readonly specifiedBy: string | null
  readonly isOneOf: boolean
  readonly cache: CacheHint | null
  /** Applications of composed directives, printed. */
  readonly composed: readonly string[]
}

/** Who may see something. A list names alternatives, each a list of what is needed together. */
export type MergedAccess = {
  readonly isAuthenticated: boolean
  readonly scopes: Alternatives
  readonly policies: Alternatives
  /** True if subgraphs demand more alternatives together than are kept; these are not all of them then. */
  readonly isCut: boolean
}

/** `[["a", "b"], ["c"]]`: a and b, or c. Empty: nothing is needed. */
export type Alternatives = readonly (readonly string[])[]

/** The arguments of `@listSize`. */
export type MergedListSize = {
  readonly assumedSize: number | null
  readonly requireOneSlicingArgument: boolean
  readonly slicingArguments: readonly string[] | null
  readonly sizedFields: readonly string[] | null
}

/** The hint of `@cacheControl`. */
export type CacheHint = {
  /** Seconds; null if no maximum age is stated. */
  readonly maxAge: number | null
  readonly isPrivate: boolean
  readonly inherits: boolean
}

/** An object type or an interface. */
export type MergedFieldsType = MergedHead & {
  readonly kind: 'object' | 'interface'
  readonly presence: readonly Presence[]
  readonly interfaces: readonly string[]
  readonly implementations: readonly { readonly at: number; readonly interface: string }[]
  readonly fields: readonly MergedField[]
  /** The fields of an interface without what its object types demand, which object types inherit. */
  readonly inheritable: readonly MergedField[]
}

/** One `@join__type`. */
export type Presence = {
  readonly at: number
  readonly key: string | null
  readonly isExtension: boolean
  readonly isResolvable: boolean
  readonly isInterfaceObject: boolean
}

/** A field of an object type or an interface. */
export type MergedField = MergedHead & {
  readonly type: string
  readonly arguments: readonly MergedInput[]
  /** Who resolves it and how. Empty: every subgraph that has the type, without further terms. */
  readonly joins: readonly FieldJoin[]
  /** True for a field that the objects of an interface have through an interface object. */
  readonly isThroughInterface: boolean
}

/** One `@join__field`. What is null or false is not written. */
export type FieldJoin = {
  readonly at: number
  /** The subgraph's own type, where it is another than the published one. */
  readonly type: string | null
  readonly isExternal: boolean
  readonly requires: string | null
  readonly provides: string | null
  /** The subgraph that `@override(from:)` means. */
  readonly override: number | null
  readonly overrideLabel: string | null
  readonly isUsedOverridden: boolean
}

/** An argument, or a field of an input type. */
export type MergedInput = MergedHead & {
  readonly type: string
  readonly defaultValue: ConstValueNode | null
  readonly joins: readonly { readonly at: number; readonly type: string | null }[]
}

/** An input type; fields that only some of its subgraphs have are left out. */
export type MergedInputType = MergedHead & {
  readonly kind: 'input'
  readonly at: readonly number[]
  readonly fields: readonly MergedInput[]
}

/** An enum type. */
export type MergedEnum = MergedHead & {
  readonly kind: 'enum'
  readonly at: readonly number[]
  readonly values: readonly (MergedHead & { readonly at: readonly number[] })[]
}

/** A union type. */
export type MergedUnion = MergedHead & {
  readonly kind: 'union'
  readonly at: readonly number[]
  readonly members: readonly { readonly name: string; readonly at: readonly number[] }[]
}

/** A scalar type. */
export type MergedScalar = MergedHead & { readonly kind: 'scalar'; readonly at: readonly number[] }

/** The definition of a directive. */
export type MergedDirective = {
  readonly name: string
  readonly arguments: readonly MergedInput[]
  readonly isRepeatable: boolean
  readonly locations: readonly string[]
}

/** A link of the supergraph to the specification of composed directives. */
export type MergedLink = {
  readonly identity: string
  readonly version: string
  readonly imports: readonly { readonly name: string; readonly as: string }[]
}
