/**
 * Repair: fragments in `@requires` and `@provides` that the library does not follow.
 *
 * For the run, selections are written with fragments on object types only: one on an interface or a union
 * becomes one per object type of it in that subgraph, one without a condition or on the type it stands in
 * becomes its own content. `withOwnSelections` publishes what the subgraph wrote.
 */
import { Kind, print, stripIgnoredCharacters, visit } from 'graphql'
import type {
  ConstDirectiveNode,
  DocumentNode,
  FieldDefinitionNode,
  SelectionNode,
  SelectionSetNode,
} from 'graphql'
import { federationDirectiveName } from '../federation/federation-link.ts'
import { fieldSetOf } from '../subgraph/field-sets.ts'
import { joinField, joins, readGraphValues, textOf } from '../directives/join-directives.ts'
import { federationDirectives, type ParsedSubgraph } from '../subgraph/subgraph.ts'
import { baseName } from '../subgraph/type-references.ts'

/** The document with selections that have fragments on object types only. */
export function withPlainSelections(subgraph: ParsedSubgraph, document: DocumentNode): DocumentNode {
  let parent = ''
  const enterType = (node: { readonly name: { readonly value: string } }) => void (parent = node.name.value)
  return visit(document, {
    ObjectTypeDefinition: enterType,
    ObjectTypeExtension: enterType,
    InterfaceTypeDefinition: enterType,
    InterfaceTypeExtension: enterType,
    FieldDefinition(node) {
      const directives = node.directives?.map((one) => plainDirective(subgraph, parent, node, one))
      return { ...node, directives }
    },
  })
}

function plainDirective(
  subgraph: ParsedSubgraph,
  parent: string,
  field: FieldDefinitionNode,
  directive: ConstDirectiveNode,
): ConstDirectiveNode {
  const name = federationDirectiveName(subgraph.link, directive.name.value)
  if (name !== 'requires' && name !== 'provides') return directive
  const set = fieldSetOf(directive)
  if (set === null) return directive
  const selections = plainSelections(subgraph, name === 'requires' ? parent : baseName(field.type), set)
  if (selections === null) return directive
  const fields = print({ ...set, selections })
    .replaceAll(/\s+/g, ' ')
    .slice(1, -1)
    .trim()
  return {
    ...directive,
    arguments: directive.arguments?.map((one) =>
      one.name.value === 'fields' ? { ...one, value: { kind: Kind.STRING, value: fields } } : one,
    ),
  }
}

/**
 * The selection in plain form. Null if there is nothing to change, or if the library must report it as
 * invalid.
 */
function plainSelections(
  subgraph: ParsedSubgraph,
  type: string,
  set: SelectionSetNode,
): readonly SelectionNode[] | null {
  let changed = false
  // `isNarrowed`: the selection was written for a wider type, so fragments in it may have nothing to do with
  // this one.
  const walk = (
    scope: string,
    nodes: readonly SelectionNode[],
    isNarrowed: boolean,
  ): readonly SelectionNode[] =>
    nodes.flatMap((node): readonly SelectionNode[] => {
      if (node.kind === Kind.FRAGMENT_SPREAD) return [node]
      if (node.kind === Kind.FIELD) {
        const field = subgraph.types.get(scope)?.fields.get(node.name.value)
        if (node.selectionSet === undefined || field === undefined) return [node]
        const selections = walk(baseName(field.type), node.selectionSet.selections, false)
        return [{ ...node, selectionSet: { ...node.selectionSet, selections } }]
      }
      const condition = node.typeCondition?.name.value ?? scope
      const inside = (name: string, narrows: boolean) => walk(name, node.selectionSet.selections, narrows)
      if (isWithin(subgraph, scope, condition)) {
        changed = true
        return inside(scope, isNarrowed || scope !== condition)
      }
      const objects = objectTypes(subgraph, condition)
      const possible = objectTypes(subgraph, scope) ?? [scope]
      if (objects === null) {
        if (isNarrowed && !possible.includes(condition)) return []
        return [
          { ...node, selectionSet: { ...node.selectionSet, selections: inside(condition, isNarrowed) } },
        ]
      }
      changed = true
      return objects
        .filter((name) => possible.includes(name))
        .map((name) => ({ name, selections: inside(name, true) }))
        .filter(({ selections }) => selections.length > 0)
        .map(({ name, selections }) => ({
          ...node,
          typeCondition: { kind: Kind.NAMED_TYPE, name: { kind: Kind.NAME, value: name } },
          selectionSet: { ...node.selectionSet, selections },
        }))
    })
  const selections = walk(type, set.selections, false)
  return changed && !hasEmptySelection(selections) ? selections : null
}

