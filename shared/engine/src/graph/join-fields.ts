/**
 * What `@join__field` says about one field: which subgraphs declare it, and under which terms they resolve
 * it.
 */
import {
  type ConstDirectiveNode,
  type FieldDefinitionNode,
  type InterfaceTypeDefinitionNode,
  type ObjectTypeDefinitionNode,
  parseType,
} from 'graphql'
import { labelId, type LabelId, NO_LABEL, type SubgraphId } from '../ids.ts'
import type { CompiledEdge, CompiledPresence, FieldSet, TypeRef } from './compiled-graph.ts'
import { argumentOf, directivesOf, flagArgument, textArgument } from './directives.ts'
import { type NameTables, fieldSet, subgraphOf, typeRef } from './name-tables.ts'
import { SupergraphError } from './supergraph-error.ts'

/** A type with fields, and what holds for all of them. */
export type FieldOwner = {
  readonly definition: ObjectTypeDefinitionNode | InterfaceTypeDefinitionNode
  /** Subgraphs that have the type, ascending. */
  readonly subs: readonly SubgraphId[]
  /** Fields that are part of a key of the type. */
  readonly keyFields: ReadonlyMap<SubgraphId, ReadonlySet<string>>
  /** Fields that a subgraph requires, and hence cannot resolve. */
  readonly required: ReadonlyMap<SubgraphId, ReadonlySet<string>>
  /** join 0.1: the subgraph that resolves what is not stated otherwise. */
  readonly origin: SubgraphId | null
}

/** Collects what holds for all fields of a type. */
export function fieldOwner(
  naming: NameTables,
  definition: FieldOwner['definition'],
  presence: readonly CompiledPresence[],
): FieldOwner {
  const [origin] = directivesOf(definition, naming.features.join.owner)
  return {
    definition,
    subs: presence.map(({ sub }) => sub),
    keyFields: new Map(
      presence.flatMap(({ sub, keys }) =>
        keys.length === 0 ? [] : [[sub, new Set(keys.flatMap(({ fieldSet }) => fieldNames(fieldSet)))]],
      ),
    ),
    required: requiredFields(naming, definition, presence),
    origin:
      origin === undefined ? null : subgraphOf(naming, textArgument(origin, 'graph'), definition.name.value),
  }
}

/**
 * A field that its own subgraph only has below the field (`requires: "size { width }"`) may be resolvable
 * there, its parts being external; on an interface object no field of the interface is.
 */
function requiredFields(
  naming: NameTables,
  definition: FieldOwner['definition'],
  presence: readonly CompiledPresence[],
): ReadonlyMap<SubgraphId, ReadonlySet<string>> {
  const interfaceObjects = new Set(
    presence.flatMap(({ sub, interfaceObject }) => (interfaceObject ? [sub] : [])),
  )
  const required = new Map<SubgraphId, Set<string>>()
  for (const field of definition.fields ?? [])
    for (const join of directivesOf(field, naming.features.join.field)) {
      const requires = textArgument(join, 'requires')
      if (requires === null) continue
      const where = `${definition.name.value}.${field.name.value}`
      const sub = subgraphOf(naming, textArgument(join, 'graph'), where)
      const names = required.get(sub) ?? new Set()
      required.set(sub, names)
      for (const item of fieldSet(naming, requires, where))
        if (item.kind === 'field' && (item.below === null || interfaceObjects.has(sub))) names.add(item.name)
    }
  return required
}

function fieldNames(fieldSet: FieldSet): readonly string[] {
  return fieldSet.flatMap((item) => (item.kind === 'field' ? [item.name] : []))
}

/** The subgraphs that declare a field, ascending. Throws a SupergraphError for `@fromContext`. */
export function compileEdges(
  naming: NameTables,
  owner: FieldOwner,
  field: FieldDefinitionNode,
  type: TypeRef,
): readonly CompiledEdge[] {
  const name = field.name.value
  const joins = directivesOf(field, naming.features.join.field)
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
    // Bare: contributed to this object by an interface object; no subgraph resolves it on the object itself.
    if (graph === null) continue
    const sub = subgraphOf(naming, graph, where)
    edges.push(statedEdge(naming, sub, join, where, type))
    const from = textArgument(join, 'override')
    const fromSub = from === null ? undefined : naming.subByName.get(from)
    const label = textArgument(join, 'overrideLabel')
    if (fromSub !== undefined && fromSub !== sub)
      overridden.set(fromSub, { label: label === null ? NO_LABEL : labelOf(naming, label) })
  }
  const stated = new Set(edges.map(({ sub }) => sub))
  for (const sub of implicitSubgraphs(owner, name, joins.length > 0))
    if (!stated.has(sub)) edges.push(plainEdge(sub, type))
  return edges
    .map((edge) => withOverride(edge, overridden.get(edge.sub)))
    .map((edge) => withRuleE1(edge, name, owner))
    .sort((a, b) => a.sub - b.sub)
}

function implicitSubgraphs(owner: FieldOwner, name: string, isStated: boolean): readonly SubgraphId[] {
  if (owner.origin === null) return isStated ? [] : owner.subs
  // join 0.1: who has the field in a key can be asked for it as well, whatever is stated.
  const having = owner.subs.filter((sub) => owner.keyFields.get(sub)?.has(name) === true)
  return isStated ? having : [...new Set([owner.origin, ...having])]
}

function plainEdge(sub: SubgraphId, type: TypeRef): CompiledEdge {
  return { sub, external: false, requires: null, provides: null, label: NO_LABEL, wantLabel: false, type }
}

function statedEdge(
  naming: NameTables,
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
    requires: requires === null ? null : { text: requires, fieldSet: fieldSet(naming, requires, where) },
    provides: provides === null ? null : fieldSet(naming, provides, where),
    label: label === null || !isTarget ? NO_LABEL : labelOf(naming, label),
    wantLabel: label !== null && isTarget,
    type: own === null ? type : typeRef(naming, parseType(own, { noLocation: true }), where),
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
function withRuleE1(edge: CompiledEdge, name: string, owner: FieldOwner): CompiledEdge {
  if (edge.external || edge.requires !== null) return edge
  const required = owner.required.get(edge.sub)?.has(name) === true
  const inKey = owner.keyFields.get(edge.sub)?.has(name) === true
  return required && !inKey ? { ...edge, external: true } : edge
}

function labelOf(naming: NameTables, label: string): LabelId {
  const known = naming.labels.indexOf(label)
  if (known !== -1) return labelId(known)
  naming.labels.push(label)
  return labelId(naming.labels.length - 1)
}
