/** What counting the answers to one plan goes by, and is the same for all of them. */
import { type Graph, typeOf } from '../graph/graph.ts'
import type { TypeId } from '../ids.ts'
import type { ObjectShape, Plan, ShapeCase, ShapeNode } from '../plan/plan.ts'
import { Weights } from './weights.ts'

/** Reckoned once per plan. */
export class PlanFacts {
  readonly weights: Weights
  /** Whether an answer itself does not tell what it has cost. */
  readonly needsObjects: boolean
  readonly #graph: Graph
  readonly #plan: Plan
  readonly #needing = new Map<ObjectShape, boolean>()

  constructor(graph: Graph, plan: Plan) {
    this.#graph = graph
    this.#plan = plan
    this.weights = new Weights(graph)
    this.needsObjects = this.#needsObjects(plan.shape)
  }

  /** `type`: of the object, if it is known; the heaviest of those that it may have counts otherwise. */
  weightOf(shape: ObjectShape, each: ShapeCase, type: TypeId | null): number {
    if (this.#isNamedLate(shape)) return this.weights.ofCase(shape, { ...each, types: null })
    const isKnown = type !== null && typeOf(this.#graph, shape.type).possible.includes(type)
    return this.weights.ofCase(shape, isKnown ? { ...each, types: [type] } : each)
  }

  /** The objects in a value, if it matters of which types they are, or those below them. */
  numbered(node: ShapeNode): ObjectShape | null {
    const shape = innermost(node)
    return shape !== null && this.#needsObjects(shape) ? shape : null
  }

  #needsObjects(shape: ObjectShape): boolean {
    let needs = this.#needing.get(shape)
    if (needs === undefined) {
      needs =
        this.#looksAlike(shape) ||
        shape.cases.some(({ fields }) =>
          fields.some((field) => field.kind === 'field' && this.numbered(field.node) !== null),
        )
      this.#needing.set(shape, needs)
    }
    return needs
  }

  /** Whether objects of types that cost differently may look alike in an answer, or in a part of it. */
  #looksAlike(shape: ObjectShape): boolean {
    const { cases } = shape
    if (cases.length > 1) {
      if (this.#plan.deferred) return true
      const looks = cases.map(({ fields }) => JSON.stringify(fields.map(({ key }) => key).sort()))
      if (new Set(looks).size < looks.length) return true
    }
    if (this.#isNamedLate(shape)) return false
    return cases.some((each) => {
      const types = each.types ?? typeOf(this.#graph, shape.type).possible
      return new Set(types.map((type) => this.weights.ofCase(shape, { ...each, types: [type] }))).size > 1
    })
  }

  /**
   * Whether the types of the objects are known only when another fetch has answered than the one that gives
   * the objects. It may be that of a later part, so their types do not count.
   */
  #isNamedLate({ position }: ObjectShape): boolean {
    const { objectType, typename } = this.#plan.positions[position] ?? { objectType: null, typename: [] }
    return objectType === null && !typename.some(({ slot }) => slot === 0)
  }
}

function innermost(node: ShapeNode): ObjectShape | null {
  if (node.kind === 'list') return innermost(node.item)
  return node.kind === 'object' ? node : null
}
