/**
 * The model of one subgraph's schema: types with everything that their definitions and extensions say. It
 * uses the names that specifications give to directives, and the default names of root types.
 *
 * A model holds no name of its subgraph, so that equal schemas have one model. Its nodes come from a parse
 * without locations.
 */
import type {
  ConstDirectiveNode,
  ConstValueNode,
  DirectiveDefinitionNode,
  DocumentNode,
  EnumValueDefinitionNode,
  FieldDefinitionNode,
  InputValueDefinitionNode,
  SelectionSetNode,
  TypeDefinitionNode,
  TypeExtensionNode,
} from 'graphql'
import type { EventOperation, EventSystem } from '../events/event-directives.ts'

/** The schema of a subgraph. */
export type SubgraphModel = {
  /** The 3 of version 2.3 of the federation specification; null for a schema of Federation 1. */
  readonly minor: number | null
  readonly types: ReadonlyMap<string, TypeModel>
  /** Definitions of directives that no specification brings. */
  readonly directives: ReadonlyMap<string, DirectiveDefinitionNode>
  /** The directives that the supergraph shall have, by their names in this subgraph, without `@`. */
  readonly composed: ReadonlyMap<string, ComposedDirective>
  /** The root fields that are connected to events. A subgraph with one has no server. */
  readonly events: readonly EventField[]
  /** The document as it was parsed, with `edfs__PublishResult` where it names that and does not define it. */
  readonly document: DocumentNode
}

/** A JetStream consumer that a field reads by. */
export type EventStreamTerms = {
  readonly stream: string
  readonly consumer: string
  /** Seconds. */
  readonly inactiveThreshold: number
}

/** A root field with its source of events. */
export type EventField = {
  /** `Subscription.orderChanged` */
  readonly coordinate: string
  readonly system: EventSystem
  readonly operation: EventOperation
  readonly provider: string
  readonly subjects: readonly string[]
  readonly stream: EventStreamTerms | null
  /** The condition of `@openfed__subscriptionFilter`, as it is written; null if there is none. */
  readonly filter: ConstValueNode | null
}

/** A directive that `@composeDirective` names, with the link that brings it. */
export type ComposedDirective = {
  /** `https://specs.example.com/cache`, without the version. */
  readonly identity: string
  /** `v1.0`; empty where the URL has none. */
  readonly version: string
  /** The name in the linked specification, without `@`. */
  readonly importedName: string
}

/** A definition or an extension of a type. */
export type TypePart = TypeDefinitionNode | TypeExtensionNode

/** A type by its kind. */
export type TypeModel = FieldsType | InputType | EnumType | UnionType | ScalarType

/** The parts that all definitions have. */
export type Described = {
  readonly name: string
  readonly description: string | null
  /** The applications of directives that a specification brings or that are composed. */
  readonly applied: readonly Applied[]
}

/** One application of a directive. */
export type Applied = {
  /** The name in its specification, or the name in this subgraph of a composed directive. */
  readonly name: string
  readonly isComposed: boolean
  readonly node: ConstDirectiveNode
}

type Parted = Described & {
  /** The definition and the extensions, in the order of the document. */
  readonly parts: readonly TypePart[]
  /** True if the schema has no definition of the type, or one that `@extends`. */
  readonly isExtension: boolean
}

/** An object type or an interface. */
export type FieldsType = Parted & {
  readonly kind: 'object' | 'interface'
  /** An object type that stands for an interface of other subgraphs. */
  readonly isInterfaceObject: boolean
  readonly keys: readonly Key[]
  readonly interfaces: ReadonlySet<string>
  readonly fields: ReadonlyMap<string, FieldModel>
}

/** One `@key`. */
export type Key = {
  readonly fields: FieldSelection
  readonly isResolvable: boolean
  readonly node: ConstDirectiveNode
}

/** The selection that a federation directive writes as a string. */
export type FieldSelection = {
  /** Without outer braces: `id organization { id }`. */
  readonly text: string
  readonly set: SelectionSetNode
  readonly node: ConstDirectiveNode
}

/** A field of an object type or an interface. */
export type FieldModel = Described & {
  /** `[Product!]!` */
  readonly type: string
  readonly arguments: ReadonlyMap<string, InputModel>
  /** Marked itself, or by its type. */
  readonly isExternal: boolean
  /** Marked itself or by the part of its type that it stands in. True for definitions of Federation 1. */
  readonly isShareable: boolean
  readonly requires: FieldSelection | null
  readonly provides: FieldSelection | null
  readonly override: Override | null
  readonly node: FieldDefinitionNode
}

/** `@override(from:, label:)` */
export type Override = {
  readonly from: string
  readonly label: string | null
  readonly node: ConstDirectiveNode
}

/** An argument, or a field of an input type. */
export type InputModel = Described & {
  readonly type: string
  readonly defaultValue: ConstValueNode | null
  readonly node: InputValueDefinitionNode
}

/** An input object type. */
export type InputType = Parted & {
  readonly kind: 'input'
  readonly fields: ReadonlyMap<string, InputModel>
}

/** An enum type. */
export type EnumType = Parted & {
  readonly kind: 'enum'
  readonly values: ReadonlyMap<string, EnumValueModel>
}

/** A value of an enum type. */
export type EnumValueModel = Described & { readonly node: EnumValueDefinitionNode }

/** A union type. */
export type UnionType = Parted & { readonly kind: 'union'; readonly members: ReadonlySet<string> }

/** A scalar type. */
export type ScalarType = Parted & { readonly kind: 'scalar' }
