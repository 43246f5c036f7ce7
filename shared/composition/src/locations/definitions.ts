/** Finds what a coordinate names in a document: `Type`, `Type.field`, `Type.field(argument:)`, `@directive(argument:)`. */
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

export type TypeNode = TypeDefinitionNode | TypeExtensionNode
export type MemberNode = FieldDefinitionNode | InputValueDefinitionNode | EnumValueDefinitionNode

export type Coordinate = {
  readonly type: string
  readonly member?: string | undefined
  readonly argument?: string | undefined
}

const COORDINATE = /^(@?[_A-Za-z]\w*)(?:\.([_A-Za-z]\w*))?(?:\(([_A-Za-z]\w*):?\))?$/

export function parseCoordinate(text: string): Coordinate | null {
  const match = COORDINATE.exec(text)
  return match === null ? null : { type: match[1] ?? '', member: match[2], argument: match[3] }
}

/** Definitions and extensions of a type, definitions first. */
export function typeNodes(document: DocumentNode, name: string): readonly TypeNode[] {
  const nodes = document.definitions.filter(
    (node): node is TypeNode => isTypeNode(node) && node.name.value === name,
  )
  return [...nodes.filter((node) => !isExtension(node)), ...nodes.filter(isExtension)]
}

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

export function membersOf(node: TypeNode): readonly MemberNode[] {
  if ('fields' in node) return node.fields ?? []
  return 'values' in node ? (node.values ?? []) : []
}

export type FoundNode = {
  readonly name: NameNode
  readonly node: TypeNode | MemberNode | DirectiveDefinitionNode
}

/** All nodes that a coordinate names: of a type each part, of anything else one, unless it is written twice. */
export function findNodes(
  document: DocumentNode,
  { type, member, argument }: Coordinate,
): readonly FoundNode[] {
  if (type.startsWith('@')) {
    const definitions = document.definitions.filter(
      (node): node is DirectiveDefinitionNode =>
        node.kind === Kind.DIRECTIVE_DEFINITION && node.name.value === type.slice(1),
    )
    return argument === undefined
      ? definitions.map(named)
      : definitions.flatMap((node) => argumentsNamed(node.arguments, argument))
  }
  const types = typeNodes(document, type)
  if (member === undefined) return types.map(named)
  const members = types.flatMap((node) => membersOf(node)).filter(({ name }) => name.value === member)
  return argument === undefined
    ? members.map(named)
    : members.flatMap((node) => argumentsNamed('arguments' in node ? node.arguments : undefined, argument))
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

/** Where the type of a field, argument or input field is written. */
export function typeReferenceOf(node: FoundNode['node']): ASTNode | undefined {
  return 'type' in node ? node.type : undefined
}

function argumentsNamed(
  list: readonly InputValueDefinitionNode[] | undefined,
  argument: string,
): readonly FoundNode[] {
  return (list ?? []).filter(({ name }) => name.value === argument).map(named)
}

function named(node: FoundNode['node']): FoundNode {
  return { name: node.name, node }
}

function isExtension(node: TypeNode): boolean {
  return node.kind.endsWith('Extension')
}
