/** Describes one type of a supergraph, with the subgraphs that define and resolve each part of it. */
import type { CompositionType, FieldInSubgraph, TypeKind } from '@switchyard/contracts/studio'
import {
  type ConstDirectiveNode,
  type EnumValueDefinitionNode,
  type FieldDefinitionNode,
  type InputValueDefinitionNode,
  Kind,
  print,
  type TypeDefinitionNode,
} from 'graphql'
import {
  appliedOf,
  argumentFlag,
  argumentText,
  deprecationOf,
  isHidden,
  shownDirectives,
} from './applied-directives.ts'
import type { SupergraphParts } from './cut-supergraph.ts'

/** The members of `CompositionType` that its definition tells. */
export type DescribedType = Omit<
  CompositionType,
  'namespace' | 'graph' | 'composition' | 'artifact' | 'implementedBy' | 'usedBy' | 'usedByCount'
>
/**
 * The fields, members or values that are described: `limit` of them, from a place on, or those around the one
 * with a name.
 */
export type PartsAsked = {
  readonly from?: number | undefined
  readonly limit: number
  readonly part?: string | undefined
}
type Parts = Pick<SupergraphParts, 'subgraphs' | 'features'>

const KINDS: { readonly [K in TypeDefinitionNode['kind']]: TypeKind } = {
  [Kind.OBJECT_TYPE_DEFINITION]: 'OBJECT',
  [Kind.INTERFACE_TYPE_DEFINITION]: 'INTERFACE',
  [Kind.UNION_TYPE_DEFINITION]: 'UNION',
  [Kind.ENUM_TYPE_DEFINITION]: 'ENUM',
  [Kind.SCALAR_TYPE_DEFINITION]: 'SCALAR',
  [Kind.INPUT_OBJECT_TYPE_DEFINITION]: 'INPUT_OBJECT',
}

export function kindOf({ kind }: TypeDefinitionNode): TypeKind {
  return KINDS[kind]
}

/** Values of `join__Graph` of the subgraphs that define a type, each once. */
export function definingGraphs(type: TypeDefinitionNode): readonly string[] {
  return [...new Set(appliedOf(type, 'join__type').flatMap((join) => argumentText(join, 'graph') ?? []))]
}

/** Fields and input fields. */
export function fieldsOf(
  type: TypeDefinitionNode,
): readonly (FieldDefinitionNode | InputValueDefinitionNode)[] {
  return 'fields' in type ? (type.fields ?? []) : []
}

export function describeType(type: TypeDefinitionNode, parts: Parts, asked: PartsAsked): DescribedType {
  const graphs = definingGraphs(type)
  const { from, total, isTold } = chosenParts(type, asked)
  return {
    ...described(type, parts),
    kind: kindOf(type),
    subgraphs: graphs.map((graph) => presenceIn(type, graph, parts)),
    interfaces: 'interfaces' in type ? (type.interfaces ?? []).map(({ name }) => name.value) : [],
    members: membersOf(type, parts, isTold),
    values: valuesOf(type)
      .filter(isTold)
      .map((value) => describeValue(value, graphs, parts)),
    fields: fieldsOf(type)
      .filter(isTold)
      .map((field) => describeField(field, type, parts)),
    from,
    total,
  }
}

type IsTold = (part: unknown, place: number) => boolean

/** A type has fields, values or members, and never two of them. */
function chosenParts(type: TypeDefinitionNode, { from = 0, limit, part }: PartsAsked) {
  const names = [...fieldsOf(type), ...valuesOf(type)].map(({ name }) => name.value)
  const members = 'types' in type ? (type.types ?? []) : []
  names.push(...members.map(({ name }) => name.value))
  const place = part === undefined ? -1 : names.indexOf(part)
  const first = place === -1 ? from : place - (place % limit)
  const isTold: IsTold = (_, at) => at >= first && at < first + limit
  return { from: first, total: names.length, isTold }
}

function valuesOf(type: TypeDefinitionNode): readonly EnumValueDefinitionNode[] {
  return type.kind === Kind.ENUM_TYPE_DEFINITION ? (type.values ?? []) : []
}

type Described = Pick<CompositionType, 'name' | 'description' | 'deprecated' | 'inaccessible' | 'directives'>

function described(
  node: TypeDefinitionNode | FieldDefinitionNode | InputValueDefinitionNode | EnumValueDefinitionNode,
  { features }: Parts,
): Described {
  return {
    name: node.name.value,
    description: node.description?.value ?? null,
    deprecated: deprecationOf(node),
    inaccessible: isHidden(node, features),
    directives: shownDirectives(node, features),
  }
}

