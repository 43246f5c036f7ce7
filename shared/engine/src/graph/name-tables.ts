/** Types and field sets by what names them, while the types of one graph are compiled. */
import { type TypeId, typeId } from '../ids/ids.ts'
import type { FieldSet, TypeRef } from './compiled/compiled-graph.ts'
import { SupergraphError } from './header/supergraph-error.ts'
import type { JoinedType } from './joined/joined-type.ts'
import { parseSelectionText } from './selection-text.ts'

/** Types, labels and field sets by their names or texts, for every part of the compiler. */
export type NameTables = {
  /** Without the scalars that GraphQL itself defines, unless the supergraph defines them, too. */
  readonly types: { get(name: string): JoinedType | undefined }
  readonly typeByName: { get(name: string): TypeId | undefined }
  /** Indexed by TypeId. A graph that is compiled from another one also has names of types that are gone. */
  readonly names: readonly string[]
  /** How many subgraphs there are. */
  readonly subgraphs: number
  /** Object types by the interface they implement in the supergraph, in the order of their names. */
  readonly implementers: { get(name: string): readonly TypeId[] | undefined }
  /** Labels of progressive overrides. The list grows while fields are compiled. */
  readonly labels: string[]
  /**
   * Types of fields by their texts, so that one that is written a thousand times is one value. Grows, too.
   */
  readonly typeRefs: Map<string, TypeRef>
  /** Field sets by their texts, likewise. */
  readonly fieldSets: Map<string, FieldSet>
}

/** The tables of a graph that is compiled as a whole. */
export type GraphTables = NameTables & {
  readonly typeByName: ReadonlyMap<string, TypeId>
  /** The ids of all names. */
  readonly numbers: ReadonlyMap<string, TypeId>
}

const BUILT_IN_SCALARS = ['Boolean', 'Float', 'ID', 'Int', 'String']

/**
 * Numbers the types of a graph in the order of their names. Types that the tables `before` have keep their
 * numbers, and others come after them.
 */
export function buildNameTables(
  types: ReadonlyMap<string, JoinedType>,
  subgraphs: number,
  before: GraphTables | null = null,
): GraphTables {
  const sorted = [...new Set([...types.keys(), ...BUILT_IN_SCALARS])].sort()
  const names = before === null ? sorted : withNewNames(sorted, before)
  const numbers = before === null || names !== before.names ? numbered(names) : before.numbers
  const typeByName = new Map(sorted.map((name) => [name, numbers.get(name) ?? typeId(0)]))
  const implementers = new Map<string, TypeId[]>()
  for (const [name, id] of typeByName) {
    const type = types.get(name)
    if (type?.kind !== 'object') continue
    for (const parent of type.interfaces) {
      const known = implementers.get(parent)
      if (known === undefined) implementers.set(parent, [id])
      else known.push(id)
    }
  }
  // A graph that is left again must not leave ids that the next one gives to other names, nor take those of
  // names that are gone.
  const known = hasSameNames(typeByName, before) ? before : null
  return {
    types,
    typeByName,
    names,
    numbers,
    subgraphs,
    implementers,
    labels: [],
    typeRefs: known?.typeRefs ?? new Map(),
    fieldSets: known?.fieldSets ?? new Map(),
  }
}

function hasSameNames(
  typeByName: ReadonlyMap<string, TypeId>,
  before: GraphTables | null,
): before is GraphTables {
  if (before === null || before.typeByName.size !== typeByName.size) return false
  for (const name of typeByName.keys()) if (!before.typeByName.has(name)) return false
  return true
}

function withNewNames(sorted: readonly string[], { names, numbers }: GraphTables): readonly string[] {
  const added = sorted.filter((name) => !numbers.has(name))
  return added.length === 0 ? names : [...names, ...added]
}

function numbered(names: readonly string[]): ReadonlyMap<string, TypeId> {
  return new Map(names.map((name, id) => [name, typeId(id)]))
}

/** Sorts types by their names. */
export function inOrder({ names }: NameTables, ids: readonly TypeId[]): readonly TypeId[] {
  if (ids.length < 2) return ids
  return [...ids].sort((a, b) => ((names[a] ?? '') < (names[b] ?? '') ? -1 : 1))
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
