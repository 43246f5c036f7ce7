/**
 * Repair: what is published although only some of the subgraphs have it.
 *
 * - The default of an argument that not every subgraph gives. Each subgraph fills in its own; a published one
 *   would be sent
 *   to those that have none.
 * - A directive for operations that not every subgraph defines: a query that uses it is invalid for the
 *   others.
 */
import { Kind, visit } from 'graphql'
import type { DirectiveDefinitionNode, DocumentNode, FieldDefinitionNode } from 'graphql'
import { EXECUTABLE_LOCATIONS } from '../directives/executable-locations.ts'
import { isExternal, type ParsedSubgraph } from '../subgraph/subgraph.ts'

/** The supergraph without defaults and directives that only some of the subgraphs have. */
export function withSharedPartsOnly(
  supergraph: DocumentNode,
  subgraphs: readonly ParsedSubgraph[],
): DocumentNode {
  const mend = <
    Node extends {
      readonly name: { readonly value: string }
      readonly fields?: readonly FieldDefinitionNode[] | undefined
    },
  >(
    node: Node,
  ): Node => ({
    ...node,
    fields: node.fields?.map((field) => withSharedDefaults(node.name.value, field, subgraphs)),
  })
  return visit(supergraph, {
    ObjectTypeDefinition: mend,
    InterfaceTypeDefinition: mend,
    DirectiveDefinition: (node) =>
      isExecutable(node) && !subgraphs.every((subgraph) => defines(subgraph, node.name.value))
        ? null
        : undefined,
  })
}

function withSharedDefaults(
  typeName: string,
  field: FieldDefinitionNode,
  subgraphs: readonly ParsedSubgraph[],
): FieldDefinitionNode {
  if (field.arguments?.some(({ defaultValue }) => defaultValue !== undefined) !== true) return field
  const declarations = subgraphs.flatMap((subgraph) => {
    const type = subgraph.types.get(typeName)
    const own = type?.fields.get(field.name.value)
    return type === undefined || own === undefined || isExternal(subgraph, type, own) ? [] : [own]
  })
  return {
    ...field,
    arguments: field.arguments.map((one) => {
      const isShared = declarations.every(
        (own) => own.arguments?.find(({ name }) => name.value === one.name.value)?.defaultValue !== undefined,
      )
      return isShared ? one : { ...one, defaultValue: undefined }
    }),
  }
}

function isExecutable(node: DirectiveDefinitionNode): boolean {
  return node.locations.every(({ value }) => EXECUTABLE_LOCATIONS.has(value))
}

function defines({ document }: ParsedSubgraph, directive: string): boolean {
  return document.definitions.some(
    (node) => node.kind === Kind.DIRECTIVE_DEFINITION && node.name.value === directive,
  )
}