function presenceIn(type: TypeDefinitionNode, graph: string, { subgraphs }: Parts) {
  const joins = appliedOf(type, 'join__type').filter((join) => argumentText(join, 'graph') === graph)
  return {
    subgraph: subgraphs.get(graph) ?? graph,
    keys: joins.flatMap((join) => {
      const fields = argumentText(join, 'key')
      return fields === null ? [] : [{ fields, resolvable: argumentFlag(join, 'resolvable', true) }]
    }),
    interfaceObject: joins.some((join) => argumentFlag(join, 'isInterfaceObject')),
  }
}

function membersOf(type: TypeDefinitionNode, { subgraphs }: Parts, isTold: IsTold): DescribedType['members'] {
  if (type.kind !== Kind.UNION_TYPE_DEFINITION) return []
  const joins = appliedOf(type, 'join__unionMember')
  const byMember = Map.groupBy(joins, (join) => argumentText(join, 'member'))
  const all = definingGraphs(type)
  return (type.types ?? []).filter(isTold).map(({ name }) => {
    const own = byMember.get(name.value) ?? []
    const graphs = joins.length === 0 ? all : own.flatMap((join) => argumentText(join, 'graph') ?? [])
    return { name: name.value, subgraphs: graphs.map((graph) => subgraphs.get(graph) ?? graph) }
  })
}

function describeValue(value: EnumValueDefinitionNode, all: readonly string[], parts: Parts) {
  const joins = appliedOf(value, 'join__enumValue')
  const graphs = joins.length === 0 ? all : joins.flatMap((join) => argumentText(join, 'graph') ?? [])
  return {
    ...described(value, parts),
    subgraphs: graphs.map((graph) => parts.subgraphs.get(graph) ?? graph),
  }
}

function describeField(
  field: FieldDefinitionNode | InputValueDefinitionNode,
  type: TypeDefinitionNode,
  parts: Parts,
): CompositionType['fields'][number] {
  return {
    ...describeInput(field, parts),
    arguments:
      field.kind === Kind.FIELD_DEFINITION
        ? (field.arguments ?? []).map((argument) => describeInput(argument, parts))
        : [],
    subgraphs: fieldInSubgraphs(field, type, parts),
  }
}

function describeInput(node: FieldDefinitionNode | InputValueDefinitionNode, parts: Parts) {
  const defaultValue = 'defaultValue' in node ? node.defaultValue : undefined
  return {
    ...described(node, parts),
    type: print(node.type),
    defaultValue: defaultValue === undefined ? null : print(defaultValue),
  }
}

/** A field without `@join__field` belongs to each subgraph that defines its type. */
function fieldInSubgraphs(
  field: FieldDefinitionNode | InputValueDefinitionNode,
  type: TypeDefinitionNode,
  { subgraphs }: Parts,
): FieldInSubgraph[] {
  const joins = appliedOf(field, 'join__field')
  const isStated = joins.length > 0
  const isPlain = (text: string): FieldInSubgraph => joinedField(undefined, text)
  if (!isStated) return definingGraphs(type).map((graph) => isPlain(subgraphs.get(graph) ?? graph))
  const overridden = new Set(
    joins.flatMap((join) =>
      argumentText(join, 'overrideLabel') === null ? (argumentText(join, 'override') ?? []) : [],
    ),
  )
  return joins.flatMap((join) => {
    const graph = argumentText(join, 'graph')
    if (graph === null) return []
    const found = joinedField(join, subgraphs.get(graph) ?? graph)
    return [overridden.has(found.subgraph) ? { ...found, resolves: false } : found]
  })
}

function joinedField(join: ConstDirectiveNode | undefined, subgraph: string): FieldInSubgraph {
  const isSet = (name: string) => join !== undefined && argumentFlag(join, name)
  const external = isSet('external')
  const usedOverridden = isSet('usedOverridden')
  const overrideLabel = argumentText(join, 'overrideLabel')
  const override = argumentText(join, 'override')
  return {
    subgraph,
    type: argumentText(join, 'type'),
    external,
    requires: argumentText(join, 'requires'),
    provides: argumentText(join, 'provides'),
    override,
    overrideLabel,
    usedOverridden,
    // An overridden subgraph still resolves the field for requests without the label of the override.
    resolves: !external && (!usedOverridden || overrideLabel !== null),
  }
}
