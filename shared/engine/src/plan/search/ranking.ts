/** Lists the nodes that could answer a goal. Those come first that have most of the goals below it. */
import type { FieldGoal, Selection } from '../../operation/normalise/normalised.ts'
import type { Budget } from '../../work/planning-budget.ts'
import type { FieldEdge, Node, QueryGraph } from '../../graph/moves/query-graph.ts'
import type { EntryPoint } from './solution.ts'

/**
 * If one of the first so many candidates has everything that is wanted of a field, the others are not looked
 * at.
 */
export const MAX_CANDIDATES = 8

/** A node that has the field of a goal. */
export type Candidate = { readonly edge: FieldEdge; readonly entry: EntryPoint }

/** Puts the candidates for a goal in order. */
export class Ranking {
  readonly #queryGraph: QueryGraph
  readonly #budget: Budget
  readonly #covered = new WeakMap<Selection, Map<Node, number>>()

  constructor(queryGraph: QueryGraph, budget: Budget) {
    this.#queryGraph = queryGraph
    this.#budget = budget
  }

  /** The nodes among the entries that have the field of the goal, the most promising first. */
  candidates(entries: readonly EntryPoint[], goal: FieldGoal): readonly Candidate[] {
    this.#budget.step(entries.length / 16)
    const candidates: Candidate[] = []
    for (const entry of entries) {
      const edge = this.#queryGraph.edge(entry.node, goal.name)
      if (edge !== null && (goal.child === null) === (edge.to === null)) candidates.push({ edge, entry })
    }
    if (candidates.length <= MAX_CANDIDATES || goal.child === null) return candidates
    const { child } = goal
    const known = new Map(
      candidates.map((candidate) => [
        candidate,
        candidate.edge.to === null ? 0 : this.#coverage(candidate.edge.to, child),
      ]),
    )
    return candidates.toSorted(
      (a, b) => (known.get(b) ?? 0) - (known.get(a) ?? 0) || a.entry.cost - b.entry.cost,
    )
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
        const edge = goal.kind === 'field' ? this.#queryGraph.edge(node, goal.name) : null
        if (edge === null || goal.kind !== 'field') continue
        count += 1 + (edge.to === null || goal.child === null ? 0 : this.#coverage(edge.to, goal.child))
      }
    }
    byNode.set(node, count)
    return count
  }
}
