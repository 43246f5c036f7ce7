/** Makes the graph that reach walks, from the merged types: no text is written or read for it. */
import {
  compileTypeGraph,
  type JoinedField,
  type JoinedType,
  type SubgraphId,
  subgraphId,
  type KeptTypeGraph,
} from '@switchyard/engine/moves'
import { isSameList } from '../kept/same-list.ts'
import {
  isFieldsType,
  prefixesOf,
  type FieldJoin,
  type MergedField,
  type MergedFieldsType,
  type MergedGraph,
  type MergedType,
} from '../merge/merged.ts'
import { graphValues } from '../supergraph/graph-values.ts'
import type { SupergraphSubgraph } from '../supergraph/print-header.ts'

/** A graph that was made before, with what it was made of. */
export type KeptReachGraph = {
  readonly typeGraph: KeptTypeGraph
  readonly joined: ReadonlyMap<string, JoinedType>
  /** The values of `join__Graph` in the order of the subgraphs. */
  readonly values: readonly string[]
  /** The beginnings of names of types that specifications of composed directives bring. */
  readonly prefixes: readonly string[]
}

/** The same for the composition before, and the names of the types that changed since. */
export type ReachGraphBefore = { readonly graph: KeptReachGraph; readonly changed: ReadonlySet<string> }

/** The graph that the text of the supergraph would compile to, as far as moves need it. */
export function typeGraphOf(
  merged: MergedGraph,
  subgraphs: readonly SupergraphSubgraph[],
  before: ReachGraphBefore | null = null,
): KeptReachGraph {
  const values = graphValues(subgraphs.map(({ valueName }) => valueName))
  const inOrder = subgraphs
    .map(({ name, routingUrl }, at) => ({ at, name, url: routingUrl, enumValue: values[at] ?? '' }))
    .sort((a, b) => (a.enumValue < b.enumValue ? -1 : 1))
  const ids: SubgraphId[] = []
  for (const [id, { at }] of inOrder.entries()) ids[at] = subgraphId(id)
  const idOf = (at: number): SubgraphId => ids[at] ?? subgraphId(at)
  const prefixes = prefixesOf(merged)
  const usable =
    before !== null && isSameList(before.graph.values, values) && isSameList(before.graph.prefixes, prefixes)
      ? before
      : null
  const joined = new Map<string, JoinedType>()
  for (const [name, type] of merged.types) {
    // Routers take types of specifications that composed directives bring for a part of the directives.
    if (prefixes.some((prefix) => name.startsWith(prefix))) continue
    const known = usable?.changed.has(name) === false ? usable.graph.joined.get(name) : undefined
    joined.set(name, known ?? joinedType(type, idOf))
  }
  const typeGraph = compileTypeGraph(
    joined,
    inOrder.map(({ name, url, enumValue }) => ({ name, url, enumValue })),
    usable === null ? null : { kept: usable.graph.typeGraph, changed: usable.changed },
  )
  return { typeGraph, joined, values, prefixes }
}

type IdOf = (at: number) => SubgraphId

function joinedType(type: MergedType, idOf: IdOf): JoinedType {
  const { name, applied } = type
  const plain: JoinedType = {
    name,
    kind: type.kind,
    inaccessible: applied.isInaccessible,
    interfaces: [],
    members: [],
    presence: [],
    implementations: [],
    memberships: [],
    owner: null,
    fields: [],
    enumValues: [],
  }
  if (isFieldsType(type)) return { ...plain, ...fieldsOf(type, idOf) }
  const presence = type.at.map((at) => ({ ...PLAIN, at: idOf(at) }))
  if (type.kind === 'union')
    return {
      ...plain,
      presence,
      members: type.members.map((member) => member.name),
      memberships: type.members.flatMap((member) =>
        member.at.map((at) => ({ at: idOf(at), member: member.name })),
      ),
    }
  if (type.kind !== 'enum') return { ...plain, presence }
  const enumValues = type.values.map((value) => ({
    name: value.name,
    inaccessible: value.applied.isInaccessible,
  }))
  return { ...plain, presence, enumValues }
}

const PLAIN = { key: null, isResolvable: true, isInterfaceObject: false }

function fieldsOf(type: MergedFieldsType, idOf: IdOf) {
  return {
    interfaces: type.interfaces,
    presence: type.presence.map((one) => ({ ...one, at: idOf(one.at) })),
    implementations: type.implementations.map((one) => ({ ...one, at: idOf(one.at) })),
    fields: type.fields.map((field) => joinedField(field, idOf)),
  }
}

function joinedField(field: MergedField, idOf: IdOf): JoinedField {
  return {
    name: field.name,
    type: field.type,
    inaccessible: field.applied.isInaccessible,
    isStated: field.isThroughInterface || field.joins.length > 0,
    joins: field.isThroughInterface ? [] : field.joins.map((join) => joinedResolver(join, idOf)),
  }
}

function joinedResolver(join: FieldJoin, idOf: IdOf) {
  return {
    ...join,
    at: idOf(join.at),
    isExternal: join.isExternal || join.isUsedOverridden,
    override: join.override === null ? null : { from: idOf(join.override) },
  }
}
