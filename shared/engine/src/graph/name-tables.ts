/** Types and field sets by what names them, while the types of one graph are compiled. */
import { type TypeId, typeId } from '../ids/ids.ts'
import type { FieldSet, TypeRef } from './compiled/compiled-graph.ts'
import { SupergraphError } from './header/supergraph-error.ts'
import type { JoinedType } from './joined/joined-type.ts'
import { parseSelectionText } from './selection-text.ts'

/** Types, labels and field sets by their names or texts, for every part of the compiler. */
export type NameTables = {
  /** Without the scalars that GraphQL itself defines, unless the supergraph defines them, too. */
  readonly types: ReadonlyMap<string, JoinedType>
  readonly typeByName: ReadonlyMap<string, TypeId>
  /** Indexed by TypeId. */
  readonly names: readonly string[]
  /** How many subgraphs there are. */
  readonly subgraphs: number
  /** Object types by the interface they implement in the supergraph, ascending. */
  readonly implementers: ReadonlyMap<string, readonly TypeId[]>
  /** Labels of progressive overrides. The list grows while fields are compiled. */
  readonly labels: string[]
  /**
   * Types of fields by their texts, so that one that is written a thousand times is one value. Grows, too.
   */
  readonly typeRefs: Map<string, TypeRef>
  /** Field sets by their texts, likewise. */
  readonly fieldSets: Map<string, FieldSet>
}

const BUILT_IN_SCALARS = ['Boolean', 'Float', 'ID', 'Int', 'String']

/** Numbers the types of a graph in the order of their names. */
export function buildNameTables(types: ReadonlyMap<string, JoinedType>, subgraphs: number): NameTables {
  const names = [...new Set([...types.keys(), ...BUILT_IN_SCALARS])].sort()
  const implementers = new Map<string, TypeId[]>()
  for (const [id, name] of names.entries()) {
    const type = types.get(name)
    if (type?.kind !== 'object') continue
    for (const parent of type.interfaces) {
      const known = implementers.get(parent)
      if (known === undefined) implementers.set(parent, [typeId(id)])
      else known.push(typeId(id))
    }
  }
  return {
    types,
    typeByName: new Map(names.map((name, id) => [name, typeId(id)])),
    names,
    subgraphs,
    implementers,
    labels: [],
    typeRefs: new Map(),
    fieldSets: new Map(),
  }
}

/** The type that a text such as `[Product!]` names. Equal texts give the same value. */
export function typeRef(tables: NameTables, written: string, where: string): TypeRef {
  let ref = tables.typeRefs.get(written)
  if (ref === undefined) {
    const nonNull = written.endsWith('!')
    const nullable = nonNull ? written.slice(0, -1) : written
    ref = nullable.startsWith('[')
      ? { kind: 'list', item: typeRef(tables, nullable.slice(1, -1), where), nonNull }
      : { kind: 'named', type: typeNamed(tables, nullable, where), nonNull }
    tables.typeRefs.set(written, ref)
  }
  return ref
}

/** The field set of a `key`, `requires` or `provides`. Equal texts give the same value. */
export function fieldSet(tables: NameTables, written: string, where: string): FieldSet {
  let fieldSet = tables.fieldSets.get(written)
  if (fieldSet === undefined) {
    fieldSet = parseSelectionText(written, where, tables.typeByName)
    tables.fieldSets.set(written, fieldSet)
  }
  return fieldSet
}

/**
 * The id of a type. Throws a SupergraphError if the supergraph does not define it; `where` is for its
 * message.
 */
export function typeNamed(tables: NameTables, name: string, where: string): TypeId {
  const id = tables.typeByName.get(name)
  if (id === undefined)
    throw new SupergraphError(
      'SUPERGRAPH_INVALID',
      `${where} refers to the type "${name}", which the supergraph does not define.`,
    )
  return id
}
