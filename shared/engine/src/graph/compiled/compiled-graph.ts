/**
 * The compiled supergraph: what a worker produces from the SDL and the main thread adopts.
 *
 * Plain data only, no functions and no class instances, so `structuredClone` and `postMessage` carry it
 * whole. Types and subgraphs are numbers; both are numbered in alphabetical order, so that the order of
 * definitions in the SDL never shows in a plan.
 */
import type { LabelId, SubgraphId, TypeId } from '../../ids/ids.ts'
import type { CompiledApi } from './compiled-api.ts'

/** GraphQL's kinds of named types. */
export type TypeKind = 'scalar' | 'object' | 'interface' | 'union' | 'enum' | 'input'

/** A type as a field has it: a named type in any number of list and non-null wrappers. */
export type TypeRef =
  | { readonly kind: 'named'; readonly type: TypeId; readonly nonNull: boolean }
  | { readonly kind: 'list'; readonly item: TypeRef; readonly nonNull: boolean }

/**
 * A parsed `key`, `requires` or `provides`. Arguments are canonical text including parentheses, '' for none.
 */
export type FieldSet = readonly FieldSetItem[]
/** A field, or an inline fragment with a type condition (`on`). */
export type FieldSetItem =
  | { readonly kind: 'field'; readonly name: string; readonly args: string; readonly below: FieldSet | null }
  | { readonly kind: 'on'; readonly type: TypeId; readonly below: FieldSet }

/** A root field that is connected to events. */
export type EventSource = {
  /** `Subscription.orderChanged` */
  readonly field: string
  /** `nats`, or another system, which no router serves. */
  readonly system: string
  readonly operation: 'subscribe' | 'publish' | 'request'
  /** The name of the provider in the settings of routers. */
  readonly provider: string
  /** The subjects with `{{ args.name }}` for arguments. */
  readonly subjects: readonly string[]
  /** The JetStream consumer to read by; null for core NATS. */
  readonly stream: {
    readonly name: string
    readonly consumer: string
    /** Seconds. */
    readonly inactiveThreshold: number
  } | null
  /** The condition that says which events are passed on, as JSON; null for all. */
  readonly filter: unknown
}

/** A subgraph as the supergraph declares it. */
export type CompiledSubgraph = {
  /** The name in `join__graph(name:)`, which people and `override` use. */
  readonly name: string
  readonly url: string
  /** The value of the enum `join__Graph`, which all other join directives use. */
  readonly enumValue: string
  /** The root fields, if they are connected to events: then the subgraph has no server. Absent otherwise. */
  readonly events?: readonly EventSource[]
}

/** A `@key` of a type in one subgraph. Not resolvable: the subgraph finds no objects by it. */
export type CompiledKey = { readonly text: string; readonly fieldSet: FieldSet; readonly resolvable: boolean }

/** A type as one subgraph sees it. */
export type CompiledPresence = {
  readonly sub: SubgraphId
  /** The subgraph defines this supergraph interface as an object type: it does not know the runtime types. */
  readonly interfaceObject: boolean
  /** Shortest first, then by their texts. */
  readonly keys: readonly CompiledKey[]
  /** Object types this subgraph may return where the type is declared; empty for an interface object. */
  readonly runtime: readonly TypeId[]
}

/** A field as one subgraph declares it. */
export type CompiledEdge = {
  readonly sub: SubgraphId
  /** Declared there but not resolvable there, except below a `@provides`. */
  readonly external: boolean
  readonly requires: { readonly text: string; readonly fieldSet: FieldSet } | null
  readonly provides: FieldSet | null
  /**
   * Or `NO_LABEL`. The edge exists only while `labels[label]` is active (`wantLabel`) or is not
   * (`!wantLabel`).
   */
  readonly label: LabelId
  readonly wantLabel: boolean
  /** Output type in the subgraph's own schema. */
  readonly type: TypeRef
}

/** A field of the supergraph, and which subgraphs resolve it. */
export type CompiledField = {
  readonly name: string
  readonly type: TypeRef
  readonly inaccessible: boolean
  readonly edges: readonly CompiledEdge[]
  /**
   * Subgraphs that lost the field to another one for good: a `@provides` of theirs does not give it. Null for
   * none.
   */
  readonly overridden: readonly SubgraphId[] | null
}

/** A value of an enum. */
export type CompiledEnumValue = { readonly name: string; readonly inaccessible: boolean }

