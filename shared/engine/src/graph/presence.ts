/** Types as single subgraphs see them: keys, and the object types that may come where a type is declared. */
import { type SubgraphId, subgraphId, type TypeId } from '../ids/ids.ts'
import type { CompiledKey, CompiledPresence } from './compiled/compiled-graph.ts'
import type { JoinedType } from './joined/joined-type.ts'
import { type NameTables, fieldSet, inOrder, typeNamed } from './name-tables.ts'
import { compareTexts } from './type-order.ts'

/** How each subgraph that has the type sees it, ascending by subgraph. */
export function compilePresence(tables: NameTables, type: JoinedType): readonly CompiledPresence[] {
  const { name } = type
  const bySub = new Map<SubgraphId, { interfaceObject: boolean; keys: CompiledKey[] }>()
  for (const { at, key, isResolvable, isInterfaceObject } of type.presence) {
    const entry = bySub.get(at) ?? { interfaceObject: false, keys: [] }
    bySub.set(at, entry)
    entry.interfaceObject ||= isInterfaceObject
    if (key === null) continue
    const keyFields = fieldSet(tables, key, `the key of ${name}`)
    entry.keys.push({ text: key, fieldSet: keyFields, resolvable: isResolvable })
  }
  if (bySub.size === 0)
    for (let sub = 0; sub < tables.subgraphs; sub++)
      bySub.set(subgraphId(sub), { interfaceObject: false, keys: [] })
  const runtimeIn = runtimeTypes(tables, type)
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
  type: JoinedType,
  id: TypeId,
  presence: readonly CompiledPresence[],
): readonly TypeId[] {
  const known = objectTypes(tables, type)
  return known.length === 0 && presence.some(({ interfaceObject }) => interfaceObject) ? [id] : known
}

function objectTypes(tables: NameTables, { name, kind, members }: JoinedType): readonly TypeId[] {
  switch (kind) {
    case 'object':
      return [typeNamed(tables, name, name)]
    case 'union':
      return inOrder(
        tables,
        members.map((member) => typeNamed(tables, member, name)),
      )
    case 'interface':
      return tables.implementers.get(name) ?? []
    default:
      return []
  }
}

/**
 * The object types that a subgraph may return for a type. What the supergraph states for single subgraphs
 * wins over what it states for all of them.
 */
function runtimeTypes(tables: NameTables, type: JoinedType): (sub: SubgraphId) => readonly TypeId[] {
  const known = objectTypes(tables, type)
  if (type.kind === 'union') return unionMembers(tables, type, known)
  if (type.kind !== 'interface') return () => known
  const homes = known.map((id) => ({ id, subs: implementsIn(tables, id, type.name) }))
  return (sub) => homes.flatMap(({ id, subs }) => (subs === null || subs.has(sub) ? [id] : []))
}

/** The subgraphs in which an object type implements the interface; null if it does in all of them. */
function implementsIn(tables: NameTables, object: TypeId, name: string): ReadonlySet<SubgraphId> | null {
  const stated = typeWith(tables, object)?.implementations ?? []
  if (stated.length === 0) return homesOf(tables, object)
  return new Set(stated.flatMap(({ at, interface: one }) => (one === name ? [at] : [])))
}

/** The members of a union that a subgraph may return. */
function unionMembers(
  tables: NameTables,
  { name, memberships }: JoinedType,
  members: readonly TypeId[],
): (sub: SubgraphId) => readonly TypeId[] {
  if (memberships.length === 0) return (sub) => members.filter((id) => homesOf(tables, id)?.has(sub) ?? true)
  const bySub = new Map<SubgraphId, TypeId[]>()
  for (const { at, member } of memberships) {
    const known = bySub.get(at) ?? []
    bySub.set(at, known)
    known.push(typeNamed(tables, member, name))
  }
  return (sub) => inOrder(tables, bySub.get(sub) ?? [])
}

/** The subgraphs that have a type; null if all of them do. */
function homesOf(tables: NameTables, id: TypeId): ReadonlySet<SubgraphId> | null {
  const presence = typeWith(tables, id)?.presence ?? []
  return presence.length === 0 ? null : new Set(presence.map(({ at }) => at))
}

function typeWith({ types, names }: NameTables, id: TypeId): JoinedType | undefined {
  return types.get(names[id] ?? '')
}

/** Shortest key first: the choice among keys must not depend on their order in the SDL. */
function byText(a: CompiledKey, b: CompiledKey): number {
  return a.text.length - b.text.length || compareTexts(a.text, b.text)
}
