/** Which subgraphs declare a field, while the override labels are as they are. */
import {
  type CompiledEdge,
  fieldOf,
  presenceOf,
  type QueryGraph,
  type SubgraphId,
  type TypeId,
  typeOf,
} from '@switchyard/engine/moves'

/** A subgraph that declares a field, on the object type or on an interface object that stands for it. */
export type Declaration = { readonly owner: TypeId; readonly edge: CompiledEdge }

/** The declarations of one field, in the order of the subgraphs. */
export type FieldDeclarations = {
  readonly all: readonly Declaration[]
  readonly bySubgraph: ReadonlyMap<SubgraphId, readonly Declaration[]>
}

/** Looks up declarations, and remembers them: many unreachable fields may require the same field. */
export class Declarations {
  readonly #queryGraph: QueryGraph
  readonly #known = new Map<string, FieldDeclarations>()

  constructor(queryGraph: QueryGraph) {
    this.#queryGraph = queryGraph
  }

  /** The declarations of a field for objects of one type. */
  of(object: TypeId, name: string): FieldDeclarations {
    const key = `${object}|${name}`
    let found = this.#known.get(key)
    if (found === undefined) {
      const all = this.#read(object, name)
      found = { all, bySubgraph: Map.groupBy(all, ({ edge }) => edge.sub) }
      this.#known.set(key, found)
    }
    return found
  }

  #read(object: TypeId, name: string): readonly Declaration[] {
    const { graph, labels } = this.#queryGraph
    const isActive = ({ label, wantLabel }: CompiledEdge): boolean => {
      const text = graph.compiled.labels[label]
      return text === undefined || labels.has(text) === wantLabel
    }
    return [object, ...typeOf(graph, object).interfaces]
      .flatMap((owner) =>
        (fieldOf(graph, owner, name)?.edges ?? [])
          .filter((edge) => owner === object || presenceOf(graph, owner, edge.sub)?.interfaceObject === true)
          .filter(isActive)
          .map((edge) => ({ owner, edge })),
      )
      .sort((a, b) => a.edge.sub - b.edge.sub)
  }
}
