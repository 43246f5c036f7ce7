/**
 * Repair: `join__field(type:)`, which says that a subgraph's own type of a field is not the published one.
 *
 * The library leaves it out for root fields, for fields of interfaces and wherever it takes two types for
 * equal. A router needs it to know what a subgraph can return, and which fields conflict in one selection.
 */
import { print, visit } from 'graphql'
import type { ConstDirectiveNode, DocumentNode, FieldDefinitionNode, InputValueDefinitionNode } from 'graphql'
import { type Directed, joinField, joins, readGraphValues, textOf } from '../directives/join-directives.ts'
import type { ParsedSubgraph } from '../subgraph/subgraph.ts'

type Field = FieldDefinitionNode | InputValueDefinitionNode

/**
 * The supergraph with `join__field(type:)` wherever a subgraph declares another type than the published one.
 */
export function withOwnTypes(supergraph: DocumentNode, subgraphs: readonly ParsedSubgraph[]): DocumentNode {
  const values = readGraphValues(supergraph)
  const declared = (typeName: string, fieldName: string) => {
    const found = new Map<string, string>()
    for (const { name, types } of subgraphs) {
      const type = types.get(typeName)
      const field = type?.fields.get(fieldName) ?? type?.inputFields.get(fieldName)
      const value = values.get(name)
      if (field !== undefined && value !== undefined) found.set(value, print(field.type))
    }
    return found
  }
  const mend = <
    Node extends Directed & {
      readonly name: { readonly value: string }
      readonly fields?: readonly Field[] | undefined
    },
  >(
    node: Node,
  ): Node | undefined => {
    const present = new Set(joins(node, 'join__type').map((join) => textOf(join, 'graph') ?? ''))
    let changed = false
    const fields = node.fields?.map((field) => {
      const own = declared(node.name.value, field.name.value)
      const published = print(field.type)
      if ([...own.values()].every((type) => type === published)) return field
      changed = true
      return { ...field, directives: withTypes(field, own, published, present) }
    })
    return changed ? { ...node, fields } : undefined
  }
  return visit(supergraph, {
    ObjectTypeDefinition: mend,
    InterfaceTypeDefinition: mend,
    InputObjectTypeDefinition: mend,
  })
}

function withTypes(
  field: Field,
  own: ReadonlyMap<string, string>,
  published: string,
  present: ReadonlySet<string>,
): readonly ConstDirectiveNode[] {
  const stated = joins(field, 'join__field')
  const typeIn = (graph: string) => {
    const type = own.get(graph)
    return type === published ? undefined : type
  }
  if (stated.length === 0) {
    const graphs = [...own.keys()].filter((graph) => present.has(graph)).sort()
    return [...(field.directives ?? []), ...graphs.map((graph) => joinField({ graph, type: typeIn(graph) }))]
  }
  return (field.directives ?? []).map((directive) => {
    const graph = stated.includes(directive) ? textOf(directive, 'graph') : null
    return graph === null ? directive : joinField({ graph, type: typeIn(graph) }, withoutType(directive))
  })
}

function withoutType(join: ConstDirectiveNode): ConstDirectiveNode {
  return { ...join, arguments: (join.arguments ?? []).filter(({ name }) => name.value !== 'type') }
}
