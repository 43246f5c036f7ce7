/**
 * Remembers how selections are answered from nodes, as long as the selections live.
 *
 * Below a `@provides` a type is a node of its own. Mostly nothing that is provided there is wanted, and both
 * nodes have equal solutions. Then they share one solution object, so that the document asks for both with
 * one selection set. Otherwise every level of nested interfaces would be written once for each combination of
 * types on the way there.
 */
import type { Goal, Selection } from '../../operation/normalise/normalised.ts'
import type { Budget } from '../../work/planning-budget.ts'
import type { GroupId } from '../../ids/ids.ts'
import type { Node } from '../../graph/moves/query-graph.ts'
import type {
  EntityLookup,
  ObjectSolution,
  FieldAnswer,
  SelectionSolution,
  FetchedEarly,
  PossibleCall,
} from './solution.ts'

/** No graph has as many nodes. */
const MAX_NODES = 2 ** 32

/** Remembers solutions by selection, node and delivery group. */
export class KnownSolutions {
  /** Weak, so that solutions of client selections go when their operation goes. */
  readonly #bySelection = new WeakMap<Selection, Map<number, SelectionSolution>>()

  get(selection: Selection, node: Node, group: GroupId): SelectionSolution | undefined {
    return this.#bySelection.get(selection)?.get(keyOf(node, group))
  }

  /** Returns the solution to use from now on: an equal one of another node, if there is any. */
  keep(selectionSolution: SelectionSolution, group: GroupId, budget: Budget): SelectionSolution {
    const { node, selection } = selectionSolution
    const byKey = this.#bySelection.get(selection) ?? new Map<number, SelectionSolution>()
    this.#bySelection.set(selection, byKey)
    let kept = selectionSolution
    for (const [key, known] of byKey) {
      if (known.node.sub !== node.sub || known.node.type !== node.type) continue
      if (key !== keyOf(known.node, group) || !sameSelectionSolution(known, selectionSolution, budget))
        continue
      kept = known
      break
    }
    byKey.set(keyOf(node, group), kept)
    return kept
  }
}

function keyOf(node: Node, group: GroupId): number {
  return node.id + group * MAX_NODES
}

/** Whether two solutions of one selection make the same calls with the same fields. */
function sameSelectionSolution(a: SelectionSolution, b: SelectionSolution, budget: Budget): boolean {
  if (a.cost !== b.cost || a.depth !== b.depth || a.fetches !== b.fetches) return false
  if (a.unanswered !== null || b.unanswered !== null || !sameFetchedEarly(a.fetchedEarly, b.fetchedEarly))
    return false
  return [...a.byType].every(([object, solution]) => {
    const other = b.byType.get(object)
    return other !== undefined && new Comparison(budget).sameObjectSolution(solution, other)
  })
}

function sameFetchedEarly(a: FetchedEarly | null, b: FetchedEarly | null): boolean {
  if (a === null || b === null) return a === b
  return a.size === b.size && [...a].every(([group, goals]) => sameGoals(goals, b.get(group) ?? []))
}

function sameGoals(a: readonly Goal[], b: readonly Goal[]): boolean {
  return sameLists(a, b, (goal, other) => goal === other)
}

function sameLists<Item>(
  a: readonly Item[],
  b: readonly Item[],
  same: (item: Item, other: Item) => boolean,
): boolean {
  return (
    a.length === b.length &&
    a.every((item, index) => {
      const other = b[index]
      return other !== undefined && same(item, other)
    })
  )
}

/**
 * Each node has calls of its own, so calls are compared by structure: each must match exactly one of the
 * other side.
 */
class Comparison {
  readonly #budget: Budget
  readonly #others = new Map<PossibleCall, PossibleCall>()
  readonly #taken = new Set<PossibleCall>()

  constructor(budget: Budget) {
    this.#budget = budget
  }

  sameObjectSolution(a: ObjectSolution, b: ObjectSolution): boolean {
    this.#budget.step((a.answers.length + a.calls.length) / 8)
    return (
      sameFetchedEarly(a.fetchedEarly, b.fetchedEarly) &&
      sameGoals(a.unanswered, b.unanswered) &&
      sameLists(a.answers, b.answers, (answer, other) => this.#sameAnswer(answer, other)) &&
      sameLists(a.calls, b.calls, (call, other) => this.#sameCall(call, other)) &&
      sameLists(
        a.deferred,
        b.deferred,
        (later, other) =>
          later.group === other.group && this.sameObjectSolution(later.solution, other.solution),
      )
    )
  }

  /** The nodes that the fields lead to are not compared: equal `child` solutions are enough. */
  #sameAnswer(a: FieldAnswer, b: FieldAnswer): boolean {
    return (
      a.goal === b.goal &&
      a.child === b.child &&
      a.edge.requires === b.edge.requires &&
      a.edge.type === b.edge.type &&
      this.#sameCall(a.call, b.call)
    )
  }

  #sameCall(a: PossibleCall | null, b: PossibleCall | null): boolean {
    if (a === null || b === null || a === b) return a === b
    const known = this.#others.get(a)
    if (known !== undefined) return known === b
    if (this.#taken.has(b)) return false
    this.#others.set(a, b)
    this.#taken.add(b)
    return (
      a.kind === b.kind &&
      a.node === b.node &&
      a.depth === b.depth &&
      a.request === b.request &&
      this.#sameLookup(a.entity, b.entity)
    )
  }

  #sameLookup(a: EntityLookup | null, b: EntityLookup | null): boolean {
    if (a === null || b === null) return a === b
    return (
      a.key === b.key &&
      a.representationType === b.representationType &&
      a.requires === b.requires &&
      a.field === b.field &&
      a.tellsType === b.tellsType &&
      a.typed === b.typed &&
      this.#sameCall(a.typeCall, b.typeCall) &&
      sameLists(a.inputs, b.inputs, (answer, other) => this.#sameAnswer(answer, other))
    )
  }
}
