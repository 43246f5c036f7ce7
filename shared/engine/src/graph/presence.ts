/** Types as single subgraphs see them: keys, and the object types that may come where a type is declared. */
import { Kind, type TypeDefinitionNode, type UnionTypeDefinitionNode } from 'graphql'
import type { SubgraphId, TypeId } from '../ids.ts'
import type { CompiledKey, CompiledPresence } from './compiled-graph.ts'
import { directivesOf, flagArgument, textArgument } from './directives.ts'
import { type NameTables, fieldSet, subgraphOf, typeNamed } from './name-tables.ts'

/** How each subgraph that has the type sees it, ascending by subgraph. */
export function readPresence(
  naming: NameTables,
  definition: TypeDefinitionNode,
): readonly CompiledPresence[] {
  const name = definition.name.value
  const bySub = new Map<SubgraphId, { interfaceObject: boolean; keys: CompiledKey[] }>()
  for (const join of directivesOf(definition, naming.features.join.type)) {
    const sub = subgraphOf(naming, textArgument(join, 'graph'), name)
    const entry = bySub.get(sub) ?? { interfaceObject: false, keys: [] }
    bySub.set(sub, entry)
    entry.interfaceObject ||= flagArgument(join, 'isInterfaceObject', false)
    const key = textArgument(join, 'key')
    if (key === null) continue
    entry.keys.push({
      text: key,
      fieldSet: fieldSet(naming, key, `the key of ${name}`),
      resolvable: flagArgument(join, 'resolvable', true),
    })
  }
  // join 0.1 gives value types no join__type: they live everywhere.
  if (bySub.size === 0)
    for (const sub of naming.subByName.values()) bySub.set(sub, { interfaceObject: false, keys: [] })
  const runtimeIn = runtimeTypes(naming, definition)
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
  naming: NameTables,
  name: string,
  id: TypeId,
  presence: readonly CompiledPresence[],
): readonly TypeId[] {
  const known = objectTypes(naming, name)
  return known.length === 0 && presence.some(({ interfaceObject }) => interfaceObject) ? [id] : known
}

function objectTypes(naming: NameTables, name: string): readonly TypeId[] {
  const definition = naming.definitions.get(name)
  switch (definition?.kind) {
    case Kind.OBJECT_TYPE_DEFINITION:
      return [typeNamed(naming, name, name)]
    case Kind.UNION_TYPE_DEFINITION:
      return ascending((definition.types ?? []).map((node) => typeNamed(naming, node.name.value, name)))
    case Kind.INTERFACE_TYPE_DEFINITION:
      return naming.implementers.get(name) ?? []
    default:
      return []
  }
}

/**
 * Object types one subgraph may return for a type: per subgraph, never from the global lists where it says
 * so.
 */
function runtimeTypes(
  naming: NameTables,
  definition: TypeDefinitionNode,
): (sub: SubgraphId) => readonly TypeId[] {
  const name = definition.name.value
  switch (definition.kind) {
    case Kind.OBJECT_TYPE_DEFINITION: {
      const itself = objectTypes(naming, name)
      return () => itself
    }
    case Kind.INTERFACE_TYPE_DEFINITION: {
      const homes = objectTypes(naming, name).map((id) => ({ id, subs: implementsIn(naming, id, name) }))
      return (sub) => homes.flatMap(({ id, subs }) => (subs === null || subs.has(sub) ? [id] : []))
    }
    case Kind.UNION_TYPE_DEFINITION:
      return unionMembers(naming, definition)
    default:
      return () => []
  }
}

/** Subgraphs in which an object type implements the interface; null: in all. */
function implementsIn(naming: NameTables, object: TypeId, name: string): ReadonlySet<SubgraphId> | null {
  const objectName = naming.names[object] ?? ''
  const definition = naming.definitions.get(objectName)
  const stated = definition === undefined ? [] : directivesOf(definition, naming.features.join.implements)
  if (stated.length === 0) return naming.homes.get(objectName) ?? null
  return new Set(
    stated.flatMap((join) =>
      textArgument(join, 'interface') === name
        ? [subgraphOf(naming, textArgument(join, 'graph'), objectName)]
        : [],
    ),
  )
}

function unionMembers(
  naming: NameTables,
  definition: UnionTypeDefinitionNode,
): (sub: SubgraphId) => readonly TypeId[] {
  const name = definition.name.value
  const stated = directivesOf(definition, naming.features.join.unionMember)
  if (stated.length === 0) {
    const members = objectTypes(naming, name)
    return (sub) => members.filter((id) => naming.homes.get(naming.names[id] ?? '')?.has(sub) ?? true)
  }
  const bySub = new Map<SubgraphId, TypeId[]>()
  for (const join of stated) {
    const sub = subgraphOf(naming, textArgument(join, 'graph'), name)
    const members = bySub.get(sub) ?? []
    bySub.set(sub, members)
    members.push(typeNamed(naming, textArgument(join, 'member') ?? '', name))
  }
  return (sub) => ascending(bySub.get(sub) ?? [])
}

function ascending(ids: readonly TypeId[]): readonly TypeId[] {
  return [...ids].sort((a, b) => a - b)
}

/** Where several keys would do, the choice must not depend on the order in which the SDL names them. */
function byText(a: CompiledKey, b: CompiledKey): number {
  return a.text.length - b.text.length || (a.text < b.text ? -1 : 1)
}
