/** Compiles the types of a graph that are not what they were before a change. */
import { Kind, type TypeDefinitionNode } from 'graphql'
import { type TypeId, typeId } from '../../ids/ids.ts'
import { checkSelections } from '../check-selections.ts'
import { compileType } from '../compile-types.ts'
import type { CompiledGraph, CompiledSubgraph, CompiledType } from '../compiled/compiled-graph.ts'
import { namedType } from '../compiled/named-type.ts'
import type { FeatureNames } from '../header/features.ts'
import type { JoinedType } from '../joined/joined-type.ts'
import { joinedTypeReader } from '../joined/read-joined-types.ts'
import { TYPE_IDS, type TypeIds, typesByName } from '../graph.ts'
import type { NameTables } from '../name-tables.ts'
import type { Changes } from './changed-types.ts'
import type { DefinitionTexts } from './definition-texts.ts'
import { replaced } from './graph-patch.ts'
import { compareTexts } from '../type-order.ts'

/** A changed text with its changes, and what was read of its header. */
export type ChangedText = Changes & {
  readonly texts: DefinitionTexts
  readonly names: FeatureNames
  readonly subgraphs: readonly CompiledSubgraph[]
}

/** All types of the graph, which of them are gone, and those that were compiled. */
export type PatchedTypes = {
  readonly types: readonly CompiledType[]
  readonly removed: readonly TypeId[]
  readonly compiled: readonly CompiledType[]
}

/**
 * Compiles the changed types, those with overrides of renamed subgraphs (`overriding`), and those that know
 * which objects they may be. Null if a label came in. Throws a SupergraphError as the whole text would.
 */
export function patchTypes(
  before: CompiledGraph,
  change: ChangedText,
  overriding: Iterable<string>,
): PatchedTypes | null {
  const read = joinedTypeReader(change)
  const joined = new Map(change.changed.map(({ name, now }) => [name, read(now)]))
  const moved = movedObjects(change, joined, read)
  const ids = idsOf(before, change)
  const affected = new Set([...joined.keys(), ...overriding])
  for (const one of moved.flatMap(({ interfaces }) => interfaces)) affected.add(one)
  for (const union of unionsOf(before, new Set(moved.map(({ name }) => name)))) affected.add(union)
  const types = {
    get: (name: string): JoinedType | undefined => {
      const known = joined.get(name)
      if (known !== undefined) return known
      const node = change.texts.get(name)
      return node === undefined ? undefined : read(node)
    },
  }
  const tables = tablesOf(before, ids, joined, types)
  const compiled = [...affected].flatMap((name) => {
    const id = ids.live.get(name)
    return id === undefined ? [] : [compileType(tables, id)]
  })
  if (tables.labels.length > 0) return null
  const patched = replaced(before.types, compiled)
  if (patched.length === before.types.length) TYPE_IDS.share(before.types, patched)
  const graph = { ...before, types: patched, subgraphs: change.subgraphs }
  const isSafe = change.removed.length === 0 && !compiled.some((type) => changesSelections(before, type))
  checkSelections(
    { compiled: graph },
    isSafe ? compiled : patched.filter(({ name, id }) => ids.live.get(name) === id),
  )
  return { types: patched, removed: ids.removed, compiled }
}

/** Objects that came, went, or are elsewhere than before, with the interfaces that know of it. */
function movedObjects(
  { changed, removed }: Changes,
  joined: ReadonlyMap<string, JoinedType>,
  read: (node: TypeDefinitionNode) => JoinedType,
): readonly Pick<JoinedType, 'name' | 'interfaces'>[] {
  const moved: Pick<JoinedType, 'name' | 'interfaces'>[] = []
  for (const { name, before, now } of changed) {
    const is = joined.get(name)
    if (now.kind !== Kind.OBJECT_TYPE_DEFINITION || is === undefined) continue
    const was = before === null ? null : read(before)
    if (was === null || placesOf(was) !== placesOf(is))
      moved.push({ name, interfaces: [...(was?.interfaces ?? []), ...is.interfaces] })
  }
  for (const { name, before } of removed)
    if (before.kind === Kind.OBJECT_TYPE_DEFINITION) moved.push({ name, interfaces: read(before).interfaces })
  return moved
}

