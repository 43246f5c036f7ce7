/**
 * One subgraph's schema as the repairs read it: each type with all that its definition and its extensions
 * say.
 */
import { Kind } from 'graphql'
import type {
  ConstDirectiveNode,
  DocumentNode,
  FieldDefinitionNode,
  InputValueDefinitionNode,
  TypeDefinitionNode,
  TypeExtensionNode,
} from 'graphql'
import { fieldSetOf, topLevelFields } from './field-sets.ts'
import {
  federationDirectiveName,
  type FederationLink,
  findFederationLink,
} from '../federation/federation-link.ts'

/** A type with everything that its definition and extensions in one subgraph say. */
export type SubgraphType = {
  readonly name: string
  readonly kind: TypeDefinitionNode['kind']
  /** True if the type has only extensions, or `@extends`. */
  readonly extended: boolean
  readonly directives: readonly ConstDirectiveNode[]
  readonly interfaces: ReadonlySet<string>
  /** The members of a union. */
  readonly members: ReadonlySet<string>
  /** The fields of an object type or interface. */
  readonly fields: ReadonlyMap<string, FieldDefinitionNode>
  /** The fields of an input type. */
  readonly inputFields: ReadonlyMap<string, InputValueDefinitionNode>
}

/** A subgraph with its types by name; `link` is null for a schema of Federation 1. */
export type ParsedSubgraph = {
  readonly name: string
  readonly document: DocumentNode
  readonly link: FederationLink | null
  readonly types: ReadonlyMap<string, SubgraphType>
}

/** Gathers the types of a document. */
export function readSubgraph(name: string, document: DocumentNode): ParsedSubgraph {
  const types = new Map<string, SubgraphType>()
  for (const node of document.definitions) {
    if (!isType(node)) continue
    types.set(node.name.value, merge(types.get(node.name.value), node))
  }
  return { name, document, link: findFederationLink(document), types }
}

/** The applications of a federation directive, by its name in the specification. */
export function federationDirectives(
  { link }: ParsedSubgraph,
  node: { readonly directives?: readonly ConstDirectiveNode[] | undefined },
  name: string,
): readonly ConstDirectiveNode[] {
  return (node.directives ?? []).filter(
    (directive) => federationDirectiveName(link, directive.name.value) === name,
  )
}

/** `@external` may stand on the field or on the type. */
export function isExternal(
  subgraph: ParsedSubgraph,
  type: SubgraphType,
  field: FieldDefinitionNode,
): boolean {
  return [field, type].some((node) => federationDirectives(subgraph, node, 'external').length > 0)
}

/** True if the subgraph has the interface as an object type with `@interfaceObject`. */
export function isInterfaceObject(subgraph: ParsedSubgraph, type: SubgraphType): boolean {
  return federationDirectives(subgraph, type, 'interfaceObject').length > 0
}

/** Part of a key at its first level. */
export function isKeyField(subgraph: ParsedSubgraph, type: SubgraphType, fieldName: string): boolean {
  return federationDirectives(subgraph, type, 'key').some((key) =>
    topLevelFields(fieldSetOf(key)).some(({ name }) => name.value === fieldName),
  )
}

const DEFINITIONS: Readonly<
  Record<(TypeDefinitionNode | TypeExtensionNode)['kind'], TypeDefinitionNode['kind']>
> = {
  [Kind.SCALAR_TYPE_DEFINITION]: Kind.SCALAR_TYPE_DEFINITION,
  [Kind.OBJECT_TYPE_DEFINITION]: Kind.OBJECT_TYPE_DEFINITION,
  [Kind.INTERFACE_TYPE_DEFINITION]: Kind.INTERFACE_TYPE_DEFINITION,
  [Kind.UNION_TYPE_DEFINITION]: Kind.UNION_TYPE_DEFINITION,
  [Kind.ENUM_TYPE_DEFINITION]: Kind.ENUM_TYPE_DEFINITION,
  [Kind.INPUT_OBJECT_TYPE_DEFINITION]: Kind.INPUT_OBJECT_TYPE_DEFINITION,
  [Kind.SCALAR_TYPE_EXTENSION]: Kind.SCALAR_TYPE_DEFINITION,
  [Kind.OBJECT_TYPE_EXTENSION]: Kind.OBJECT_TYPE_DEFINITION,
  [Kind.INTERFACE_TYPE_EXTENSION]: Kind.INTERFACE_TYPE_DEFINITION,
  [Kind.UNION_TYPE_EXTENSION]: Kind.UNION_TYPE_DEFINITION,
  [Kind.ENUM_TYPE_EXTENSION]: Kind.ENUM_TYPE_DEFINITION,
  [Kind.INPUT_OBJECT_TYPE_EXTENSION]: Kind.INPUT_OBJECT_TYPE_DEFINITION,
}

function isType(node: DocumentNode['definitions'][number]): node is TypeDefinitionNode | TypeExtensionNode {
  return node.kind in DEFINITIONS
}

/** Federation 1 spells both ways; in Federation 2 nothing hangs on it. */
function isExtension(node: TypeDefinitionNode | TypeExtensionNode): boolean {
  return (
    node.kind !== DEFINITIONS[node.kind] ||
    node.directives?.some((directive) => directive.name.value === 'extends') === true
  )
}

function merge(known: SubgraphType | undefined, node: TypeDefinitionNode | TypeExtensionNode): SubgraphType {
  const kind = DEFINITIONS[node.kind]
  const interfaces = 'interfaces' in node ? (node.interfaces ?? []) : []
  const members = 'types' in node ? (node.types ?? []) : []
  const fields =
    (node.kind === Kind.OBJECT_TYPE_DEFINITION ||
    node.kind === Kind.OBJECT_TYPE_EXTENSION ||
    node.kind === Kind.INTERFACE_TYPE_DEFINITION ||
    node.kind === Kind.INTERFACE_TYPE_EXTENSION
      ? node.fields
      : undefined) ?? []
  const inputFields =
    (node.kind === Kind.INPUT_OBJECT_TYPE_DEFINITION || node.kind === Kind.INPUT_OBJECT_TYPE_EXTENSION
      ? node.fields
      : undefined) ?? []
  return {
    name: node.name.value,
    kind: known?.kind ?? kind,
    extended: (known === undefined || known.extended) && isExtension(node),
    directives: [...(known?.directives ?? []), ...(node.directives ?? [])],
    interfaces: new Set([...(known?.interfaces ?? []), ...interfaces.map(({ name }) => name.value)]),
    members: new Set([...(known?.members ?? []), ...members.map(({ name }) => name.value)]),
    fields: new Map([...(known?.fields ?? []), ...fields.map((field) => [field.name.value, field] as const)]),
    inputFields: new Map([
      ...(known?.inputFields ?? []),
      ...inputFields.map((field) => [field.name.value, field] as const),
    ]),
  }
}
