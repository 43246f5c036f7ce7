/** Changes of single nodes of a schema, which is what every random change is made of. */
import type { Random } from '@switchyard/samples'
import {
  Kind,
  parse,
  parseType,
  parseConstValue,
  visit,
  type ASTNode,
  type ConstDirectiveNode,
  type ConstValueNode,
  type DirectiveNode,
  type DocumentNode,
  type FieldDefinitionNode,
  type InputValueDefinitionNode,
  type TypeNode,
} from 'graphql'

/** A change of one schema. `subgraphs` are the names of all subgraphs of the graph. */
export type Change = (document: DocumentNode, random: Random, subgraphs: readonly string[]) => DocumentNode

/** A node that holds directives. */
export type Holder = Extract<ASTNode, { readonly directives?: readonly ConstDirectiveNode[] | undefined }>

type NodeOf<K extends Kind> = Extract<ASTNode, { readonly kind: K }>

/**
 * Replaces one of the nodes of these kinds, chosen at random, by what `change` makes of it; null removes it.
 * The document stays as it is if it has no such node.
 */
export function changeNode<K extends Kind>(
  document: DocumentNode,
  random: Random,
  kinds: readonly K[],
  change: (node: NodeOf<K>) => ASTNode | null,
  matches: (node: NodeOf<K>, parent: ASTNode | undefined) => boolean = () => true,
): DocumentNode {
  const isOfKind = (node: ASTNode): node is NodeOf<K> => kinds.some((kind) => kind === node.kind)
  const found: NodeOf<K>[] = []
  visit(document, {
    enter: (node, _key, _parent, _path, ancestors) => {
      const parent = ancestors.findLast((one): one is ASTNode => 'kind' in one)
      if (isOfKind(node) && matches(node, parent)) found.push(node)
    },
  })
  if (found.length === 0) return document
  const chosen = random.pick(found)
  return visit(document, { enter: (node) => (node === chosen ? change(chosen) : undefined) })
}

/** The node with a directive more, written as in a schema. */
export function withDirective<Node extends Holder>(node: Node, text: string): Node {
  return { ...node, directives: [...(node.directives ?? []), directiveOf(text)] }
}

/** The node without the directives of this name. */
export function withoutDirective<Node extends Holder>(node: Node, name: string): Node {
  return { ...node, directives: node.directives?.filter((one) => one.name.value !== name) }
}

/** Reads a directive. */
export function directiveOf(text: string): ConstDirectiveNode {
  const directive = fieldOf(`x: Int ${text}`).directives?.[0]
  if (directive === undefined) throw new Error(`This is no directive: ${text}`)
  return directive
}

/** Reads the definition of a field. */
export function fieldOf(text: string): FieldDefinitionNode {
  const [definition] = parse(`type T { ${text} }`, { noLocation: true }).definitions
  const field = definition?.kind === Kind.OBJECT_TYPE_DEFINITION ? definition.fields?.[0] : undefined
  if (field === undefined) throw new Error(`This is no field: ${text}`)
  return field
}

/** Reads the definition of an argument or of a field of an input type. */
export function inputOf(text: string): InputValueDefinitionNode {
  const input = fieldOf(`x(${text}): Int`).arguments?.[0]
  if (input === undefined) throw new Error(`This is no argument: ${text}`)
  return input
}

/** Reads a type. */
export function typeOf(text: string): TypeNode {
  return parseType(text, { noLocation: true })
}

/** Reads a value. */
export function valueOf(text: string): ConstValueNode {
  return parseConstValue(text, { noLocation: true })
}

/** The directive with this value for its argument. */
export function withArgument(directive: DirectiveNode, name: string, value: ConstValueNode): DirectiveNode {
  const others = (directive.arguments ?? []).filter((one) => one.name.value !== name)
  const argument = { kind: Kind.ARGUMENT, name: { kind: Kind.NAME, value: name }, value } as const
  return { ...directive, arguments: [...others, argument] }
}

/** The document with definitions more. */
export function withDefinitions(document: DocumentNode, text: string): DocumentNode {
  return {
    ...document,
    definitions: [...document.definitions, ...parse(text, { noLocation: true }).definitions],
  }
}
