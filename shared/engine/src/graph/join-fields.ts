/**
 * Reads the `@join__field` directives of a field: which subgraphs declare it, and under which terms they
 * resolve it.
 */
import {
  type ConstDirectiveNode,
  type FieldDefinitionNode,
  type InterfaceTypeDefinitionNode,
  type ObjectTypeDefinitionNode,
  parseType,
} from 'graphql'
import { labelId, type LabelId, NO_LABEL, type SubgraphId } from '../ids/ids.ts'
import type {
  CompiledEdge,
  CompiledField,
  CompiledPresence,
  FieldSet,
  TypeRef,
} from './compiled/compiled-graph.ts'
import { argumentOf, directivesOf, flagArgument, textArgument } from './header/directives.ts'
import { type NameTables, fieldSet, subgraphOf, typeRef } from './name-tables.ts'
import { SupergraphError } from './header/supergraph-error.ts'

/** A type with fields, and what holds for all of them. */
export type FieldOwner = {
  readonly definition: ObjectTypeDefinitionNode | InterfaceTypeDefinitionNode
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
  definition: FieldOwner['definition'],
  presence: readonly CompiledPresence[],
): FieldOwner {
  const [origin] = directivesOf(definition, tables.features.join.owner)
  return {
    definition,
    subs: presence.map(({ sub }) => sub),
    keyFields: new Map(
      presence.flatMap(({ sub, keys }) =>
        keys.length === 0 ? [] : [[sub, new Set(keys.flatMap(({ fieldSet }) => fieldNames(fieldSet)))]],
      ),
    ),
    required: requiredFields(tables, definition, presence),
    origin:
      origin === undefined ? null : subgraphOf(tables, textArgument(origin, 'graph'), definition.name.value),
  }
}

/**
 * The fields that `requires` names, by subgraph. Not those of which only parts are required, as of `size` in
 * `requires: "size { width }"`: the subgraph may resolve `size` itself, with external fields in it. On an
 * interface object these count as well, because there it resolves no field of the interface.
 */
function requiredFields(
  tables: NameTables,
  definition: FieldOwner['definition'],
  presence: readonly CompiledPresence[],
): ReadonlyMap<SubgraphId, ReadonlySet<string>> {
  const interfaceObjects = new Set(
    presence.flatMap(({ sub, interfaceObject }) => (interfaceObject ? [sub] : [])),
  )
  const required = new Map<SubgraphId, Set<string>>()
  for (const field of definition.fields ?? [])
    for (const join of directivesOf(field, tables.features.join.field)) {
      const requires = textArgument(join, 'requires')
      if (requires === null) continue
      const where = `${definition.name.value}.${field.name.value}`
      const sub = subgraphOf(tables, textArgument(join, 'graph'), where)
      const names = required.get(sub) ?? new Set()
      required.set(sub, names)
      for (const item of fieldSet(tables, requires, where))
        if (item.kind === 'field' && (item.below === null || interfaceObjects.has(sub))) names.add(item.name)
    }
  return required
}

function fieldNames(fieldSet: FieldSet): readonly string[] {
  return fieldSet.flatMap((item) => (item.kind === 'field' ? [item.name] : []))
}

/**
 * The subgraphs that declare a field, and those that it was taken from, ascending. Throws a SupergraphError
 * for `@fromContext`.
 */
export function compileEdges(
  tables: NameTables,
  owner: FieldOwner,
  field: FieldDefinitionNode,
  type: TypeRef,
): Pick<CompiledField, 'edges' | 'overridden'> {
  const name = field.name.value
  const joins = directivesOf(field, tables.features.join.field)
  const where = `${owner.definition.name.value}.${name}`
  const edges: CompiledEdge[] = []
  const overridden = new Map<SubgraphId, { label: LabelId }>()
  for (const join of joins) {
    if (argumentOf(join, 'contextArguments') !== undefined)
      throw new SupergraphError(
        'SUPERGRAPH_UNSUPPORTED_FEATURE',
        `${where} takes arguments from a context (@fromContext), which this router does not support. Nothing was loaded.`,
      )
    const graph = textArgument(join, 'graph')
    // Without a graph the field comes from an interface object: no subgraph resolves it on the object itself.
    if (graph === null) continue
    const sub = subgraphOf(tables, graph, where)
    edges.push(statedEdge(tables, sub, join, where, type))
    const from = textArgument(join, 'override')
    const fromSub = from === null ? undefined : tables.subByName.get(from)
    const label = textArgument(join, 'overrideLabel')
    if (fromSub !== undefined && fromSub !== sub)
      overridden.set(fromSub, { label: label === null ? NO_LABEL : labelOf(tables, label) })
  }
  const stated = new Set(edges.map(({ sub }) => sub))
  for (const sub of implicitSubgraphs(owner, name, joins.length > 0))
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
function statedEdge(
  tables: NameTables,
  sub: SubgraphId,
  join: ConstDirectiveNode,
  where: string,
  type: TypeRef,
): CompiledEdge {
  const requires = textArgument(join, 'requires')
  const provides = textArgument(join, 'provides')
  const own = textArgument(join, 'type')
  const label = textArgument(join, 'overrideLabel')
  const isTarget = textArgument(join, 'override') !== null
  return {
    sub,
    external: flagArgument(join, 'external', false) || flagArgument(join, 'usedOverridden', false),
    requires: requires === null ? null : { text: requires, fieldSet: fieldSet(tables, requires, where) },
    provides: provides === null ? null : fieldSet(tables, provides, where),
    label: label === null || !isTarget ? NO_LABEL : labelOf(tables, label),
    wantLabel: label !== null && isTarget,
    type: own === null ? type : typeRef(tables, parseType(own, { noLocation: true }), where),
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
