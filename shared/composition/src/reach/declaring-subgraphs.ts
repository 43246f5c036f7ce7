/** Which subgraphs declare a field, whatever the terms. */
import { fieldOf, type SubgraphId, type TypeGraph, type TypeId, typeOf } from '@switchyard/engine/moves'

/** Looks up the subgraphs of fields, and remembers them. */
export class DeclaringSubgraphs {
  readonly #graph: TypeGraph
  readonly #known = new Map<TypeId, Map<string, readonly SubgraphId[]>>()

  constructor(graph: TypeGraph) {
    this.#graph = graph
  }

  /** Subgraphs that declare a field, on the object type or on an interface object that stands for it. */
  of(object: TypeId, name: string): readonly SubgraphId[] {
    let byName = this.#known.get(object)
    if (byName === undefined) {
      byName = new Map()
      this.#known.set(object, byName)
    }
    let subs = byName.get(name)
    if (subs === undefined) {
      subs = this.#read(object, name)
      byName.set(name, subs)
    }
    return subs
  }

  #read(object: TypeId, name: string): readonly SubgraphId[] {
    const owners = [object, ...typeOf(this.#graph, object).interfaces]
    const edges = owners.flatMap((on) => fieldOf(this.#graph, on, name)?.edges ?? [])
    return [...new Set(edges.map(({ sub }) => sub))]
  }
}
