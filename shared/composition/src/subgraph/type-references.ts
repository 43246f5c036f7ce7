/**
 * How type references relate across all subgraphs: who is a member, who implements, what is narrower than
 * what.
 */
import { Kind, type TypeNode } from 'graphql'
import type { ParsedSubgraph } from './subgraph.ts'

/** Members of unions and implementations of interfaces in any subgraph, by the abstract type. */
export type Subtypes = ReadonlyMap<string, ReadonlySet<string>>

/** Which types are members of unions or implement interfaces, in any of the subgraphs. */
export function readSubtypes(subgraphs: readonly ParsedSubgraph[]): Subtypes {
  const subtypes = new Map<string, Set<string>>()
  const add = (abstract: string, name: string) => {
    const known = subtypes.get(abstract) ?? new Set()
    subtypes.set(abstract, known.add(name))
  }
  for (const { types } of subgraphs) {
    for (const type of types.values()) {
      for (const name of type.interfaces) add(name, type.name)
      for (const name of type.members) add(type.name, name)
    }
  }
  return subtypes
}

/** Equal counts as narrower, as in "Is type covariant" of the GraphQL specification. */
export function isNarrower(type: TypeNode, than: TypeNode, subtypes: Subtypes): boolean {
  if (than.kind === Kind.NON_NULL_TYPE) {
    return type.kind === Kind.NON_NULL_TYPE && isNarrower(type.type, than.type, subtypes)
  }
  if (type.kind === Kind.NON_NULL_TYPE) return isNarrower(type.type, than, subtypes)
  if (than.kind === Kind.LIST_TYPE) {
    return type.kind === Kind.LIST_TYPE && isNarrower(type.type, than.type, subtypes)
  }
  if (type.kind === Kind.LIST_TYPE) return false
  return type.name.value === than.name.value || subtypes.get(than.name.value)?.has(type.name.value) === true
}

/** The one of the types that all others are narrower than; null if there is none. */
export function widest(types: readonly TypeNode[], subtypes: Subtypes): TypeNode | null {
  return types.find((than) => types.every((type) => isNarrower(type, than, subtypes))) ?? null
}

/** The one of the types that is narrower than all others; null if there is none. */
export function narrowest(types: readonly TypeNode[], subtypes: Subtypes): TypeNode | null {
  return types.find((type) => types.every((than) => isNarrower(type, than, subtypes))) ?? null
}

/** The named type inside of lists and non-null types. */
export function baseName(type: TypeNode): string {
  return type.kind === Kind.NAMED_TYPE ? type.name.value : baseName(type.type)
}