function hasEmptySelection(nodes: readonly SelectionNode[]): boolean {
  return (
    nodes.length === 0 ||
    nodes.some(
      (node) =>
        'selectionSet' in node &&
        node.selectionSet !== undefined &&
        hasEmptySelection(node.selectionSet.selections),
    )
  )
}

/** Whether every object of `scope` meets the condition anyway. */
function isWithin({ types }: ParsedSubgraph, scope: string, condition: string): boolean {
  return scope === condition || types.get(scope)?.interfaces.has(condition) === true
}

/** The object types of an abstract type. Null if the type is not abstract in this subgraph. */
function objectTypes({ types }: ParsedSubgraph, name: string): readonly string[] | null {
  const type = types.get(name)
  if (type?.kind === Kind.UNION_TYPE_DEFINITION) return [...type.members].sort()
  if (type?.kind !== Kind.INTERFACE_TYPE_DEFINITION) return null
  return [...types.values()]
    .filter((other) => other.kind === Kind.OBJECT_TYPE_DEFINITION && other.interfaces.has(name))
    .map((other) => other.name)
    .sort()
}

/** The supergraph with selections as the subgraphs wrote them. */
export function withOwnSelections(
  supergraph: DocumentNode,
  subgraphs: readonly ParsedSubgraph[],
): DocumentNode {
  const values = readGraphValues(supergraph)
  return visit(supergraph, {
    ObjectTypeDefinition: (node) => ({
      ...node,
      fields: node.fields?.map((field) => mend(node.name.value, field)),
    }),
    InterfaceTypeDefinition: (node) => ({
      ...node,
      fields: node.fields?.map((field) => mend(node.name.value, field)),
    }),
  })

  function mend(typeName: string, field: FieldDefinitionNode): FieldDefinitionNode {
    let directives = field.directives ?? []
    for (const subgraph of subgraphs) {
      const own = subgraph.types.get(typeName)?.fields.get(field.name.value)
      const graph = values.get(subgraph.name)
      if (own === undefined || graph === undefined) continue
      for (const name of ['requires', 'provides'] as const) {
        const [text] = federationDirectives(subgraph, own, name).map((node) => compact(fieldSetOf(node)))
        if (text === undefined || text === null) continue
        const stated = joins({ directives }, 'join__field')
        if (stated.length === 0) {
          const declaring = subgraphs.filter(
            (one) => one.types.get(typeName)?.fields.has(field.name.value) === true,
          )
          const graphs = declaring.map((one) => values.get(one.name)).filter((value) => value !== undefined)
          directives = [...directives, ...graphs.map((value) => joinField({ graph: value }))]
        }
        directives = directives.map((node) =>
          node.name.value === 'join__field' &&
          textOf(node, 'graph') === graph &&
          stripped(textOf(node, name)) !== text
            ? joinField({ graph, [name]: text }, node)
            : node,
        )
      }
    }
    return { ...field, directives }
  }
}

function stripped(text: string | null): string | null {
  return text === null ? null : stripIgnoredCharacters(text)
}

function compact(set: SelectionSetNode | null): string | null {
  return set === null ? null : stripIgnoredCharacters(print(set)).slice(1, -1)
}
