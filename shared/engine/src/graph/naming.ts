import { Kind, type TypeDefinitionNode, type TypeNode } from 'graphql'
import type { SubId, TypeId } from '../plan/plan.ts'
import type { CompiledSubgraph, TypeRef } from './compiled-graph.ts'
import type { Features } from './features.ts'
import { SupergraphError } from './supergraph-error.ts'

/** Names and numbers every part of the compiler needs. */
export type Naming = {
  readonly features: Features
  readonly typeByName: ReadonlyMap<string, TypeId>
  readonly definitions: ReadonlyMap<string, TypeDefinitionNode>
  readonly subgraphs: readonly CompiledSubgraph[]
  readonly subByEnumValue: ReadonlyMap<string, SubId>
  readonly subByName: ReadonlyMap<string, SubId>
  /** Grows while fields are compiled. */
  readonly labels: string[]
}

export function typeRef(naming: Naming, node: TypeNode, where: string, nonNull = false): TypeRef {
  if (node.kind === Kind.NON_NULL_TYPE) return typeRef(naming, node.type, where, true)
  if (node.kind === Kind.LIST_TYPE) return { kind: 'list', item: typeRef(naming, node.type, where), nonNull }
  return { kind: 'named', type: typeId(naming, node.name.value, where), nonNull }
}

export function subId(naming: Naming, enumValue: string | null, where: string): SubId {
  const sub = enumValue === null ? undefined : naming.subByEnumValue.get(enumValue)
  if (sub === undefined)
    throw new SupergraphError(
      'SUPERGRAPH_INVALID',
      `A join directive on ${where} names the graph "${enumValue ?? ''}"; expected a value of the enum join__Graph.`,
    )
  return sub
}

export function typeId(naming: Naming, name: string, where: string): TypeId {
  const id = naming.typeByName.get(name)
  if (id === undefined)
    throw new SupergraphError(
      'SUPERGRAPH_INVALID',
      `${where} refers to the type "${name}", which the supergraph does not define.`,
    )
  return id
}
