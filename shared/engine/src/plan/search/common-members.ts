/**
 * Finds out which object types may be selected at each place, whichever plan wins.
 *
 * Subgraphs may know different members of one union or interface. Where several of them could answer a field,
 * only members known to all of them may be selected, or else the response would show which of them was asked.
 * This looks at all possible sources of a place, not at those the plan chooses. A field that only one
 * subgraph can answer keeps all members of that subgraph.
 */
import type { FieldGoal, Goal, Selection } from '../../operation/normalise/normalised.ts'
import { typeOf } from '../../graph/graph.ts'
import type { Budget } from '../../work/planning-budget.ts'
import type { TypeId } from '../../ids/ids.ts'
import type { Node, QueryGraph } from '../../graph/moves/query-graph.ts'
import type { EntryPoint } from './solution.ts'

/** Object types that may be selected, for each selection that must be narrowed. */
export type CommonMembers = Map<Selection, ReadonlySet<TypeId>>

/** All nodes that can be entered from a node, for objects of one type. */
type EntriesFrom = (source: Node, object: TypeId) => readonly EntryPoint[]

/** Enters every selection that must be narrowed in `members`, with the types that are left. */
export function findCommonMembers(
  queryGraph: QueryGraph,
  entriesFrom: EntriesFrom,
  budget: Budget,
  roots: readonly Node[],
  selection: Selection,
  members: CommonMembers,
): void {
  new MemberFinder(queryGraph, entriesFrom, budget, members).walk(new Set(roots), selection)
}

class MemberFinder {
  readonly #queryGraph: QueryGraph
  readonly #entriesFrom: EntriesFrom
  readonly #budget: Budget
  readonly #members: CommonMembers
  readonly #disagreeBelow = new Map<Selection, boolean>()

  constructor(queryGraph: QueryGraph, entriesFrom: EntriesFrom, budget: Budget, members: CommonMembers) {
    this.#queryGraph = queryGraph
    this.#entriesFrom = entriesFrom
    this.#budget = budget
    this.#members = members
  }

  walk(nodes: ReadonlySet<Node>, selection: Selection): void {
    const targets = new Map<FieldGoal, Set<Node>[]>()
    for (const [object, goals] of selection.byType) {
      const wanted = goals.filter((goal) => this.#matters(object, goal))
      if (wanted.length === 0) continue
      const candidates = this.#candidates(nodes, object)
      for (const goal of wanted) {
        const found = new Set<Node>()
        targets.set(goal, [...(targets.get(goal) ?? []), found])
        this.#budget.step(candidates.size)
        for (const node of candidates) {
          const to = this.#queryGraph.edge(node, goal.name)?.to
          if (to !== null && to !== undefined) found.add(to)
        }
      }
    }
    for (const [{ child }, found] of targets) {
      if (child === null) continue
      if (typeOf(this.#queryGraph.graph, child.type).kind !== 'object') {
        const common = membersOf(found)
        if (common !== null) this.#members.set(child, common)
      }
      this.walk(new Set(found.flatMap((nodes) => [...nodes])), child)
    }
  }

  /**
   * Whether subgraphs may know different members for the field, or for a field below it. Mostly they know the
   * same, and the field need not be looked at.
   */
  #matters(object: TypeId, goal: Goal): goal is FieldGoal {
    return (
      goal.kind === 'field' &&
      goal.child !== null &&
      (this.#queryGraph.mayDisagree(object, goal.name) || this.#mayDisagreeBelow(goal.child))
    )
  }

  #mayDisagreeBelow(selection: Selection): boolean {
    let mayDisagree = this.#disagreeBelow.get(selection)
    if (mayDisagree === undefined) {
      this.#budget.step()
      mayDisagree = [...selection.byType].some(([object, goals]) =>
        goals.some((goal) => this.#matters(object, goal)),
      )
      this.#disagreeBelow.set(selection, mayDisagree)
    }
    return mayDisagree
  }

  /** The nodes that can be asked about objects of the type, if the objects come from these nodes. */
  #candidates(nodes: ReadonlySet<Node>, object: TypeId): ReadonlySet<Node> {
    const all = new Set<Node>()
    this.#budget.step(nodes.size)
    for (const node of nodes) {
      if (!node.knows.has(object)) continue
      const source = this.#queryGraph.asObject(node, object)
      if (object === this.#queryGraph.graph.compiled.roots.mutation) {
        all.add(source)
        continue
      }
      const reached = this.#entriesFrom(source, object)
      this.#budget.step(reached.length)
      for (const entry of reached) all.add(entry.node)
    }
    return all
  }
}

/**
 * The members that may be selected below a field, from the nodes it leads to for each object type that has
 * the field: subgraphs that answer it for one type do not narrow what it gives for another type. Null if
 * nothing is narrowed.
 */
function membersOf(found: readonly ReadonlySet<Node>[]): ReadonlySet<TypeId> | null {
  const narrowed = found.map(commonMembers)
  if (narrowed.every((members) => members === null)) return null
  const all = new Set<TypeId>()
  for (const [index, nodes] of found.entries()) {
    const telling = [...nodes].filter((node) => !node.interfaceObject)
    if (telling.length === 0 && nodes.size > 0) return null
    for (const type of narrowed[index] ?? telling.flatMap(({ runtime }) => runtime)) all.add(type)
  }
  return all
}

/**
 * The members that all of these nodes know; null if all know the same ones. Null also if one of them is an
 * interface object, which does not know the types of its objects: any of them may come from there.
 */
function commonMembers(nodes: ReadonlySet<Node>): ReadonlySet<TypeId> | null {
  const telling = [...nodes].filter((node) => !node.interfaceObject)
  const [first, ...others] = telling
  if (first === undefined || others.length === 0 || telling.length < nodes.size) return null
  const common = first.runtime.filter((type) => others.every((node) => node.knows.has(type)))
  const differs = telling.some((node) => node.runtime.length !== common.length)
  return differs ? new Set(common) : null
}
