/**
 * Repair: `@external`, which the library drops on fields of interface objects, and where a key of another
 * subgraph names the field. Without it a planner would believe that the subgraph resolves the field itself.
 */
import { Kind, visit } from 'graphql'
import type { ConstDirectiveNode, DocumentNode, FieldDefinitionNode } from 'graphql'
import { joinField, joins, readGraphValues, textOf } from '../directives/join-directives.ts'
import { isExternal, isKeyField, type ParsedSubgraph } from '../subgraph/subgraph.ts'

/** The supergraph with the `external: true` that the library left out. */
export function withExternalFields(
  supergraph: DocumentNode,
  subgraphs: readonly ParsedSubgraph[],
): DocumentNode {
  const values = readGraphValues(supergraph)
  const mend = (typeName: string, field: FieldDefinitionNode): FieldDefinitionNode => {
    const declaring: string[] = []
    const external: string[] = []
    for (const subgraph of subgraphs) {
      const graph = values.get(subgraph.name)
      const type = subgraph.types.get(typeName)
      const own = type?.fields.get(field.name.value)
      if (graph === undefined || type === undefined || own === undefined) continue
      declaring.push(graph)
      if (isExternalHere(subgraph, typeName, own)) external.push(graph)
    }
    return external.length === 0 ? field : withExternal(field, external, declaring)
  }
  return visit(supergraph, {
    ObjectTypeDefinition: (node) => ({
      ...node,
      fields: node.fields?.map((one) => mend(node.name.value, one)),
    }),
    InterfaceTypeDefinition: (node) => ({
      ...node,
      fields: node.fields?.map((one) => mend(node.name.value, one)),
    }),
  })
}

/**
 * The fields of a subgraph's own keys are left as the library has them: it knows what an extension may
 * resolve.
 */
function isExternalHere(subgraph: ParsedSubgraph, typeName: string, field: FieldDefinitionNode): boolean {
  const type = subgraph.types.get(typeName)
  if (type === undefined || !isExternal(subgraph, type, field)) return false
  // In Federation 1 it says something in extensions only, and nothing on interfaces.
  if (subgraph.link === null && (!type.extended || type.kind !== Kind.OBJECT_TYPE_DEFINITION)) return false
  return !isKeyField(subgraph, type, field.name.value)
}

function withExternal(
  field: FieldDefinitionNode,
  external: readonly string[],
  declaring: readonly string[],
): FieldDefinitionNode {
  const stated =
    joins(field, 'join__field').length > 0
      ? (field.directives ?? [])
      : [...(field.directives ?? []), ...declaring.map((graph) => joinField({ graph }))]
  const isExternalJoin = (node: ConstDirectiveNode) =>
    node.name.value === 'join__field' &&
    external.includes(textOf(node, 'graph') ?? '') &&
    textOf(node, 'override') === null
  return {
    ...field,
    directives: stated.map((node) =>
      isExternalJoin(node) ? joinField({ graph: textOf(node, 'graph') ?? '', external: true }, node) : node,
    ),
  }
}