/** The ids of types by name. Types keep theirs, and others come after them. */
type IdsOfTypes = {
  readonly live: TypeIds
  /** The ids of types that are gone, ascending. */
  readonly removed: readonly TypeId[]
  /** Indexed by TypeId, of those that are gone as well. */
  readonly names: readonly string[]
}

function idsOf(before: CompiledGraph, { changed, removed }: Changes): IdsOfTypes {
  const known = typesByName(before)
  const came = new Map<string, TypeId>()
  const left = new Set<string>()
  const live = { get: (name: string) => came.get(name) ?? (left.has(name) ? undefined : known.get(name)) }
  const gone = new Map(before.removed.map((id) => [before.types[id]?.name ?? '', id]))
  const names = before.types.map(({ name }) => name)
  for (const { name } of removed) {
    const id = live.get(name)
    if (id === undefined) continue
    left.add(name)
    gone.set(name, id)
  }
  for (const { name } of changed) {
    if (live.get(name) !== undefined) continue
    came.set(name, gone.get(name) ?? typeId(names.length))
    if (!gone.delete(name)) names.push(name)
  }
  return { live, removed: [...gone.values()].sort((a, b) => a - b), names }
}

/** Where an object type is, as interfaces and unions look at it. */
function placesOf({ interfaces, presence, implementations }: JoinedType): string {
  return JSON.stringify([interfaces, presence.map(({ at }) => at), implementations])
}

/** The unions of which one of the objects was a member. */
function unionsOf({ types }: CompiledGraph, objects: ReadonlySet<string>): readonly string[] {
  if (objects.size === 0) return []
  return types.flatMap(({ kind, name, possible }) =>
    kind === 'union' && possible.some((id) => objects.has(types[id]?.name ?? '')) ? [name] : [],
  )
}

function tablesOf(
  { types, subgraphs }: CompiledGraph,
  ids: IdsOfTypes,
  joined: ReadonlyMap<string, JoinedType>,
  read: NameTables['types'],
): NameTables {
  const { live, names } = ids
  let implementers: ReadonlyMap<string, readonly TypeId[]> | undefined
  return {
    types: read,
    typeByName: live,
    names,
    subgraphs: subgraphs.length,
    // Only interfaces need them.
    implementers: { get: (name) => (implementers ??= implementersIn(types, ids, joined)).get(name) },
    labels: [],
    typeRefs: new Map(),
    fieldSets: new Map(),
  }
}

/** The object types by the interfaces that they implement, in the order of their names. */
function implementersIn(
  types: readonly CompiledType[],
  { live, names }: IdsOfTypes,
  joined: ReadonlyMap<string, JoinedType>,
): ReadonlyMap<string, readonly TypeId[]> {
  const implementers = new Map<string, TypeId[]>()
  for (const name of [...names].sort(compareTexts)) {
    const id = live.get(name)
    if (id === undefined) continue
    const type = joined.get(name)
    const known = types[id]
    if ((type ?? known)?.kind !== 'object') continue
    const implemented = type?.interfaces ?? known?.interfaces.map((one) => types[one]?.name ?? '') ?? []
    for (const one of implemented) {
      const others = implementers.get(one)
      if (others === undefined) implementers.set(one, [id])
      else others.push(id)
    }
  }
  return implementers
}

/**
 * Whether a selection that was right before may be wrong now. A field that an object of an interface gained
 * may be found in the place of one of another object.
 */
function changesSelections({ types }: CompiledGraph, now: CompiledType): boolean {
  const before = types[now.id]
  // A type that came in is named by what is compiled as well, and by nothing else.
  if (before === undefined || before.name !== now.name) return now.interfaces.length > 0
  const [old, fields] = [before, now].map(
    (type) => new Map(type.fields.map((field) => [field.name, namedType(field.type)])),
  )
  const hasLost = [...(old ?? [])].some(([name, type]) => fields?.get(name) !== type)
  const hasGained = now.fields.some(({ name }) => old?.has(name) !== true)
  const isAbstract = now.kind === 'interface' || now.interfaces.length > 0
  const isSame =
    before.possible.length === now.possible.length &&
    before.possible.every((id, at) => id === now.possible[at])
  return hasLost || (hasGained && isAbstract) || !isSame
}
