/** Estimates what a plan costs before it is executed. */
import type { FieldCost } from '../graph/compiled/compiled-graph.ts'
import type { Graph } from '../graph/graph.ts'
import type { SubgraphId } from '../ids/ids.ts'
import type { ObjectShape, Plan, ShapeField, ShapeNode } from '../plan/contract/plan.ts'
import {
  argumentsCost,
  type CostVariables,
  GivenArguments,
  InputCosts,
  slicedSize,
} from './argument-costs.ts'
import { type CostAssumptions, type CostlyField, Weights } from './weights.ts'

/** The estimated cost of an operation, and the fields whose list size could not be estimated. */
export type OperationCost = {
  readonly total: number
  /**
   * The part of the cost that each subgraph's fields cause. Subgraphs that the plan does not ask are left
   * out.
   */
  readonly bySubgraph: ReadonlyMap<SubgraphId, number>
  /** Coordinates of fields that need exactly one slicing argument and are given none or several. */
  readonly unsliced: readonly string[]
  /** Coordinates of fields whose slicing arguments are null or negative, and so may ask for any number. */
  readonly unbounded: readonly string[]
}

const NO_ARGUMENTS = new GivenArguments('')
const NO_VARIABLES: CostVariables = new Map()
const MOST = 1e200

/**
 * Costs by index: 0 is the whole cost, 1 and above are the subgraphs of the plan in the order in which they
 * are first asked.
 */
type Tally = number[]
/** A size that a field gives to lists of the type that it returns. */
type Inherited = { readonly size: number; readonly fields: readonly string[] }

type Estimated = {
  readonly weight: number | null
  readonly inherited: Inherited | null
  readonly tally: Tally
}

/** Estimates of one plan. Costs that do not depend on variables are computed once. */
export class PlanCosts {
  readonly #plan: Plan
  readonly #assumed: CostAssumptions
  readonly #weights: Weights
  readonly #subgraphs: readonly SubgraphId[]
  /** The index in a tally of the subgraph that each fetch asks, indexed by fetch id. */
  readonly #places: readonly number[]
  readonly #arguments = new Map<ShapeField, GivenArguments>()
  readonly #constant = new Map<ObjectShape, Estimated[]>()
  #varying = new Map<ObjectShape, Estimated[]>()
  #variables = NO_VARIABLES
  #inputs: InputCosts
  #unsliced: string[] = []
  #unbounded: string[] = []
  /** How many values of variables were looked at. */
  #looked = 0
  #whole: OperationCost | null = null

  constructor(graph: Graph, plan: Plan, assumed: CostAssumptions) {
    this.#plan = plan
    this.#assumed = assumed
    this.#weights = new Weights(graph)
    this.#inputs = new InputCosts(this.#weights.inputs)
    this.#subgraphs = [...new Set(plan.fetches.map(({ subgraph }) => subgraph))]
    this.#places = plan.fetches.map(({ subgraph }) => this.#subgraphs.indexOf(subgraph) + 1)
  }

