/** Counts what an answer has cost. */
import type { Graph } from '../graph/graph.ts'
import { isJsonObject } from '../json/json-object.ts'
import type { ObjectShape, Plan, ShapeCase, ShapeField, ShapeNode } from '../plan/plan.ts'
import { argumentsCost, type CostVariables, GivenArguments } from './argument-costs.ts'
import { type CostAssumptions, type CostlyField, Weights } from './weights.ts'

/** Values that are counted at most: about ten milliseconds. */
const MOST_COUNTED = 200_000

/** Counts one answer. */
export class AnswerCost {
  readonly #weights: Weights
  readonly #assumed: CostAssumptions
  readonly #variables: CostVariables
  readonly #arguments = new Map<ShapeField, number>()
  #counted = 0

  constructor(graph: Graph, assumed: CostAssumptions, variables: CostVariables) {
    this.#weights = new Weights(graph)
    this.#assumed = assumed
    this.#variables = variables
  }

  /** null: it has more values than are counted. */
  of({ shape, kind }: Plan, data: Readonly<Record<string, unknown>> | null): number | null {
    const base = kind === 'mutation' ? this.#assumed.mutation : 0
    if (data === null) return base
    const sum = this.#fields(shape, data, 0)
    return this.#counted > MOST_COUNTED ? null : base + sum
  }

  /** `weight`: of the object itself; null: what its type weighs. */
  #fields(shape: ObjectShape, value: Readonly<Record<string, unknown>>, weight: number | null): number {
    let most = 0
    for (const each of shape.cases) {
      if (shape.cases.length > 1 && !hasFieldsOf(each, value)) continue
      let sum = weight ?? this.#weights.ofCase(shape, each)
      for (const field of each.fields) if (field.kind === 'field') sum += this.#field(field, value[field.key])
      most = Math.max(most, sum)
    }
    return most
  }

  #field(field: CostlyField, value: unknown): number {
    if (field.node.kind === 'denied') return 0
    const { weight } = this.#weights.ofField(field)
    return this.#argumentsOf(field) + this.#value(field.node, value, weight)
  }

  #value(node: ShapeNode, value: unknown, weight: number | null): number {
    if (value === null || value === undefined || ++this.#counted > MOST_COUNTED) return 0
    if (node.kind === 'leaf') return weight ?? this.#weights.ofLeaf(node.type)
    if (node.kind === 'list') {
      let sum = 0
      if (Array.isArray(value)) for (const item of value) sum += this.#value(node.item, item, weight)
      return sum
    }
    return node.kind === 'object' && isJsonObject(value) ? this.#fields(node, value, weight) : 0
  }

  #argumentsOf(field: CostlyField): number {
    if (field.args === undefined) return 0
    let cost = this.#arguments.get(field)
    if (cost === undefined) {
      const { args } = this.#weights.ofField(field)
      cost = argumentsCost(args, new GivenArguments(field.args), this.#variables, this.#weights.inputs)
      this.#arguments.set(field, cost)
    }
    return cost
  }
}

/** Whether the object can be of the types of a case: it has exactly the fields that are answered for them. */
function hasFieldsOf({ fields }: ShapeCase, value: Readonly<Record<string, unknown>>): boolean {
  let present = 0
  for (const key in value) if (Object.hasOwn(value, key)) present++
  return present === fields.length && fields.every(({ key }) => Object.hasOwn(value, key))
}
