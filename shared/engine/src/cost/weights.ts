/** The weights of a graph's fields and types: those that the schema states, and defaults for all others. */
import type { CompiledCosts, FieldCost } from '../graph/compiled/compiled-graph.ts'
import { type Graph, typeOf } from '../graph/graph.ts'
import type { TypeId } from '../ids/ids.ts'
import type { ObjectShape, ShapeCase, ShapeField } from '../plan/contract/plan.ts'

/** A field that has a cost: neither `__typename` nor introspection. */
export type CostlyField = ShapeField & { readonly kind: 'field' }

/** Sizes and weights that are assumed where the schema states none. */
export type CostAssumptions = {
  /** Items of a list. */
  readonly listSize: number
  /** The cost of a mutation, added to that of its fields. */
  readonly mutation: number
}

const FREE: FieldCost = { weight: null, list: null, args: new Map() }

/** Looks up the weights of one graph. */
export class Weights {
  readonly #graph: Graph
  readonly #costs: CompiledCosts | null

  constructor(graph: Graph) {
    this.#graph = graph
    this.#costs = graph.compiled.costs
  }

  get inputs(): CompiledCosts['inputs'] {
    return this.#costs?.inputs ?? new Map()
  }

  ofField({ parentType, name }: CostlyField): FieldCost {
    return this.#costs?.fields.get(this.coordinate(parentType, name)) ?? FREE
  }

  coordinate(type: TypeId, field: string): string {
    return `${typeOf(this.#graph, type).name}.${field}`
  }

  /** Objects weigh 1 and leaves nothing, unless the type says otherwise. */
  ofLeaf(type: TypeId): number {
    return this.#costs === null ? 0 : (this.#costs.types.get(typeOf(this.#graph, type).name) ?? 0)
  }

  /** Returns the weight of the heaviest object type of a case. */
  ofCase({ type }: ObjectShape, { types }: ShapeCase): number {
    const costs = this.#costs
    if (costs === null || costs.types.size === 0) return 1
    const possible = types ?? typeOf(this.#graph, type).possible
    if (possible.length === 0) return 1
    return Math.max(...possible.map((each) => costs.types.get(typeOf(this.#graph, each).name) ?? 1))
  }
}
