/** Types as single subgraphs see them: keys, and the object types that may come where a type is declared. */
import { Kind, type TypeDefinitionNode, type UnionTypeDefinitionNode } from 'graphql'
import type { SubgraphId, TypeId } from '../ids/ids.ts'
import type { CompiledKey, CompiledPresence } from './compiled/compiled-graph.ts'
import { directivesOf, flagArgument, textArgument } from './header/directives.ts'
import { type NameTables, fieldSet, subgraphOf, typeNamed } from './name-tables.ts'

/** How each subgraph that has the type sees it, ascending by subgraph. */
export function readPresence(
  tables: NameTables,
  definition: TypeDefinitionNode,
): readonly CompiledPresence[] {
  const name = definition.name.value
  const bySub = new Map<SubgraphId, { interfaceObject: boolean; keys: CompiledKey[] }>()
  for (const join of directivesOf(definition, tables.features.join.type)) {
    const sub = subgraphOf(tables, textArgument(join, 'graph'), name)
    const entry = bySub.get(sub) ?? { interfaceObject: false, keys: [] }
    bySub.set(sub, entry)
    entry.interfaceObject ||= flagArgument(join, 'isInterfaceObject', false)
    const key = textArgument(join, 'key')
    if (key === null) continue
    entry.keys.push({
      text: key,
      fieldSet: fieldSet(tables, key, `the key of ${name}`),
      resolvable: flagArgument(join, 'resolvable', true),
    })
  }
  // join 0.1 gives value types no join__type: they live everywhere.
  if (bySub.size === 0)
    for (const sub of tables.subByName.values()) bySub.set(sub, { interfaceObject: false, keys: [] })
  const runtimeIn = runtimeTypes(tables, definition)
  return [...bySub]
    .sort(([a], [b]) => a - b)
    .map(([sub, entry]) => ({
      sub,
      interfaceObject: entry.interfaceObject,
      keys: entry.keys.sort(byText),
      runtime: entry.interfaceObject ? [] : runtimeIn(sub),
    }))
}

/**
 * Object types a value may have in the supergraph, ascending. An interface that nobody implements, and that
 * some subgraph has as interface object, stands for itself: there are objects of it, and nobody will ever say
 * what else they are.
 */
export function possibleTypes(
  tables: NameTables,
  name: string,
  id: TypeId,
  presence: readonly CompiledPresence[],
): readonly TypeId[] {
  const known = objectTypes(tables, name)
  return known.length === 0 && presence.some(({ interfaceObject }) => interfaceObject) ? [id] : known
}

function objectTypes(tables: NameTables, name: string): readonly TypeId[] {
  const definition = tables.definitions.get(name)
  switch (definition?.kind) {
    case Kind.OBJECT_TYPE_DEFINITION:
      return [typeNamed(tables, name, name)]
    case Kind.UNION_TYPE_DEFINITION:
      return ascending((definition.types ?? []).map((node) => typeNamed(tables, node.name.value, name)))
    case Kind.INTERFACE_TYPE_DEFINITION:
      return tables.implementers.get(name) ?? []
    default:
      return []
  }
}

/**
 * The object types that a subgraph may return for a type. What the supergraph states for single subgraphs
 * wins over what it states for all of them.
 */
function runtimeTypes(
  tables: NameTables,
  definition: TypeDefinitionNode,
): (sub: SubgraphId) => readonly TypeId[] {
  const name = definition.name.value
  switch (definition.kind) {
    case Kind.OBJECT_TYPE_DEFINITION: {
      const itself = objectTypes(tables, name)
      return () => itself
    }
    case Kind.INTERFACE_TYPE_DEFINITION: {
      const homes = objectTypes(tables, name).map((id) => ({ id, subs: implementsIn(tables, id, name) }))
      return (sub) => homes.flatMap(({ id, subs }) => (subs === null || subs.has(sub) ? [id] : []))
    }
    case Kind.UNION_TYPE_DEFINITION:
      return unionMembers(tables, definition)
    default:
      return () => []
  }
}

/** The subgraphs in which an object type implements the interface; null if it does in all of them. */
function implementsIn(tables: NameTables, object: TypeId, name: string): ReadonlySet<SubgraphId> | null {
  const objectName = tables.names[object] ?? ''
  const definition = tables.definitions.get(objectName)
  const stated = definition === undefined ? [] : directivesOf(definition, tables.features.join.implements)
  if (stated.length === 0) return tables.subgraphsByType.get(objectName) ?? null
  return new Set(
    stated.flatMap((join) =>
      textArgument(join, 'interface') === name
        ? [subgraphOf(tables, textArgument(join, 'graph'), objectName)]
        : [],
    ),
  )
}

/** The members of a union that a subgraph may return. */
function unionMembers(
  tables: NameTables,
  definition: UnionTypeDefinitionNode,
): (sub: SubgraphId) => readonly TypeId[] {
  const name = definition.name.value
  const stated = directivesOf(definition, tables.features.join.unionMember)
  if (stated.length === 0) {
    const members = objectTypes(tables, name)
    return (sub) =>
      members.filter((id) => tables.subgraphsByType.get(tables.names[id] ?? '')?.has(sub) ?? true)
  }
  const bySub = new Map<SubgraphId, TypeId[]>()
  for (const join of stated) {
    const sub = subgraphOf(tables, textArgument(join, 'graph'), name)
    const members = bySub.get(sub) ?? []
    bySub.set(sub, members)
    members.push(typeNamed(tables, textArgument(join, 'member') ?? '', name))
  }
  return (sub) => ascending(bySub.get(sub) ?? [])
}

function ascending(ids: readonly TypeId[]): readonly TypeId[] {
  return [...ids].sort((a, b) => a - b)
}

/** Shortest key first: the choice among keys must not depend on their order in the SDL. */
function byText(a: CompiledKey, b: CompiledKey): number {
  return a.text.length - b.text.length || (a.text < b.text ? -1 : 1)
}
