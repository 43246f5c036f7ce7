import { Kind, type TypeDefinitionNode, type TypeNode } from 'graphql'
import { type SubgraphId, subgraphId, type TypeId, typeId } from '../ids/ids.ts'
import type { CompiledSubgraph, FieldSet, TypeRef } from './compiled/compiled-graph.ts'
import { directivesOf, textArgument } from './header/directives.ts'
import { type FeatureNames, findFeatureDefinitions } from './header/features.ts'
import type { SupergraphHeader } from './header/header.ts'
import { parseSelectionText } from './selection-text.ts'
import { SupergraphError } from './header/supergraph-error.ts'
import { typeText } from './type-text.ts'

/** Types, subgraphs and labels by their names, for every part of the compiler. */
export type NameTables = {
  readonly features: FeatureNames
  readonly typeByName: ReadonlyMap<string, TypeId>
  /** Indexed by TypeId. */
  readonly names: readonly string[]
  readonly definitions: ReadonlyMap<string, TypeDefinitionNode>
  readonly subgraphs: readonly CompiledSubgraph[]
  readonly subByEnumValue: ReadonlyMap<string, SubgraphId>
  readonly subByName: ReadonlyMap<string, SubgraphId>
  /** Object types by the interface they implement in the supergraph, ascending. */
  readonly implementers: ReadonlyMap<string, readonly TypeId[]>
  /**
   * The subgraphs that have a type. A type that is not listed is in every subgraph, like the value types of
   * join 0.1.
   */
  readonly subgraphsByType: ReadonlyMap<string, ReadonlySet<SubgraphId>>
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

/** Numbers types and subgraphs, and finds out which subgraph has which type. */
export function buildNameTables({ document, names, definitions, subgraphs }: SupergraphHeader): NameTables {
  const featureDefinitions = findFeatureDefinitions(document)
  const ofFeature = (name: string) =>
    name.startsWith('__') ||
    featureDefinitions.types.has(name) ||
    featureDefinitions.prefixes.some((prefix) => name.startsWith(prefix))
  const typeNames = [...new Set([...definitions.keys(), ...BUILT_IN_SCALARS])]
    .filter((name) => !ofFeature(name))
    .sort()
  const typeByName = new Map(typeNames.map((name, id) => [name, typeId(id)]))
  const subByEnumValue = new Map(subgraphs.map((subgraph, id) => [subgraph.enumValue, subgraphId(id)]))
  const implementers = new Map<string, TypeId[]>()
  const homes = new Map<string, Set<SubgraphId>>()
  const tables: NameTables = {
    features: names,
    typeByName,
    names: typeNames,
    definitions,
    subgraphs,
    subByEnumValue,
    subByName: new Map(subgraphs.map((subgraph, id) => [subgraph.name, subgraphId(id)])),
    implementers,
    subgraphsByType: homes,
    labels: [],
    typeRefs: new Map(),
    fieldSets: new Map(),
  }
  for (const [name, id] of typeByName) {
    const definition = definitions.get(name)
    if (definition === undefined) continue
    const joins = directivesOf(definition, names.join.type)
    if (joins.length > 0)
      homes.set(name, new Set(joins.map((join) => subgraphOf(tables, textArgument(join, 'graph'), name))))
    if (definition.kind !== Kind.OBJECT_TYPE_DEFINITION) continue
    for (const { name: parent } of definition.interfaces ?? []) {
      const known = implementers.get(parent.value)
      if (known === undefined) implementers.set(parent.value, [id])
      else known.push(id)
    }
  }
  return tables
}

/** The type that a node names. Equal texts give the same value. */
export function typeRef(tables: NameTables, node: TypeNode, where: string): TypeRef {
  const written = typeText(node)
  let ref = tables.typeRefs.get(written)
  if (ref === undefined) {
    ref = makeTypeRef(tables, node, where, false)
    tables.typeRefs.set(written, ref)
  }
  return ref
}

function makeTypeRef(tables: NameTables, node: TypeNode, where: string, nonNull: boolean): TypeRef {
  if (node.kind === Kind.NON_NULL_TYPE) return makeTypeRef(tables, node.type, where, true)
  if (node.kind === Kind.LIST_TYPE) return { kind: 'list', item: typeRef(tables, node.type, where), nonNull }
  return { kind: 'named', type: typeNamed(tables, node.name.value, where), nonNull }
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

/** The subgraph of a value of the enum `join__Graph`. Throws a SupergraphError if there is none. */
export function subgraphOf(tables: NameTables, enumValue: string | null, where: string): SubgraphId {
  const sub = enumValue === null ? undefined : tables.subByEnumValue.get(enumValue)
  if (sub === undefined)
    throw new SupergraphError(
      'SUPERGRAPH_INVALID',
      `A join directive on ${where} names the graph "${enumValue ?? ''}"; expected a value of the enum ${tables.features.join.graphEnum}.`,
    )
  return sub
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
