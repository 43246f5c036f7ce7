/**
 * Facts about a plan that counting the cost of an answer needs, and that are the same for all answers to the
 * plan.
 */
import { type Graph, typeOf } from '../graph/graph.ts'
import type { PositionId, TypeId } from '../ids/ids.ts'
import type { ObjectShape, Plan, ShapeCase, ShapeNode } from '../plan/contract/plan.ts'
import { type CostlyField, Weights } from './weights.ts'

/** Objects of one shape. */
export type ShapeFacts = {
  readonly position: PositionId
  readonly cases: readonly CaseFacts[]
  /** The cases by the runtime type of an object. */
  readonly byType: ReadonlyMap<TypeId, CaseFacts>
  /** Whether it matters of which types the objects are, or those below them. */
  readonly needsObjects: boolean
}

/** Objects of some types of a shape. */
export type CaseFacts = {
  /** The weight of the object itself, which is that of the heaviest type. */
  readonly weight: number
  /** Keys of the response, whether or not they cost anything. */
  readonly keys: readonly string[]
  /** Only those that may cost something, by key. */
  readonly fields: ReadonlyMap<string, FieldFacts>
}

export type FieldFacts = {
  readonly key: string
  readonly field: CostlyField
  readonly value: ValueFacts
  /** The objects in it, where their types matter. */
  readonly numbered: PositionId | null
  readonly hasArguments: boolean
  /** The same field of other types, where the type of the object does not count. The dearest does. */
  readonly others: readonly FieldFacts[]
}

export type ValueFacts =
  | { readonly kind: 'leaf'; readonly weight: number }
  | { readonly kind: 'list'; readonly item: ValueFacts }
  /** `weight` is the weight of each object; null means the weight of its type. */
  | { readonly kind: 'object'; readonly shape: ShapeFacts; readonly weight: number | null }

/**
 * The number of cases beyond which telling them apart by their fields takes longer than asking for the type.
 */
const MOST_CASES = 4

/** Reckoned once per plan. */
export class PlanFacts {
  readonly weights: Weights
  readonly root: ShapeFacts
  readonly #graph: Graph
  readonly #plan: Plan
  readonly #shapes = new Map<ObjectShape, ShapeFacts>()

  constructor(graph: Graph, plan: Plan) {
    this.#graph = graph
    this.#plan = plan
    this.weights = new Weights(graph)
    this.root = this.of(plan.shape)
  }

