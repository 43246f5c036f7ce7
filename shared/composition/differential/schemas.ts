/** Reads types and fields of the schema of a subgraph, as they are written. */
import {
  Kind,
  parse,
  visit,
  type ConstDirectiveNode,
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
  return parse(sdls[subgraph] ?? 'scalar X').definitions.filter(
    (node): node is TypeDefinitionNode | TypeExtensionNode =>
      node.kind !== Kind.SCHEMA_DEFINITION &&
      node.kind !== Kind.SCHEMA_EXTENSION &&
      node.kind !== Kind.DIRECTIVE_DEFINITION &&
      'name' in node &&
      node.name?.value === name,
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
