/** Compiles which subgraphs declare a field, and under which terms they resolve it. */
import { labelId, type LabelId, NO_LABEL, type SubgraphId } from '../ids/ids.ts'
import type {
  CompiledEdge,
  CompiledField,
  CompiledPresence,
  FieldSet,
  TypeRef,
} from './compiled/compiled-graph.ts'
import type { JoinedField, JoinedResolver, JoinedType } from './joined/joined-type.ts'
import { type NameTables, fieldSet, typeRef } from './name-tables.ts'

/** A type with fields, and what holds for all of them. */
export type FieldOwner = {
  readonly name: string
  /** Subgraphs that have the type, ascending. */
  readonly subs: readonly SubgraphId[]
  /** Fields that are part of a key of the type. */
  readonly keyFields: ReadonlyMap<SubgraphId, ReadonlySet<string>>
  /** Fields that other fields of a subgraph require, so that the subgraph cannot resolve them itself. */
  readonly required: ReadonlyMap<SubgraphId, ReadonlySet<string>>
  /** Only of join 0.1: the subgraph that resolves every field that names no other one; else null. */
  readonly origin: SubgraphId | null
}

/** Collects what holds for all fields of a type. */
export function fieldOwner(
  tables: NameTables,
  type: JoinedType,
  presence: readonly CompiledPresence[],
): FieldOwner {
  return {
    name: type.name,
    subs: presence.map(({ sub }) => sub),
    keyFields: new Map(
      presence.flatMap(({ sub, keys }) =>
        keys.length === 0 ? [] : [[sub, new Set(keys.flatMap(({ fieldSet }) => fieldNames(fieldSet)))]],
      ),
    ),
    required: requiredFields(tables, type, presence),
    origin: type.owner,
  }
}

/**
 * The fields that `requires` names, by subgraph. Not those of which only parts are required, as of `size` in
 * `requires: "size { width }"`: the subgraph may resolve `size` itself, with external fields in it. On an
 * interface object these count as well, because there it resolves no field of the interface.
 */
function requiredFields(
  tables: NameTables,
  type: JoinedType,
  presence: readonly CompiledPresence[],
): ReadonlyMap<SubgraphId, ReadonlySet<string>> {
  const interfaceObjects = new Set(
    presence.flatMap(({ sub, interfaceObject }) => (interfaceObject ? [sub] : [])),
  )
  const required = new Map<SubgraphId, Set<string>>()
  for (const field of type.fields)
    for (const { at, requires } of field.joins) {
      if (requires === null) continue
      const names = required.get(at) ?? new Set()
      required.set(at, names)
      for (const item of fieldSet(tables, requires, `${type.name}.${field.name}`))
        if (item.kind === 'field' && (item.below === null || interfaceObjects.has(at))) names.add(item.name)
    }
  return required
}

function fieldNames(fieldSet: FieldSet): readonly string[] {
  return fieldSet.flatMap((item) => (item.kind === 'field' ? [item.name] : []))
}

/** The subgraphs that declare a field, and those that it was taken from, ascending. */
export function compileEdges(
  tables: NameTables,
  owner: FieldOwner,
  { name, joins, isStated }: JoinedField,
  type: TypeRef,
): Pick<CompiledField, 'edges' | 'overridden'> {
  const where = `${owner.name}.${name}`
  const edges: CompiledEdge[] = []
  const overridden = new Map<SubgraphId, { label: LabelId }>()
  for (const join of joins) {
    edges.push(statedEdge(tables, join, where, type))
    const from = join.override?.from ?? null
    const label = join.overrideLabel
    if (from !== null && from !== join.at)
      overridden.set(from, { label: label === null ? NO_LABEL : labelOf(tables, label) })
  }
  const stated = new Set(edges.map(({ sub }) => sub))
  for (const sub of implicitSubgraphs(owner, name, isStated))
    if (!stated.has(sub)) edges.push(edgeWithoutTerms(sub, type))
  const forGood = [...overridden].flatMap(([sub, { label }]) => (label === NO_LABEL ? [sub] : []))
  return {
    edges: edges
      .map((edge) => withOverride(edge, overridden.get(edge.sub)))
      .map((edge) => withRequiredFieldExternal(edge, name, owner))
      .sort((a, b) => a.sub - b.sub),
    overridden: forGood.length === 0 ? null : forGood.sort((a, b) => a - b),
  }
}

/** Subgraphs that have the field without an `@join__field` that says so. */
function implicitSubgraphs(owner: FieldOwner, name: string, isStated: boolean): readonly SubgraphId[] {
  if (owner.origin === null) return isStated ? [] : owner.subs
  // join 0.1: who has the field in a key can be asked for it as well, whatever is stated.
  const having = owner.subs.filter((sub) => owner.keyFields.get(sub)?.has(name) === true)
  return isStated ? having : [...new Set([owner.origin, ...having])]
}

/** A field that the subgraph resolves without conditions. */
function edgeWithoutTerms(sub: SubgraphId, type: TypeRef): CompiledEdge {
  return { sub, external: false, requires: null, provides: null, label: NO_LABEL, wantLabel: false, type }
}

/** A field as an `@join__field` states it. */
function statedEdge(tables: NameTables, join: JoinedResolver, where: string, type: TypeRef): CompiledEdge {
  const { at, requires, provides, overrideLabel } = join
  const isTarget = join.override !== null
  return {
    sub: at,
    external: join.isExternal,
    requires: requires === null ? null : { text: requires, fieldSet: fieldSet(tables, requires, where) },
    provides: provides === null ? null : fieldSet(tables, provides, where),
    label: overrideLabel === null || !isTarget ? NO_LABEL : labelOf(tables, overrideLabel),
    wantLabel: overrideLabel !== null && isTarget,
    type: join.type === null ? type : typeRef(tables, join.type, where),
  }
}

/** The overridden subgraph keeps its field only while a progressive override has not taken it over. */
function withOverride(edge: CompiledEdge, override: { readonly label: LabelId } | undefined): CompiledEdge {
  if (override === undefined) return edge
  if (override.label === NO_LABEL) return { ...edge, external: true, requires: null, provides: null }
  return { ...edge, external: false, label: override.label, wantLabel: false }
}

/**
 * Some composers leave out `external: true` where an interface object requires a field of its own interface.
 * What a subgraph requires it cannot resolve itself, so it counts as external there, unless it is part of a
 * key.
 */
function withRequiredFieldExternal(edge: CompiledEdge, name: string, owner: FieldOwner): CompiledEdge {
  if (edge.external || edge.requires !== null) return edge
  const required = owner.required.get(edge.sub)?.has(name) === true
  const inKey = owner.keyFields.get(edge.sub)?.has(name) === true
  return required && !inKey ? { ...edge, external: true } : edge
}

/** The number of a label; a label that is new gets the next one. */
function labelOf(tables: NameTables, label: string): LabelId {
  const known = tables.labels.indexOf(label)
  if (known !== -1) return labelId(known)
  tables.labels.push(label)
  return labelId(tables.labels.length - 1)
}