  of(shape: ObjectShape): ShapeFacts {
    let facts = this.#shapes.get(shape)
    if (facts === undefined) {
      const byCase = shape.cases.map((each) => this.#case(shape, each))
      const cases = this.#isNamedLate(shape) ? [asOne(byCase)] : byCase
      const needsObjects =
        this.#looksAlike(shape) ||
        byCase.some(({ fields }) => [...fields.values()].some(({ numbered }) => numbered !== null))
      const byType = needsObjects ? this.#byType(shape, cases) : new Map<TypeId, CaseFacts>()
      facts = { position: shape.position, cases, byType, needsObjects }
      this.#shapes.set(shape, facts)
    }
    return facts
  }

  /** The case of each type, with what objects of that type weigh. */
  #byType(shape: ObjectShape, cases: readonly CaseFacts[]): ReadonlyMap<TypeId, CaseFacts> {
    const byType = new Map<TypeId, CaseFacts>()
    if (this.#isNamedLate(shape)) return byType
    for (const [index, each] of cases.entries())
      for (const type of shape.cases[index]?.types ?? typeOf(this.#graph, shape.type).possible)
        byType.set(type, { ...each, weight: this.#weightOf(shape, type) })
    return byType
  }

  #weightOf(shape: ObjectShape, type: TypeId): number {
    return this.weights.ofCase(shape, { types: [type], fields: [] })
  }

  #case(shape: ObjectShape, each: ShapeCase): CaseFacts {
    const { fields } = each
    const costly = fields.flatMap((field) => (field.kind === 'field' ? this.#field(field) : []))
    return {
      weight: this.weights.ofCase(shape, this.#isNamedLate(shape) ? { ...each, types: null } : each),
      keys: fields.map(({ key }) => key),
      fields: new Map(costly.map((field) => [field.key, field])),
    }
  }

  /** None for a field that costs nothing. */
  #field(field: CostlyField): readonly FieldFacts[] {
    const { key, node } = field
    if (node.kind === 'denied') return []
    const { weight, args } = this.weights.ofField(field)
    const value = this.#value(node, weight)
    const inner = innermost(value)
    const hasArguments = [...args.values()].some((arg) => arg.weight > 0 || arg.input !== null)
    if (!hasArguments && inner.kind === 'leaf' && inner.weight === 0) return []
    const isNumbered = inner.kind === 'object' && inner.shape.needsObjects
    const numbered = isNumbered ? inner.shape.position : null
    return [{ key, field, value, numbered, hasArguments, others: [] }]
  }

  #value(node: ShapeNode, weight: number | null): ValueFacts {
    switch (node.kind) {
      case 'leaf':
        return { kind: 'leaf', weight: weight ?? this.weights.ofLeaf(node.type) }
      case 'list':
        return { kind: 'list', item: this.#value(node.item, weight) }
      case 'object':
        return { kind: 'object', shape: this.of(node), weight }
      case 'denied':
        throw new RangeError('A field that may not be seen has no value.')
      default:
        return node satisfies never
    }
  }

  /** Whether objects of types that cost differently may look alike in an answer, or in a part of it. */
  #looksAlike(shape: ObjectShape): boolean {
    if (this.#isNamedLate(shape)) return false
    const { cases } = shape
    if (cases.length > 1) {
      if (this.#plan.deferred || cases.length > MOST_CASES) return true
      const looks = cases.map(({ fields }) => JSON.stringify(fields.map(({ key }) => key).sort()))
      if (new Set(looks).size < looks.length) return true
    }
    return cases.some(({ types }) => {
      const weights = (types ?? typeOf(this.#graph, shape.type).possible).map((type) =>
        this.#weightOf(shape, type),
      )
      return new Set(weights).size > 1
    })
  }

  /**
   * Whether it depends on the plan if the types of the objects are known when the objects are: a subgraph
   * with an interface object does not know them, another one may be asked in its place, or later. What these
   * types weigh does not count then, lest an answer in parts cost more than the same answer in one piece.
   */
  #isNamedLate({ type }: ObjectShape): boolean {
    const { possible } = typeOf(this.#graph, type)
    return possible.length > 1 && possible.some((each) => this.#isVeiled(each))
  }

  /** Whether a subgraph has an interface of the type as an interface object. */
  #isVeiled(type: TypeId): boolean {
    return typeOf(this.#graph, type).interfaces.some((id) =>
      typeOf(this.#graph, id).presence.some(({ interfaceObject }) => interfaceObject),
    )
  }
}

function innermost(value: ValueFacts): Exclude<ValueFacts, { kind: 'list' }> {
  return value.kind === 'list' ? innermost(value.item) : value
}

/** Objects whose types do not count: each field of them costs as that of the dearest type. */
function asOne(cases: readonly CaseFacts[]): CaseFacts {
  const fields = new Map<string, FieldFacts>()
  for (const each of cases)
    for (const [key, field] of each.fields) {
      const known = fields.get(key)
      if (known === undefined) fields.set(key, field)
      else if (![known, ...known.others].some((one) => costsTheSame(one, field)))
        fields.set(key, { ...known, others: [...known.others, field] })
    }
  return { weight: Math.max(0, ...cases.map(({ weight }) => weight)), keys: [], fields }
}

function costsTheSame(one: FieldFacts, other: FieldFacts): boolean {
  return !one.hasArguments && !other.hasArguments && isSame(one.value, other.value)
}

function isSame(value: ValueFacts, other: ValueFacts): boolean {
  if (value.kind === 'leaf') return other.kind === 'leaf' && value.weight === other.weight
  if (value.kind === 'list') return other.kind === 'list' && isSame(value.item, other.item)
  return other.kind === 'object' && value.shape === other.shape && value.weight === other.weight
}
