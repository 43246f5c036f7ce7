/** Compiles the types of a graph that are not what they were before a change. */
import { Kind } from 'graphql'
import { type TypeId, typeId } from '../../ids/ids.ts'
import { checkSelections } from '../check-selections.ts'
import { compileType } from '../compile-types.ts'
import type { CompiledGraph, CompiledSubgraph, CompiledType } from '../compiled/compiled-graph.ts'
import { namedType } from '../compiled/named-type.ts'
import type { FeatureNames } from '../header/features.ts'
import type { JoinedType } from '../joined/joined-type.ts'
import { joinedTypeReader } from '../joined/read-joined-types.ts'
import type { NameTables } from '../name-tables.ts'
import type { ChangedType } from './changed-types.ts'
import type { DefinitionTexts } from './definition-texts.ts'

/** The changed text, and what was read of its header. */
export type PatchedText = {
  readonly texts: DefinitionTexts
  readonly names: FeatureNames
  readonly subgraphs: readonly CompiledSubgraph[]
  readonly changed: readonly ChangedType[]
}

/** All types of the graph, and those among them that were compiled. */
export type PatchedTypes = {
  readonly types: readonly CompiledType[]
  readonly compiled: readonly CompiledType[]
}

/**
 * Compiles the changed types, those named in `others`, and those that know which objects they may be. Null if
 * a label came in. Throws a SupergraphError as the whole text would.
 */
export function patchTypes(
  before: CompiledGraph,
  text: PatchedText,
  others: Iterable<string>,
): PatchedTypes | null {
  const read = joinedTypeReader(text)
  const ids = new Map(before.types.map(({ name, id }) => [name, id]))
  const joined = new Map(text.changed.map(({ name, now }) => [name, read(now)]))
  const affected = new Set([...joined.keys(), ...others])
  for (const { name, before: old, now } of text.changed) {
    if (now.kind !== Kind.OBJECT_TYPE_DEFINITION) continue
    const [was, is] = [read(old), joined.get(name)]
    if (is === undefined || placesOf(was) === placesOf(is)) continue
    for (const one of [...was.interfaces, ...is.interfaces]) affected.add(one)
    for (const union of unionsOf(before, ids.get(name))) affected.add(union)
  }
  const types = {
    get: (name: string): JoinedType | undefined => {
      const known = joined.get(name)
      if (known !== undefined) return known
      const node = text.texts.get(name)
      return node === undefined ? undefined : read(node)
    },
  }
  const tables = tablesOf(before, ids, joined, types)
  const compiled = [...affected].flatMap((name) => {
    const id = ids.get(name)
    return id === undefined ? [] : [compileType(tables, id)]
  })
  if (tables.labels.length > 0) return null
  const patched = replaced(before.types, compiled)
  const graph = { ...before, types: patched, subgraphs: text.subgraphs }
  checkSelections({ compiled: graph }, compiled.some((type) => hasLost(before, type)) ? patched : compiled)
  return { types: patched, compiled }
}

/** The types with others in the place of those that have their ids. */
export function replaced(
  types: readonly CompiledType[],
  others: readonly CompiledType[],
): readonly CompiledType[] {
  const all = [...types]
  for (const type of others) all[type.id] = type
  return all
}

/** Where an object type is, as interfaces and unions look at it. */
function placesOf({ interfaces, presence, implementations }: JoinedType): string {
  return JSON.stringify([interfaces, presence.map(({ at }) => at), implementations])
}

function unionsOf({ types }: CompiledGraph, object: TypeId | undefined): readonly string[] {
  if (object === undefined) return []
  return types.flatMap(({ kind, name, possible }) =>
    kind === 'union' && possible.includes(object) ? [name] : [],
  )
}

function tablesOf(
  { types, subgraphs }: CompiledGraph,
  ids: ReadonlyMap<string, TypeId>,
  joined: ReadonlyMap<string, JoinedType>,
  read: NameTables['types'],
): NameTables {
  const implementers = new Map<string, TypeId[]>()
  for (const { id, name, kind, interfaces } of types) {
    if (kind !== 'object') continue
    const names = joined.get(name)?.interfaces ?? interfaces.map((one) => types[one]?.name ?? '')
    for (const implemented of names) {
      const known = implementers.get(implemented)
      if (known === undefined) implementers.set(implemented, [typeId(id)])
      else known.push(typeId(id))
    }
  }
  return {
    types: read,
    typeByName: ids,
    names: types.map(({ name }) => name),
    numbers: ids,
    subgraphs: subgraphs.length,
    implementers,
    labels: [],
    typeRefs: new Map(),
    fieldSets: new Map(),
  }
}

/** Whether a selection that was right before may be wrong now. */
function hasLost({ types }: CompiledGraph, now: CompiledType): boolean {
  const before = types[now.id]
  if (before === undefined) return true
  const fields = new Map(now.fields.map((field) => [field.name, namedType(field.type)]))
  return (
    before.fields.some(({ name, type }) => fields.get(name) !== namedType(type)) ||
    before.possible.some((object) => !now.possible.includes(object))
  )
}
