/**
 * Divides selections among nodes whose objects are the same, so that each is asked for what it has itself.
 *
 *     { a b { c d } }   among A, which has a and b.c, and B, which has b.d:   A { a b { c } }   B { b { d } }
 *
 * What no node has itself remains with one of them, and is fetched from there as from a single source.
 */
import type { Budget } from '../../work/planning-budget.ts'
import type { TypeId } from '../../ids/ids.ts'
import type { FieldGoal, Goal, Selection } from '../../operation/normalise/normalised.ts'
import type { Node, QueryGraph } from '../../graph/moves/query-graph.ts'
import { remainderOf, wantedLeaves } from './unanswered.ts'

/** A part for each node; null for a node that is asked for nothing. */
type Parts = readonly (Selection | null)[]

/** The nodes that may have objects of one type, with their places in the list of all nodes. */
type NodeHere = { readonly index: number; readonly node: Node }

/** Numbers of leaves, by the places of the nodes that have them, as bits. */
type LeafCounts = ReadonlyMap<number, number>

/** Most nodes among which a selection is divided: their places are the bits of a number. */
export const MAX_SOURCES = 16

/** Divides selections. The same division is made once. */
export class DividedSelections {
  readonly #queryGraph: QueryGraph
  readonly #budget: Budget
  /** Object types that may be selected where not every candidate source knows all of them. */
  readonly #members: ReadonlyMap<Selection, ReadonlySet<TypeId>>
  readonly #parts = new WeakMap<Selection, Map<string, Parts>>()
  readonly #leafCounts = new WeakMap<Selection, Map<string, LeafCounts>>()
  readonly #goals = new WeakMap<Selection, Map<FieldGoal, FieldGoal>>()

  constructor(queryGraph: QueryGraph, budget: Budget, members: ReadonlyMap<Selection, ReadonlySet<TypeId>>) {
    this.#queryGraph = queryGraph
    this.#budget = budget
    this.#members = members
  }

  /**
   * The places of those nodes that together have as much of a selection as all of them, in the given order.
   * The first node is chosen first, then whichever has most of the rest. At most MAX_SOURCES nodes.
   */
  covering(selection: Selection, nodes: readonly Node[]): readonly number[] {
    const leaves = [...this.#leaves(selection, nodes)].filter(([owners]) => owners !== 0)
    const missing = (chosen: readonly number[]): number => {
      const some = chosen.reduce((set, index) => set | (1 << index), 0)
      this.#budget.step(leaves.length / 32)
      return leaves.reduce((sum, [owners, count]) => sum + ((owners & some) === 0 ? count : 0), 0)
    }
    let chosen: readonly number[] = [0]
    for (let left = missing(chosen); left > 0; left = missing(chosen)) {
      const others = [...nodes.keys()].filter((index) => !chosen.includes(index))
      const tried = others.map((index) => [...chosen, index])
      chosen = tried.reduce((best, one) => (missing(one) < missing(best) ? one : best))
    }
    for (const index of chosen.toReversed()) {
      const others = chosen.filter((other) => other !== index)
      if (others.length > 0 && missing(others) === 0) chosen = others
    }
    return chosen.toSorted((a, b) => a - b)
  }

  /** The part of the selection that each node is asked for. */
  parts(selection: Selection, nodes: readonly Node[]): Parts {
    const key = keyOf(nodes)
    const known = this.#parts.get(selection) ?? new Map<string, Parts>()
    this.#parts.set(selection, known)
    let parts = known.get(key)
    if (parts === undefined) {
      parts = this.#divide(selection, nodes)
      known.set(key, parts)
    }
    return parts
  }

  /** The goal with only a part of its selection. Object types that share the goal share that, too. */
  goalOf(goal: FieldGoal, part: Selection): FieldGoal {
    if (part === goal.child) return goal
    const known = this.#goals.get(part) ?? new Map<FieldGoal, FieldGoal>()
    this.#goals.set(part, known)
    const made = known.get(goal) ?? remainderOf(goal, part)
    known.set(goal, made)
    return made
  }

  #divide(selection: Selection, nodes: readonly Node[]): Parts {
    if (nodes.length === 1) return [selection]
    const wanted = nodes.map(() => new Map<TypeId, readonly Goal[]>())
    for (const [object, goals] of selection.byType) {
      const here = this.#nodesHere(selection, nodes, object)
      const lists = nodes.map((): Goal[] => [])
      for (const goal of goals) this.#assign(lists, here, object, goal)
      for (const { index } of here) wanted[index]?.set(object, lists[index] ?? [])
    }
    const asked = wanted.map((byType) => [...byType.values()].some((goals) => goals.length > 0))
    // A node that is asked for everything is asked for the selection itself, which others may share.
    if (asked.filter(Boolean).length < 2) return asked.map((isAsked) => (isAsked ? selection : null))
    return wanted.map((byType, index) => (asked[index] === true ? { type: selection.type, byType } : null))
  }

