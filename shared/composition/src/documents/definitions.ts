/** Reads the definitions of a document: types, their members, and the roots that it names. */
import { Kind } from 'graphql'
import type {
  DefinitionNode,
  DocumentNode,
  EnumValueDefinitionNode,
  FieldDefinitionNode,
  InputValueDefinitionNode,
  OperationTypeDefinitionNode,
  TypeDefinitionNode,
  TypeExtensionNode,
} from 'graphql'

/** A definition or an extension of a type. */
export type TypeNode = TypeDefinitionNode | TypeExtensionNode

/** A member of a type: a field, an input field or an enum value. */
export type MemberNode = FieldDefinitionNode | InputValueDefinitionNode | EnumValueDefinitionNode

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
