import { Kind, type TypeDefinitionNode, type TypeNode } from 'graphql'
import { type SubgraphId, subgraphId, type TypeId, typeId } from '../ids.ts'
import type { CompiledSubgraph, FieldSet, TypeRef } from './compiled-graph.ts'
import { directivesOf, textArgument } from './directives.ts'
import { type FeatureNames, findFeatureDefinitions } from './features.ts'
import type { SupergraphHeader } from './header.ts'
import { parseSelectionText } from './selection-text.ts'
import { SupergraphError } from './supergraph-error.ts'
import { typeText } from './type-text.ts'

/** Names, numbers and indices every part of the compiler needs. */
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
   * Subgraphs that have a type; a type that is not listed lives everywhere, as value types of join 0.1 do.
   */
  readonly homes: ReadonlyMap<string, ReadonlySet<SubgraphId>>
  /** Grows while fields are compiled. */
  readonly labels: string[]
  /** By their text, so that what is written a thousand times is one value. Grow likewise. */
  readonly typeRefs: Map<string, TypeRef>
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
  const naming: NameTables = {
    features: names,
    typeByName,
    names: typeNames,
    definitions,
    subgraphs,
    subByEnumValue,
    subByName: new Map(subgraphs.map((subgraph, id) => [subgraph.name, subgraphId(id)])),
    implementers,
    homes,
    labels: [],
    typeRefs: new Map(),
    fieldSets: new Map(),
  }
  for (const [name, id] of typeByName) {
    const definition = definitions.get(name)
    if (definition === undefined) continue
    const joins = directivesOf(definition, names.join.type)
    if (joins.length > 0)
      homes.set(name, new Set(joins.map((join) => subgraphOf(naming, textArgument(join, 'graph'), name))))
    if (definition.kind !== Kind.OBJECT_TYPE_DEFINITION) continue
    for (const { name: parent } of definition.interfaces ?? []) {
      const known = implementers.get(parent.value)
      if (known === undefined) implementers.set(parent.value, [id])
      else known.push(id)
    }
  }
  return naming
}

/** The type that a node names. Equal texts give the same value. */
export function typeRef(naming: NameTables, node: TypeNode, where: string): TypeRef {
  const written = typeText(node)
  let ref = naming.typeRefs.get(written)
  if (ref === undefined) {
    ref = makeTypeRef(naming, node, where, false)
    naming.typeRefs.set(written, ref)
  }
  return ref
}

function makeTypeRef(naming: NameTables, node: TypeNode, where: string, nonNull: boolean): TypeRef {
  if (node.kind === Kind.NON_NULL_TYPE) return makeTypeRef(naming, node.type, where, true)
  if (node.kind === Kind.LIST_TYPE) return { kind: 'list', item: typeRef(naming, node.type, where), nonNull }
  return { kind: 'named', type: typeNamed(naming, node.name.value, where), nonNull }
}

/** The selection of a `key`, `requires` or `provides`. */
export function fieldSet(naming: NameTables, written: string, where: string): FieldSet {
  let fieldSet = naming.fieldSets.get(written)
  if (fieldSet === undefined) {
    fieldSet = parseSelectionText(written, where, naming.typeByName)
    naming.fieldSets.set(written, fieldSet)
  }
  return fieldSet
}

/** The subgraph of a value of the enum `join__Graph`. Throws a SupergraphError if there is none. */
export function subgraphOf(naming: NameTables, enumValue: string | null, where: string): SubgraphId {
  const sub = enumValue === null ? undefined : naming.subByEnumValue.get(enumValue)
  if (sub === undefined)
    throw new SupergraphError(
      'SUPERGRAPH_INVALID',
      `A join directive on ${where} names the graph "${enumValue ?? ''}"; expected a value of the enum ${naming.features.join.graphEnum}.`,
    )
  return sub
}

/**
 * The id of a type. Throws a SupergraphError if the supergraph does not define it; `where` is for its
 * message.
 */
export function typeNamed(naming: NameTables, name: string, where: string): TypeId {
  const id = naming.typeByName.get(name)
  if (id === undefined)
    throw new SupergraphError(
      'SUPERGRAPH_INVALID',
      `${where} refers to the type "${name}", which the supergraph does not define.`,
    )
  return id
}
