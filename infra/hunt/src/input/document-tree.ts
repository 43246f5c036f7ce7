/** GraphQL documents as trees: what graphql-js parses, with an empty list wherever something can be added. */
import { type ASTNode, type DocumentNode, parse, print } from 'graphql'
import { isTree, type Tree } from './tree.ts'

export const DOCUMENT_LISTS = {
  definitions: 'definition',
  selections: 'selection',
  arguments: 'argument',
  directives: 'directive',
  variableDefinitions: 'variableDefinition',
  fields: 'field',
  values: 'value',
  interfaces: 'type',
  types: 'type',
  operationTypes: 'operationType',
} as const

const EMPTY: Readonly<Record<string, readonly string[]>> = {
  Field: ['arguments', 'directives'],
  InlineFragment: ['directives'],
  FragmentSpread: ['directives'],
  FragmentDefinition: ['directives'],
  OperationDefinition: ['variableDefinitions', 'directives'],
  Directive: ['arguments'],
  ObjectTypeDefinition: ['interfaces', 'directives', 'fields'],
  FieldDefinition: ['arguments', 'directives'],
}

/** Throws graphql's error if the text is no document. */
export function documentTree(text: string): Tree {
  return withLists(parse(text, { noLocation: true }))
}

function withLists(node: ASTNode): Tree {
  const tree: Record<string, unknown> & { kind: string } = { kind: node.kind }
  for (const part of EMPTY[node.kind] ?? []) tree[part] = []
  for (const [part, value] of Object.entries(node)) {
    if (value === undefined) continue
    if (Array.isArray(value))
      tree[part] = value.map((item: unknown) => (isNode(item) ? withLists(item) : item))
    else tree[part] = isNode(value) ? withLists(value) : value
  }
  return tree
}

function isNode(value: unknown): value is ASTNode {
  return isTree(value)
}

export function printDocument(tree: Tree): string {
  // What was parsed and changed is printed as it is, whether it means anything or not.
  return print(tree as unknown as DocumentNode)
}

export function documentCategory(kind: string): string {
  if (kind === 'Field' || kind === 'InlineFragment' || kind === 'FragmentSpread') return 'selection'
  if (kind.endsWith('Value') || kind === 'Variable') return 'value'
  if (kind === 'NamedType' || kind === 'ListType' || kind === 'NonNullType') return 'type'
  if (kind === 'FieldDefinition' || kind === 'ObjectField') return 'field'
  if (kind.endsWith('Definition') && kind !== 'VariableDefinition') return 'definition'
  return kind === 'VariableDefinition' ? 'variableDefinition' : kind.toLowerCase()
}

const nameNode = (value: string): Tree => ({ kind: 'Name', value })

export function numberedDocumentPart(node: Tree, number: number): Tree {
  switch (node.kind) {
    case 'Field':
      return { ...node, alias: nameNode(`a${number}`) }
    case 'InlineFragment':
      return { ...node, typeCondition: { kind: 'NamedType', name: nameNode(`T${number}`) } }
    case 'VariableDefinition':
      return { ...node, variable: { kind: 'Variable', name: nameNode(`v${number}`) } }
    case 'Argument':
    case 'ObjectField':
    case 'OperationDefinition':
    case 'FragmentDefinition':
    case 'FragmentSpread':
    case 'ObjectTypeDefinition':
    case 'FieldDefinition':
    case 'NamedType':
      return { ...node, name: nameNode(`n${number}`) }
    case 'IntValue':
    case 'StringValue':
      return { ...node, value: String(number) }
    default:
      return node
  }
}

export function withDocumentText(node: Tree, text: string): Tree | null {
  switch (node.kind) {
    case 'Name':
    case 'StringValue':
    case 'EnumValue':
      return { ...node, value: text }
    case 'IntValue':
    case 'FloatValue':
      return /^-?\d/.test(text) ? { ...node, value: text } : { kind: 'StringValue', value: text }
    default:
      return null
  }
}