  estimate(variables: CostVariables): OperationCost {
    if (this.#whole !== null) return this.#whole
    this.#variables = variables
    this.#unsliced = []
    this.#unbounded = []
    this.#varying = new Map()
    this.#looked = 0
    // The root itself is no item of anything.
    const tally = this.#object(this.#plan.shape, 0, null)
    const [fields = 0] = tally
    const total = fields + (this.#plan.kind === 'mutation' ? this.#assumed.mutation : 0)
    const cost = {
      total,
      bySubgraph: new Map(this.#subgraphs.map((subgraph, index) => [subgraph, tally[index + 1] ?? 0])),
      unsliced: [...new Set(this.#unsliced)],
      unbounded: [...new Set(this.#unbounded)],
    }
    if (this.#looked === 0) this.#whole = cost
    this.#variables = NO_VARIABLES
    this.#inputs = new InputCosts(this.#weights.inputs)
    return cost
  }

  /**
   * Returns the cost of the objects of a shape. `weight` is the weight of each object; null means the weight
   * of its type, which is not charged to any subgraph here.
   */
  #object(shape: ObjectShape, weight: number | null, inherited: Inherited | null): Tally {
    const known =
      find(this.#constant, shape, weight, inherited) ?? find(this.#varying, shape, weight, inherited)
    if (known !== null) return known
    const lookedBefore = this.#looked
    const namedBefore = this.#namedFields
    const most = this.#nothing()
    for (const each of shape.cases) {
      const tally = this.#nothing()
      tally[0] = weight ?? this.#weights.ofCase(shape, each)
      for (const field of each.fields) if (field.kind === 'field') this.#addField(tally, field, inherited)
      for (const [index, value] of tally.entries()) most[index] = Math.max(most[index] ?? 0, value)
    }
    // A size that is handed down may be that of a variable, of which clients choose ever new ones.
    const isConstant =
      inherited === null && this.#looked === lookedBefore && this.#namedFields === namedBefore
    remember(isConstant ? this.#constant : this.#varying, shape, { weight, inherited, tally: most })
    return most
  }

  #addField(tally: Tally, field: CostlyField, inherited: Inherited | null): void {
    if (field.node.kind === 'denied') return
    const cost = this.#weights.ofField(field)
    const given = this.#given(field)
    const { size, handedDown } = this.#sizeOf(field, cost, given, inherited)
    const args = argumentsCost(cost.args, given, this.#variables, this.#inputs)
    const place = this.#places[field.fetch] ?? 0
    const { node, items } = withinLists(field.node, size, this.#assumed.listSize)
    if (node.kind === 'object') {
      const below = this.#object(node, cost.weight, handedDown)
      const own = args + items * this.#ownWeight(node, cost.weight)
      for (const [index, value] of below.entries()) add(tally, index, items * value)
      add(tally, 0, args)
      if (place > 0) add(tally, place, own)
      return
    }
    const own = args + items * (cost.weight ?? (node.kind === 'leaf' ? this.#weights.ofLeaf(node.type) : 0))
    add(tally, 0, own)
    if (place > 0) add(tally, place, own)
  }

  /** Returns the weight of each object, which is charged to the subgraph of the field. */
  #ownWeight(shape: ObjectShape, weight: number | null): number {
    return weight ?? Math.max(0, ...shape.cases.map((each) => this.#weights.ofCase(shape, each)))
  }

  #given(field: CostlyField): GivenArguments {
    if (field.args === undefined) return NO_ARGUMENTS
    let given = this.#arguments.get(field)
    if (given === undefined) {
      given = new GivenArguments(field.args)
      this.#arguments.set(field, given)
    }
    if (given.hasVariables) this.#looked++
    return given
  }

  /** How many items a list has, and the size that it gives to lists below. */
  #sizeOf(
    { parentType, name }: CostlyField,
    { list, args }: FieldCost,
    given: GivenArguments,
    inherited: Inherited | null,
  ): { readonly size: number; readonly handedDown: Inherited | null } {
    const { listSize } = this.#assumed
    const fromAbove = inherited?.fields.includes(name) === true ? inherited.size : null
    if (list === null) return { size: fromAbove ?? listSize, handedDown: null }
    const sliced = slicedSize(list, args, given, this.#variables)
    if (list.needsOneSlicing && sliced.given !== 1)
      this.#unsliced.push(this.#weights.coordinate(parentType, name))
    if (sliced.asksForAny) this.#unbounded.push(this.#weights.coordinate(parentType, name))
    const own = sliced.size ?? list.assumed
    if (list.sized.length > 0 && own !== null)
      return { size: fromAbove ?? listSize, handedDown: { size: own, fields: list.sized } }
    // Whoever asks for few above may ask for very many here.
    const size = fromAbove === null ? (own ?? listSize) : Math.max(fromAbove, sliced.size ?? 0)
    return { size, handedDown: null }
  }

  /** How many fields an estimate has named so far: a shape that names some has to be reckoned each time. */
  get #namedFields(): number {
    return this.#unsliced.length + this.#unbounded.length
  }

  #nothing(): Tally {
    return Array.from({ length: this.#subgraphs.length + 1 }, () => 0)
  }
}

/** Never infinite: no times infinitely much would be no number, which exceeds no limit. */
function add(tally: Tally, index: number, cost: number): void {
  tally[index] = Math.min(MOST, (tally[index] ?? 0) + cost)
}

function find(
  known: ReadonlyMap<ObjectShape, readonly Estimated[]>,
  shape: ObjectShape,
  weight: number | null,
  inherited: Inherited | null,
): Tally | null {
  const same = known
    .get(shape)
    ?.find(
      (each) =>
        each.weight === weight &&
        each.inherited?.size === inherited?.size &&
        each.inherited?.fields === inherited?.fields,
    )
  return same?.tally ?? null
}

function remember(known: Map<ObjectShape, Estimated[]>, shape: ObjectShape, estimated: Estimated): void {
  const entries = known.get(shape)
  if (entries === undefined) known.set(shape, [estimated])
  else entries.push(estimated)
}

/**
 * Returns the value inside all lists, and the number of these values. Lists within lists have the assumed
 * size.
 */
function withinLists(
  field: ShapeNode,
  outer: number,
  assumed: number,
): { readonly node: Exclude<ShapeNode, { kind: 'list' }>; readonly items: number } {
  let node = field
  let items = 1
  for (let size = Math.max(0, outer); node.kind === 'list'; size = assumed) {
    items = Math.min(MOST, items * size)
    node = node.item
  }
  return { node, items }
}
