/**
 * A search for the cheapest way to answer an operation. It is put together here from four parts that call
 * each other:
 *
 *     SelectionSolver   how is a selection answered from a node?
 *       │    │
 *       │    ▼
 *       │  EntryPoints    which nodes can be entered from here, and by which calls?
 *       │    │ inputs: keys and `@requires` are selections, too
 *       ▼    ▼
 *     ObjectSolver      which subgraph answers which field of objects of one type?
 *       │
 *       ▼
 *     GoalOptions       in which ways can one field be answered?
 *       │
 *       └──▶ SelectionSolver, for what is wanted below the field
 *
 * No part knows another one's class where a function is enough: this file alone closes the circle.
 */
import type { Budget } from '../../work/planning-budget.ts'
import type { GroupId, TypeId } from '../../ids/ids.ts'
import type { FieldGoal, Selection } from '../../operation/normalise/normalised.ts'
import { EntryPoints } from './entry-points.ts'
import { GoalOptions, type Purpose } from './goal-options.ts'
import { ObjectSolver } from './object-solver.ts'
import type { Node, QueryGraph } from '../../graph/moves/query-graph.ts'
import type { ObjectSolution, EntryPoint, SelectionSolution } from './solution.ts'
import { UnfinishedSearches, type SearchMemo } from './search-memo.ts'
import { SelectionSolver } from './selection-solver.ts'
import { SharedSources } from './shared-sources.ts'

/** The parts and options that a search works with. */
export type SearchOptions = {
  readonly queryGraph: QueryGraph
  readonly memo: SearchMemo
  readonly budget: Budget
  /** Object types that may be selected where not every candidate source knows all of them. */
  readonly commonMembers: ReadonlyMap<Selection, ReadonlySet<TypeId>>
  /** Fields of deferred fragments may be fetched by calls of their own. */
  readonly maySplit: boolean
}

/** The questions that planning asks a search. */
export type Search = {
  /** The root calls of all subgraphs that have the root type. */
  readonly roots: (type: TypeId) => readonly EntryPoint[]
  /** All nodes that can be entered from a node, for objects of one type. */
  readonly entriesFrom: (source: Node, object: TypeId) => readonly EntryPoint[]
  /** Answers the root fields of a query, by several subgraphs if need be. */
  readonly query: (
    roots: readonly EntryPoint[],
    object: TypeId,
    goals: readonly FieldGoal[],
    purpose: Purpose,
  ) => ObjectSolution
  /** Answers one root field of a mutation by one subgraph alone. */
  readonly mutationField: (root: EntryPoint, object: TypeId, goal: FieldGoal) => ObjectSolution
  /**
   * The solution of root fields, or a cheaper one in which one field is asked of several subgraphs at once.
   * Without `roots` the root fields themselves remain where they are.
   */
  readonly shared: (solution: ObjectSolution, roots: readonly EntryPoint[]) => ObjectSolution
}

/** Makes a search. One search serves one operation. */
export function openSearch({ queryGraph, memo, budget, commonMembers, maySplit }: SearchOptions): Search {
  const progress = new UnfinishedSearches()
  const solveSelection = (node: Node, selection: Selection, group: GroupId): SelectionSolution =>
    selections.solve(node, selection, group)
  const entryPoints = new EntryPoints(queryGraph, memo, budget, progress, (entries, object, goals) =>
    objects.solve(entries, object, goals),
  )
  const options = new GoalOptions(queryGraph, budget, {
    solveSelection,
    entryForRequires: (entries, object, node, edge, name) =>
      entryPoints.forRequires(entries, object, node, edge, name),
    typedEntry: (entries, object, node) => entryPoints.typed(entries, object, node),
  })
  const objects = new ObjectSolver(options, budget)
  const selections = new SelectionSolver(queryGraph, memo, budget, progress, commonMembers, maySplit, {
    entriesFrom: (source, object) => entryPoints.from(source, object),
    entriesAgain: (source, object) => entryPoints.again(source, object),
    entriesWithout: (entries, object, calls, omitted) => entryPoints.without(entries, object, calls, omitted),
    objects,
  })
  const shared = new SharedSources(queryGraph, budget, commonMembers, {
    entriesFrom: (source, object) => entryPoints.from(source, object),
    solveSelection: (node, selection) => selections.solve(node, selection),
  })
  return {
    roots: (type) => entryPoints.roots(type),
    entriesFrom: (source, object) => entryPoints.from(source, object),
    query: (roots, object, goals, purpose) => selections.query(roots, object, goals, purpose),
    mutationField: (root, object, goal) => objects.solve([root], object, [goal], false),
    shared: (solution, roots) => shared.improve(solution, roots),
  }
}
