/**
 * Repair: `@external` on fields of an `@interfaceObject` type, which the library drops. Without it a planner would believe
 * that the subgraph resolves the field itself.
 */
import { Kind, visit } from 'graphql'
import type { ConstDirectiveNode, DocumentNode, FieldDefinitionNode } from 'graphql'
import { type JoinField, joinField, joins, readGraphValues, textOf } from '../join-directives.ts'
import { isExternal, isInterfaceObject, isKeyField, type Subgraph } from '../subgraph.ts'

export function withInterfaceObjectFields(
  supergraph: DocumentNode,
  subgraphs: readonly Subgraph[],
): DocumentNode {
  const values = readGraphValues(supergraph)
  return visit(supergraph, {
    InterfaceTypeDefinition(node) {
      const present = joins(node, 'join__type').map((join) => textOf(join, 'graph') ?? '')
      const fields = node.fields?.map((field) => {
        let mended = field
        for (const subgraph of subgraphs) {
          const graph = values.get(subgraph.name)
          const facts =
            graph === undefined ? null : lostFacts(subgraph, graph, node.name.value, field.name.value)
          if (facts !== null)
            mended = withFacts(
              mended,
              facts,
              declaring(subgraphs, values, node.name.value, field.name.value, present),
            )
        }
        return mended
      })
      return { ...node, fields }
    },
  })
}

function lostFacts(subgraph: Subgraph, graph: string, typeName: string, fieldName: string): JoinField | null {
  const type = subgraph.types.get(typeName)
  const field = type?.fields.get(fieldName)
  if (type === undefined || field === undefined || !isInterfaceObject(subgraph, type)) return null
  const external = isExternal(subgraph, type, field) && !isKeyField(subgraph, type, fieldName)
  return external ? { graph, external } : null
}

function declaring(
  subgraphs: readonly Subgraph[],
  values: ReadonlyMap<string, string>,
  typeName: string,
  fieldName: string,
  present: readonly string[],
): readonly string[] {
  return subgraphs
    .filter(({ types }) => types.get(typeName)?.fields.has(fieldName) === true)
    .map(({ name }) => values.get(name) ?? '')
    .filter((graph) => present.includes(graph))
}

function withFacts(
  field: FieldDefinitionNode,
  facts: JoinField,
  graphs: readonly string[],
): FieldDefinitionNode {
  const stated = joins(field, 'join__field')
  const all =
    stated.length > 0
      ? [...(field.directives ?? [])]
      : [...(field.directives ?? []), ...graphs.map((graph) => joinField({ graph }))]
  const isOurs = (node: ConstDirectiveNode) =>
    node.name.value === 'join__field' && textOf(node, 'graph') === facts.graph
  const directives = all.some(isOurs)
    ? all.map((node) => (isOurs(node) ? joinField(facts, node) : node))
    : [...all, joinField(facts)]
  return { ...field, kind: Kind.FIELD_DEFINITION, directives }
}
