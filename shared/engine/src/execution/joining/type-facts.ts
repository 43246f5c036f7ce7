import type { Graph } from '../../graph/graph.ts'
import type { SubgraphId, TypeId } from '../../ids/ids.ts'

/**
 * Facts about types that completion needs, as clients see them. Ids of hidden types are known, but not
 * allowed.
 */
export type TypeFacts = {
  nameOf(type: TypeId): string
  idOf(name: string): TypeId | undefined
  subgraphName(sub: SubgraphId): string
  /** Visible object types a value declared as `type` may have. */
  possible(type: TypeId): ReadonlySet<TypeId>
  /** Visible values of an enum. */
  enumValues(type: TypeId): ReadonlySet<string>
}

const factsOf = new WeakMap<Graph, TypeFacts>()

/** Computed once per graph and type, when first asked for. */
export function typeFacts(graph: Graph): TypeFacts {
  const known = factsOf.get(graph)
  if (known !== undefined) return known
  const { types } = graph.compiled
  const possible = new Map<TypeId, ReadonlySet<TypeId>>()
  const enums = new Map<TypeId, ReadonlySet<string>>()
  const facts: TypeFacts = {
    nameOf: (type) => types[type]?.name ?? `type ${type}`,
    idOf: (name) => graph.typeByName.get(name),
    subgraphName: (sub) => graph.compiled.subgraphs[sub]?.name ?? `subgraph ${sub}`,
    possible: (type) => {
      let set = possible.get(type)
      if (set === undefined) {
        const isAllowed = (id: TypeId) => types[id]?.kind === 'object' && !types[id].inaccessible
        set = new Set(types[type]?.possible.filter(isAllowed))
        possible.set(type, set)
      }
      return set
    },
    enumValues: (type) => {
      let set = enums.get(type)
      if (set === undefined) {
        const values = types[type]?.enumValues ?? []
        set = new Set(values.filter(({ inaccessible }) => !inaccessible).map(({ name }) => name))
        enums.set(type, set)
      }
      return set
    },
  }
  factsOf.set(graph, facts)
  return facts
}
