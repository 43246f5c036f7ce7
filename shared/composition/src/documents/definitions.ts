/**
 * Finds what a coordinate names in a document: `Type`, `Type.field`, `Type.field(argument:)`,
 * `@directive(argument:)`.
 */
import { Kind } from 'graphql'
import type {
  ASTNode,
  ConstDirectiveNode,
  DefinitionNode,
  DirectiveDefinitionNode,
  DocumentNode,
  EnumValueDefinitionNode,
  FieldDefinitionNode,
  InputValueDefinitionNode,
  NameNode,
  OperationTypeDefinitionNode,
  TypeDefinitionNode,
  TypeExtensionNode,
} from 'graphql'

/** A definition or an extension of a type. */
export type TypeNode = TypeDefinitionNode | TypeExtensionNode

/** A member of a type: a field, an input field or an enum value. */
export type MemberNode = FieldDefinitionNode | InputValueDefinitionNode | EnumValueDefinitionNode

/** A schema coordinate, taken apart: `Query.product(id:)` has all three. */
export type Coordinate = {
  readonly type: string
  readonly member?: string | undefined
  readonly argument?: string | undefined
}

const COORDINATE = /^(@?[_A-Za-z]\w*)(?:\.([_A-Za-z]\w*))?(?:\(([_A-Za-z]\w*):?\))?$/

/** Takes a coordinate apart. Null if the text is no coordinate of a type or of something in it. */
export function parseCoordinate(text: string): Coordinate | null {
  const match = COORDINATE.exec(text)
  return match === null ? null : { type: match[1] ?? '', member: match[2], argument: match[3] }
}

/** Definitions and extensions of a type, definitions first. */
export function typeNodes(document: DocumentNode, name: string): readonly TypeNode[] {
  return indexOf(document).types.get(name)?.nodes ?? NONE
}

/** True for definitions and extensions of types, false for directives and the schema. */
export function isTypeNode(node: DefinitionNode): node is TypeNode {
  return (
    node.kind !== Kind.DIRECTIVE_DEFINITION &&
    'name' in node &&
    /Type(?:Definition|Extension)$/.test(node.kind)
  )
}

/** Which types the document names as roots. */
export function operationTypes(document: DocumentNode): readonly OperationTypeDefinitionNode[] {
  return document.definitions.flatMap((node) =>
    node.kind === Kind.SCHEMA_DEFINITION || node.kind === Kind.SCHEMA_EXTENSION
      ? (node.operationTypes ?? [])
      : [],
  )
}

/** The fields, input fields or enum values that a node adds to its type; none for unions and scalars. */
export function membersOf(node: TypeNode): readonly MemberNode[] {
  if ('fields' in node) return node.fields ?? []
  return 'values' in node ? (node.values ?? []) : []
}

/** The node that a coordinate names, and the name in it that an error can point at. */
export type FoundNode = {
  readonly name: NameNode
  readonly node: TypeNode | MemberNode | DirectiveDefinitionNode
}

/**
 * All nodes that a coordinate names: of a type each part, of anything else one, unless it is written twice.
 */
export function findNodes(
  document: DocumentNode,
  { type, member, argument }: Coordinate,
): readonly FoundNode[] {
  const index = indexOf(document)
  if (type.startsWith('@')) return namedOrArguments(index.directives.get(type.slice(1)) ?? NONE, argument)
  const indexed = index.types.get(type)
  if (indexed === undefined) return NONE
  if (member === undefined) return indexed.nodes.map(named)
  return namedOrArguments(membersByName(indexed).get(member) ?? NONE, argument)
}

/** The applications of one directive to what the coordinate names. */
export function directivesAt(
  document: DocumentNode,
  coordinate: Coordinate,
  directive: string,
): readonly ConstDirectiveNode[] {
  return findNodes(document, coordinate).flatMap(({ node }) =>
    ('directives' in node ? (node.directives ?? []) : []).filter(({ name }) => name.value === directive),
  )
}

/** Returns the type of a field, argument or input field as it is written. */
export function typeReferenceOf(node: FoundNode['node']): ASTNode | undefined {
  return 'type' in node ? node.type : undefined
}

function namedOrArguments(
  nodes: readonly (MemberNode | DirectiveDefinitionNode)[],
  argument: string | undefined,
): readonly FoundNode[] {
  if (argument === undefined) return nodes.map(named)
  return nodes.flatMap((node) => (argumentsByName(node).get(argument) ?? NONE).map(named))
}

function named(node: FoundNode['node']): FoundNode {
  return { name: node.name, node }
}

function isExtension(node: TypeNode): boolean {
  return node.kind.endsWith('Extension')
}

type IndexedType = {
  /** Definitions first. */
  readonly nodes: readonly TypeNode[]
  /** Made when a member is looked for. */
  members: ReadonlyMap<string, readonly MemberNode[]> | null
}

type DocumentIndex = {
  readonly types: ReadonlyMap<string, IndexedType>
  readonly directives: ReadonlyMap<string, readonly DirectiveDefinitionNode[]>
}

/**
 * A document is read once, however many errors there are to be placed in it: an author may make thousands of
 * mistakes in a schema of thousands of definitions.
 */
const INDEXES = new WeakMap<DocumentNode, DocumentIndex>()
const ARGUMENTS = new WeakMap<FoundNode['node'], ReadonlyMap<string, readonly InputValueDefinitionNode[]>>()
const NONE: readonly never[] = []

function indexOf(document: DocumentNode): DocumentIndex {
  const known = INDEXES.get(document)
  if (known !== undefined) return known
  const { definitions } = document
  const types = byName(definitions.filter(isTypeNode))
  const index = {
    types: new Map(
      [...types].map(([name, nodes]) => [
        name,
        {
          nodes: [...nodes.filter((node) => !isExtension(node)), ...nodes.filter(isExtension)],
          members: null,
        },
      ]),
    ),
    directives: byName(
      definitions.filter((node): node is DirectiveDefinitionNode => node.kind === Kind.DIRECTIVE_DEFINITION),
    ),
  }
  INDEXES.set(document, index)
  return index
}

function membersByName(type: IndexedType): ReadonlyMap<string, readonly MemberNode[]> {
  type.members ??= byName(type.nodes.flatMap((node) => membersOf(node)))
  return type.members
}

function argumentsByName(node: FoundNode['node']): ReadonlyMap<string, readonly InputValueDefinitionNode[]> {
  const known = ARGUMENTS.get(node)
  if (known !== undefined) return known
  const found = byName('arguments' in node ? (node.arguments ?? []) : [])
  ARGUMENTS.set(node, found)
  return found
}

function byName<Node extends { readonly name: NameNode }>(
  nodes: readonly Node[],
): ReadonlyMap<string, readonly Node[]> {
  return Map.groupBy(nodes, ({ name }) => name.value)
}