/** A type of the supergraph, and how subgraphs see it. */
export type CompiledType = {
  readonly id: TypeId
  readonly name: string
  readonly kind: TypeKind
  readonly inaccessible: boolean
  /** Interfaces this object or interface implements in the supergraph, ascending. */
  readonly interfaces: readonly TypeId[]
  /**
   * Object types a value may have in the supergraph, ascending; the type itself for an object, and for an
   * interface that is known as interface object and has no implementation; empty for others.
   */
  readonly possible: readonly TypeId[]
  /** Output fields of objects and interfaces, including inaccessible ones. */
  readonly fields: readonly CompiledField[]
  readonly enumValues: readonly CompiledEnumValue[]
  /** Ascending by subgraph. */
  readonly presence: readonly CompiledPresence[]
}

/** A condition that `@authenticated`, `@requiresScopes` or `@policy` sets for requests. */
export type AccessCondition =
  | { readonly kind: 'authenticated' }
  /** One of the alternatives must be held whole. Without an alternative nobody meets the condition. */
  | { readonly kind: 'scopes' | 'policies'; readonly anyOf: readonly (readonly string[])[] }

/** Who may see what. Conditions are named by their indices in `conditions`; all of a list must be met. */
export type CompiledAccess = {
  readonly conditions: readonly AccessCondition[]
  /** Conditions by name of the type. */
  readonly types: ReadonlyMap<string, readonly number[]>
  /** Conditions by coordinate of the field: `Product.price`. */
  readonly fields: ReadonlyMap<string, readonly number[]>
}

/** The list size that `@listSize` states. */
export type ListSize = {
  readonly assumed: number | null
  /** Arguments that say how many items come; the greatest of them counts. */
  readonly slicing: readonly string[]
  /** Fields of the returned type whose lists have this size, in place of the field itself. */
  readonly sized: readonly string[]
  /** An operation must give exactly one of the slicing arguments. */
  readonly needsOneSlicing: boolean
}

/** The cost of an argument that is given. */
export type ArgumentCost = {
  readonly weight: number
  /** Its input type, if something within its value costs, too. */
  readonly input: string | null
  /** The value that counts where the argument is left out; undefined if there is none. */
  readonly absent: unknown
}

/** The cost of a field of an input object that is given. */
export type InputFieldCost = Pick<ArgumentCost, 'weight' | 'input'>

/** The cost of a field, as the supergraph states it. */
export type FieldCost = {
  /** The stated weight; null means that of the type which the field returns. */
  readonly weight: number | null
  readonly list: ListSize | null
  /** Arguments that matter, by name. */
  readonly args: ReadonlyMap<string, ArgumentCost>
}

/** The costs that `@cost` and `@listSize` state. Everything that is not listed has its default weight. */
export type CompiledCosts = {
  /** Weights by name of an object, scalar or enum type. */
  readonly types: ReadonlyMap<string, number>
  /** Costs by coordinate of the field: `Product.price`. */
  readonly fields: ReadonlyMap<string, FieldCost>
  /** Fields of input types, by name of the type and of the field. */
  readonly inputs: ReadonlyMap<string, ReadonlyMap<string, InputFieldCost>>
}

/** The cache hint that `@cacheControl` gives a field or type. */
export type CacheHint = {
  /** Seconds; null if no maximum age is stated. */
  readonly maxAge: number | null
  /** Only caches of one user may keep it. */
  readonly isPrivate: boolean
  /** The maximum age is that of the parent. */
  readonly inherits: boolean
}

/** All cache hints of a supergraph. */
export type CompiledCacheHints = {
  /** Hints by name of an object type, interface or union. */
  readonly types: ReadonlyMap<string, CacheHint>
  /** Hints by coordinate of the field: `Product.price`. */
  readonly fields: ReadonlyMap<string, CacheHint>
}

/** The whole supergraph. */
export type CompiledGraph = {
  /** The schema that clients see. */
  readonly api: CompiledApi
  readonly subgraphs: readonly CompiledSubgraph[]
  /** Indexed by TypeId. */
  readonly types: readonly CompiledType[]
  /** Types in that list that are gone, in a graph that was compiled from one that had them. Ascending. */
  readonly removed: readonly TypeId[]
  /** -1 where the supergraph has no such root. */
  readonly roots: { readonly query: TypeId; readonly mutation: TypeId; readonly subscription: TypeId }
  /** Labels of progressive overrides. */
  readonly labels: readonly string[]
  /**
   * Directives of the supergraph that say who may see a field (`authenticated`), as far as they are applied.
   */
  readonly accessRules: readonly string[]
  /** The conditions that these directives state; null if there are none. */
  readonly access: CompiledAccess | null
  /** The costs of fields and values; null if the supergraph states none. */
  readonly costs: CompiledCosts | null
  /** The time that answers may be kept in caches; null if the supergraph states nothing about it. */
  readonly cacheHints: CompiledCacheHints | null
}
