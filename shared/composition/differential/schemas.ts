/** Reads types and fields of the schema of a subgraph, as they are written. */
import {
  isTypeDefinitionNode,
  isTypeExtensionNode,
  Kind,
  parse,
  visit,
  type ConstDirectiveNode,
  type SelectionSetNode,
  type TypeNode,
  type FieldDefinitionNode,
  type InputValueDefinitionNode,
  type TypeDefinitionNode,
  type TypeExtensionNode,
} from 'graphql'
import type { Sdls } from './random-graph.ts'

/** Definitions and extensions of a type in a subgraph. */
export function typesOf(
  sdls: Sdls,
  subgraph: string,
  name: string,
): readonly (TypeDefinitionNode | TypeExtensionNode)[] {
  return definitionsIn(sdls, subgraph).filter((node) => node.name.value === name)
}

function definitionsIn(sdls: Sdls, subgraph: string): readonly (TypeDefinitionNode | TypeExtensionNode)[] {
  return parse(sdls[subgraph] ?? 'scalar X').definitions.filter(
    (node) => isTypeDefinitionNode(node) || isTypeExtensionNode(node),
  )
}

/** Definitions of a field in a subgraph. */
export function fieldsOf(
  sdls: Sdls,
  subgraph: string,
  coordinate: string,
): readonly (FieldDefinitionNode | InputValueDefinitionNode)[] {
  const [type = '', field] = coordinate.split('.')
  return typesOf(sdls, subgraph, type).flatMap((node) =>
    'fields' in node ? (node.fields ?? []).filter(({ name }) => name.value === field) : [],
  )
}

/** Whether one of the nodes has a directive, under its own or its full name. */
export function hasDirective(
  nodes: readonly { readonly directives?: readonly ConstDirectiveNode[] | undefined }[],
  name: string,
): boolean {
  return nodes.some(({ directives = [] }) =>
    directives.some((one) => one.name.value === name || one.name.value === `federation__${name}`),
  )
}

/** Whether a `@key` or `@requires` of the subgraph selects the field, at any depth. */
export function selectsField(sdls: Sdls, subgraph: string, coordinate: string): boolean {
  const isWithin = (set: SelectionSetNode, type: string): boolean =>
    set.selections.some((node) => {
      if (node.kind === Kind.INLINE_FRAGMENT)
        return isWithin(node.selectionSet, node.typeCondition?.name.value ?? type)
      if (node.kind !== Kind.FIELD) return false
      const place = `${type}.${node.name.value}`
      if (place === coordinate) return true
      const [field] = fieldsOf(sdls, subgraph, place)
      return (
        node.selectionSet !== undefined &&
        field !== undefined &&
        isWithin(node.selectionSet, named(field.type))
      )
    })
  return definitionsIn(sdls, subgraph).some((node) => {
    const directives = [
      ...(node.directives ?? []),
      ...('fields' in node ? (node.fields ?? []) : []).flatMap((field) => field.directives ?? []),
    ]
    return selectionsOf(directives).some((set) => isWithin(set, node.name.value))
  })
}

function named(type: TypeNode): string {
  return type.kind === Kind.NAMED_TYPE ? type.name.value : named(type.type)
}

function selectionsOf(directives: readonly ConstDirectiveNode[]): readonly SelectionSetNode[] {
  return directives.flatMap(({ name, arguments: given = [] }) => {
    const value = given.find((one) => one.name.value === 'fields')?.value
    if (!/(?:^|__)(?:key|requires)$/.test(name.value) || value?.kind !== Kind.STRING) return []
    const [operation] = parse(`{ ${value.value} }`).definitions
    return operation?.kind === Kind.OPERATION_DEFINITION ? [operation.selectionSet] : []
  })
}

/** Whether the schema links a version 2 of federation. */
export function isFederation2(sdl: string): boolean {
  return sdl.includes('specs.apollo.dev/federation/v2')
}

/** Whether the type is an interface or a union in the subgraph. */
export function isAbstract(sdls: Sdls, subgraph: string, type: string): boolean {
  return typesOf(sdls, subgraph, type).some(
    ({ kind }) => kind.startsWith('Interface') || kind.startsWith('Union'),
  )
}

/** Whether the subgraph only extends the type. */
export function isExtension(sdls: Sdls, subgraph: string, type: string): boolean {
  const nodes = typesOf(sdls, subgraph, type)
  return nodes.every(({ kind }) => kind.endsWith('Extension')) || hasDirective(nodes, 'extends')
}

/** The roots that extensions of the schema name: `Query` and the type that is it. */
export function rootsOfExtensions(sdl: string): readonly { readonly name: string; readonly type: string }[] {
  return parse(sdl).definitions.flatMap((node) =>
    node.kind === Kind.SCHEMA_EXTENSION
      ? (node.operationTypes ?? []).map(({ operation, type }) => ({
          name: ROOTS[operation],
          type: type.name.value,
        }))
      : [],
  )
}

const ROOTS = { query: 'Query', mutation: 'Mutation', subscription: 'Subscription' } as const

/** Whether a definition of this name has the directive more than once. */
export function repeats(sdl: string, name: string, directive: string): boolean {
  let found = false
  visit(parse(sdl), {
    enter: (node) => {
      if (!('name' in node) || node.name?.value !== name || !('directives' in node)) return
      found ||= (node.directives ?? []).filter((one) => one.name.value === directive).length > 1
    },
  })
  return found
}

/** Whether a field of this name has an argument of this name that is hidden. */
export function isHidden(sdl: string, field: string, argument: string): boolean {
  let found = false
  visit(parse(sdl), {
    FieldDefinition: ({ name, arguments: given = [] }) => {
      if (
        name.value === field &&
        hasDirective(
          given.filter((one) => one.name.value === argument),
          'inaccessible',
        )
      )
        found = true
    },
  })
  return found
}
