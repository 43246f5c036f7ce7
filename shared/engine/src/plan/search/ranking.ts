/** Where a goal could be answered, the most promising first: those that know most of what is below. */
import type { FieldGoal, Selection } from '../../operation/normalised.ts'
import type { Budget } from '../../budget.ts'
import type { Edge, Node, SchemaView } from './query-graph.ts'
import type { Opened } from './solution.ts'

/** As soon as one of so many subgraphs has all that is wanted of a field, the others are not looked at. */
export const MAX_PROVIDERS = 8

export type Way = { readonly edge: Edge; readonly entry: Opened }

export class Ranking {
  readonly #view: SchemaView
  readonly #budget: Budget
  readonly #covered = new WeakMap<Selection, Map<Node, number>>()

  constructor(view: SchemaView, budget: Budget) {
    this.#view = view
    this.#budget = budget
  }

  ways(opened: readonly Opened[], goal: FieldGoal): readonly Way[] {
    this.#budget.step(opened.length / 16)
    const ways: Way[] = []
    for (const entry of opened) {
      const edge = this.#view.edge(entry.node, goal.name)
      if (edge !== null && (goal.child === null) === (edge.to === null)) ways.push({ edge, entry })
    }
    if (ways.length <= MAX_PROVIDERS || goal.child === null) return ways
    const { child } = goal
    const known = new Map(
      ways.map((way) => [way, way.edge.to === null ? 0 : this.#coverage(way.edge.to, child)]),
    )
    return ways.toSorted((a, b) => (known.get(b) ?? 0) - (known.get(a) ?? 0) || a.entry.cost - b.entry.cost)
  }

  /** How many of the wanted fields a node has without going anywhere else. */
  #coverage(node: Node, selection: Selection): number {
    let byNode = this.#covered.get(selection)
    if (byNode === undefined) {
      byNode = new Map()
      this.#covered.set(selection, byNode)
    }
    let count = byNode.get(node)
    if (count !== undefined) return count
    count = 0
    for (const goals of new Set(selection.byType.values())) {
      this.#budget.step(goals.length / 8)
      for (const goal of goals) {
        const edge = goal.kind === 'field' ? this.#view.edge(node, goal.name) : null
        if (edge === null || goal.kind !== 'field') continue
        count += 1 + (edge.to === null || goal.child === null ? 0 : this.#coverage(edge.to, goal.child))
      }
    }
    byNode.set(node, count)
    return count
  }
}
