/**
 * Repair: `@external` on a field of an `@interfaceObject` type, which the library drops from the supergraph.
 *
 * Without it a planner would believe that the subgraph resolves the field itself. Federation forbids requiring a field
 * that the subgraph resolves, so every non-key field that one of the type's `@requires` there names is external there.
 */
import { Kind, parse, visit } from 'graphql'
import type {
  ConstDirectiveNode,
  DocumentNode,
  FieldDefinitionNode,
  InterfaceTypeDefinitionNode,
} from 'graphql'
import { argument } from './federation-link.ts'

export function withInterfaceObjectExternals(supergraph: DocumentNode): DocumentNode {
  return visit(supergraph, {
    InterfaceTypeDefinition(node) {
      let repaired = node
      for (const graph of interfaceObjectGraphs(node)) repaired = repairGraph(repaired, graph)
      return repaired === node ? undefined : repaired
    },
  })
}

function repairGraph(node: InterfaceTypeDefinitionNode, graph: string): InterfaceTypeDefinitionNode {
  const keys = joinTypes(node)
    .filter((join) => enumArgument(join, 'graph') === graph)
    .flatMap((join) => topLevelFields(stringArgument(join, 'key')))
  const required = new Set(
    (node.fields ?? [])
      .flatMap(joinFields)
      .filter((join) => enumArgument(join, 'graph') === graph)
      .flatMap((join) => topLevelFields(stringArgument(join, 'requires')))
      .filter((field) => !keys.includes(field)),
  )
  if (required.size === 0) return node
  const graphs = [...new Set(joinTypes(node).map((join) => enumArgument(join, 'graph')))]
  return {
    ...node,
    fields: (node.fields ?? []).map((field) =>
      required.has(field.name.value) ? markExternal(field, graph, graphs) : field,
    ),
  }
}

function markExternal(
  field: FieldDefinitionNode,
  graph: string,
  graphs: readonly (string | null)[],
): FieldDefinitionNode {
  const joins = joinFields(field)
  if (joins.some((join) => enumArgument(join, 'graph') === graph)) {
    return {
      ...field,
      directives: (field.directives ?? []).map((directive) =>
        joins.includes(directive) && enumArgument(directive, 'graph') === graph
          ? asExternal(directive)
          : directive,
      ),
    }
  }
  // Listed in some graphs but not in this one: the field is not resolved here, which is what external means.
  if (joins.length > 0) return field
  const listed = graphs
    .filter((name) => name !== null)
    .map((name) => directive(`@join__field(graph: ${name}${name === graph ? ', external: true' : ''})`))
  return { ...field, directives: [...(field.directives ?? []), ...listed] }
}

function asExternal(join: ConstDirectiveNode): ConstDirectiveNode {
  const kept = (join.arguments ?? []).filter((argument) => argument.name.value !== 'external')
  return { ...join, arguments: [...kept, ...(directive('@join__field(external: true)').arguments ?? [])] }
}

function directive(sdl: string): ConstDirectiveNode {
  const [definition] = parse(`scalar S ${sdl}`, { noLocation: true }).definitions
  const parsed = definition?.kind === Kind.SCALAR_TYPE_DEFINITION ? definition.directives?.[0] : undefined
  if (parsed === undefined) throw new Error(`"${sdl}" holds no directive`)
  return parsed
}

function interfaceObjectGraphs(node: InterfaceTypeDefinitionNode): readonly string[] {
  const graphs = joinTypes(node)
    .filter((join) => {
      const flag = argument(join, 'isInterfaceObject')
      return flag?.kind === Kind.BOOLEAN && flag.value
    })
    .map((join) => enumArgument(join, 'graph'))
    .filter((graph) => graph !== null)
  return [...new Set(graphs)]
}

function joinTypes(node: InterfaceTypeDefinitionNode): readonly ConstDirectiveNode[] {
  return (node.directives ?? []).filter((directive) => directive.name.value === 'join__type')
}

function joinFields(field: FieldDefinitionNode): readonly ConstDirectiveNode[] {
  return (field.directives ?? []).filter((directive) => directive.name.value === 'join__field')
}

function enumArgument(node: ConstDirectiveNode, name: string): string | null {
  const value = argument(node, name)
  return value?.kind === Kind.ENUM ? value.value : null
}

function stringArgument(node: ConstDirectiveNode, name: string): string | null {
  const value = argument(node, name)
  return value?.kind === Kind.STRING ? value.value : null
}

/** Also inside top-level inline fragments, which select on the same object. */
function topLevelFields(selection: string | null): readonly string[] {
  if (selection === null) return []
  const fields: string[] = []
  let depth = 0
  visit(parse(`{ ${selection} }`, { noLocation: true }), {
    Field: {
      enter(node) {
        if (depth === 0) fields.push(node.name.value)
        depth++
      },
      leave() {
        depth--
      },
    },
  })
  return fields
}
