/** The elements of a schema that have directives, each with its coordinate and the location that it is. */
import { DirectiveLocation, Kind } from 'graphql'
import type { ConstDirectiveNode, DefinitionNode, InputValueDefinitionNode } from 'graphql'
import { isTypeNode, membersOf, type TypeNode } from '../../documents/definitions.ts'

/** A schema element to which at least one directive is applied. */
export type Element = {
  readonly location: DirectiveLocation
  /** The name of the type; `@name` for a directive, and `schema` for the schema. */
  readonly type: string
  readonly member: string | null
  readonly argument: string | null
  readonly directives: readonly ConstDirectiveNode[]
}

/** `Query.product(id:)` */
export function coordinateOf({ type, member, argument }: Omit<Element, 'location' | 'directives'>): string {
  const owner = member === null ? type : `${type}.${member}`
  return argument === null ? owner : `${owner}(${argument}:)`
}

/** All such elements, in the order of the document. */
export function readElements(definitions: readonly DefinitionNode[]): readonly Element[] {
  const found: Element[] = []
  for (const node of definitions) {
    if (node.kind === Kind.DIRECTIVE_DEFINITION) addArguments(found, `@${node.name.value}`, null, node)
    else if (node.kind === Kind.SCHEMA_DEFINITION || node.kind === Kind.SCHEMA_EXTENSION)
      add(found, node, { location: DirectiveLocation.SCHEMA, type: 'schema', member: null, argument: null })
    else if (isTypeNode(node)) addType(found, node)
  }
  return found
}

function addType(found: Element[], node: TypeNode): void {
  const type = node.name.value
  add(found, node, { location: TYPE_LOCATIONS[node.kind], type, member: null, argument: null })
  for (const member of membersOf(node)) {
    const name = member.name.value
    add(found, member, { location: MEMBER_LOCATIONS[member.kind], type, member: name, argument: null })
    if (member.kind === Kind.FIELD_DEFINITION) addArguments(found, type, name, member)
  }
}

type WithArguments = { readonly arguments?: readonly InputValueDefinitionNode[] | undefined }

function addArguments(found: Element[], type: string, member: string | null, owner: WithArguments): void {
  const location = DirectiveLocation.ARGUMENT_DEFINITION
  for (const node of owner.arguments ?? [])
    add(found, node, { location, type, member, argument: node.name.value })
}

function add(
  found: Element[],
  { directives }: { readonly directives?: readonly ConstDirectiveNode[] | undefined },
  element: Omit<Element, 'directives'>,
): void {
  if (directives !== undefined && directives.length > 0) found.push({ ...element, directives })
}

const MEMBER_LOCATIONS = {
  [Kind.FIELD_DEFINITION]: DirectiveLocation.FIELD_DEFINITION,
  [Kind.INPUT_VALUE_DEFINITION]: DirectiveLocation.INPUT_FIELD_DEFINITION,
  [Kind.ENUM_VALUE_DEFINITION]: DirectiveLocation.ENUM_VALUE,
} as const

const TYPE_LOCATIONS = {
  [Kind.SCALAR_TYPE_DEFINITION]: DirectiveLocation.SCALAR,
  [Kind.OBJECT_TYPE_DEFINITION]: DirectiveLocation.OBJECT,
  [Kind.INTERFACE_TYPE_DEFINITION]: DirectiveLocation.INTERFACE,
  [Kind.UNION_TYPE_DEFINITION]: DirectiveLocation.UNION,
  [Kind.ENUM_TYPE_DEFINITION]: DirectiveLocation.ENUM,
  [Kind.INPUT_OBJECT_TYPE_DEFINITION]: DirectiveLocation.INPUT_OBJECT,
  [Kind.SCALAR_TYPE_EXTENSION]: DirectiveLocation.SCALAR,
  [Kind.OBJECT_TYPE_EXTENSION]: DirectiveLocation.OBJECT,
  [Kind.INTERFACE_TYPE_EXTENSION]: DirectiveLocation.INTERFACE,
  [Kind.UNION_TYPE_EXTENSION]: DirectiveLocation.UNION,
  [Kind.ENUM_TYPE_EXTENSION]: DirectiveLocation.ENUM,
  [Kind.INPUT_OBJECT_TYPE_EXTENSION]: DirectiveLocation.INPUT_OBJECT,
} as const satisfies Readonly<Record<TypeNode['kind'], DirectiveLocation>>