  /** Adds a goal, or parts of it, to the lists of the nodes that are asked for it. */
  #assign(lists: readonly Goal[][], here: readonly NodeHere[], object: TypeId, goal: Goal): void {
    const [first] = here
    if (first === undefined || goal.kind === 'introspection' || goal.kind === 'denied') return
    this.#budget.step(1 + here.length / 8)
    if (goal.kind === 'typename') {
      lists[first.index]?.push(goal)
      return
    }
    const targets = this.#targets(here, goal)
    const [target] = targets
    if (target === undefined) {
      lists[(here.find(({ node }) => this.#hasKeyFor(node, object, goal)) ?? first).index]?.push(goal)
      return
    }
    const { child } = goal
    const parts =
      child === null || targets.length < 2
        ? []
        : this.parts(
            child,
            targets.flatMap(({ to }) => to ?? []),
          )
    if (parts.every((part) => part === null)) {
      lists[target.index]?.push(goal)
      return
    }
    for (const [place, part] of parts.entries()) {
      const index = targets[place]?.index
      if (part !== null && index !== undefined) lists[index]?.push(this.goalOf(goal, part))
    }
  }

  /**
   * How many leaves of a selection are had by which nodes themselves, with the whole way there: counts by the
   * set of their places, as bits.
   */
  #leaves(selection: Selection, nodes: readonly (Node | null)[]): LeafCounts {
    const key = nodes.map((node) => node?.id ?? '').join()
    const known = this.#leafCounts.get(selection) ?? new Map<string, LeafCounts>()
    this.#leafCounts.set(selection, known)
    const kept = known.get(key)
    if (kept !== undefined) return kept
    const counts = new Map<number, number>()
    for (const [object, goals] of selection.byType) {
      const here = this.#nodesHere(selection, nodes, object)
      if (here.length === 0) continue
      this.#budget.step((goals.length * (1 + here.length)) / 16)
      for (const goal of goals) if (goal.kind === 'field') this.#countLeaves(counts, here, nodes.length, goal)
    }
    known.set(key, counts)
    return counts
  }

  #countLeaves(counts: Map<number, number>, here: readonly NodeHere[], size: number, goal: FieldGoal): void {
    const targets = this.#targets(here, goal)
    if (goal.child === null || targets.length === 0) {
      const owners = targets.reduce((set, { index }) => set | (1 << index), 0)
      counts.set(owners, (counts.get(owners) ?? 0) + wantedLeaves(goal))
      return
    }
    const below: (Node | null)[] = Array.from({ length: size }, () => null)
    for (const { index, to } of targets) below[index] = to
    for (const [owners, count] of this.#leaves(goal.child, below))
      counts.set(owners, (counts.get(owners) ?? 0) + count)
  }

  #nodesHere(selection: Selection, nodes: readonly (Node | null)[], object: TypeId): readonly NodeHere[] {
    if (this.#members.get(selection)?.has(object) === false) return []
    return nodes.flatMap((node, index) =>
      node?.knows.has(object) === true ? [{ index, node: this.#queryGraph.asObject(node, object) }] : [],
    )
  }

  /** The nodes that have a field, and the nodes that it leads to. */
  #targets(
    here: readonly NodeHere[],
    { name, child }: FieldGoal,
  ): readonly { readonly index: number; readonly to: Node | null }[] {
    return here.flatMap(({ index, node }) => {
      const edge = this.#queryGraph.edge(node, name)
      if (edge === null || edge.requires !== null || (child === null) !== (edge.to === null)) return []
      return edge.to?.interfaceObject === true ? [] : [{ index, to: edge.to }]
    })
  }

  /** Whether the node has a key by which a subgraph with the field finds the object. */
  #hasKeyFor(node: Node, object: TypeId, goal: FieldGoal): boolean {
    return this.#queryGraph
      .keyEdges(object)
      .some(
        ({ to, key }) =>
          this.#queryGraph.edge(to, goal.name) !== null &&
          key.fieldSet.every(
            (item) => item.kind === 'field' && this.#queryGraph.edge(node, item.name) !== null,
          ),
      )
  }
}

function keyOf(nodes: readonly Node[]): string {
  return nodes.map(({ id }) => id).join()
}
