/**
 * Finds the best way to answer a selection when its objects come from a given node.
 *
 * This is dynamic programming: a selection and a node have one solution, which is remembered and used
 * wherever the same selection meets the same node. Each object type of the selection is solved by itself
 * first; then the solutions are made to share calls. Fields of deferred fragments are split off into calls of
 * their own where that is possible.
 */
import type { FieldGoal, Goal, Selection } from '../../operation/normalise/normalised.ts'
import { isolatedGoals } from './isolated-fields.ts'
import type { Budget } from '../../work/planning-budget.ts'
import { DeferSplitter, fetchedEarlyOf } from './split-at-defer.ts'
import { type EntriesWithout, withoutNeedlessKeyFetches } from './needless-key-fetches.ts'
import { INITIAL, type Purpose } from './goal-options.ts'
import { NONE, type ObjectSolver } from './object-solver.ts'
import { TYPENAME } from './key-goals.ts'
import { type GroupId, INITIAL_GROUP, type TypeId } from '../../ids/ids.ts'
import { priceOfTypes } from './selection-price.ts'
import { NO_ASSUMPTIONS, type Assumptions, SharedCalls } from './shared-calls.ts'
import type { Node, QueryGraph } from '../../graph/moves/query-graph.ts'
import {
  byDepth,
  costOf,
  type EntryPoint,
  type ObjectSolution,
  type PossibleCall,
  type SelectionSolution,
} from './solution.ts'
import type { UnfinishedSearches, SearchMemo } from './search-memo.ts'

/** The other parts of a search that selections are solved with. */
export type SelectionSolverParts = {
  /** The nodes from which objects of a type can be asked for more: `EntryPoints.from`. */
  readonly entriesFrom: (source: Node, object: TypeId) => readonly EntryPoint[]
  /** The same, and the source itself entered once more: `EntryPoints.again`. */
  readonly entriesAgain: (source: Node, object: TypeId) => readonly EntryPoint[]
  /** Entries that do without one call: `EntryPoints.without`. */
  readonly entriesWithout: EntriesWithout
  /** Answers goals of one object type from entries. */
  readonly objects: ObjectSolver
}

/** The goals of the objects of one type, and where these objects come from. */
type ObjectQuestion = {
  /** The node that the objects come from. */
  readonly source: Node
  readonly object: TypeId
  readonly goals: readonly FieldGoal[]
  /** The objects come from an interface object, and what is asked of them depends on their types. */
  readonly needsType: boolean
  /** Goals that need calls of their own: see isolated-fields.ts. */
  readonly isolated: ReadonlySet<FieldGoal>
  readonly purpose: Purpose
}

/** Solves selections. */
export class SelectionSolver {
  readonly #parts: SelectionSolverParts
  readonly #queryGraph: QueryGraph
  readonly #memo: SearchMemo
  readonly #budget: Budget
  /** Object types that may be selected where not every candidate source knows all of them. */
  readonly #commonMembers: ReadonlyMap<Selection, ReadonlySet<TypeId>>
  readonly #progress: UnfinishedSearches
  readonly #splitter = new DeferSplitter()
  /** Some goals belong to other groups than the initial one. */
  readonly #maySplit: boolean

  constructor(
    queryGraph: QueryGraph,
    memo: SearchMemo,
    budget: Budget,
    progress: UnfinishedSearches,
    members: ReadonlyMap<Selection, ReadonlySet<TypeId>>,
    maySplit: boolean,
    parts: SelectionSolverParts,
  ) {
    this.#parts = parts
    this.#progress = progress
    this.#maySplit = maySplit
    this.#queryGraph = queryGraph
    this.#memo = memo
    this.#budget = budget
    this.#commonMembers = members
  }

  /** Answers the root fields of a query. Those of each delivery group are answered by calls of their own. */
  query(
    roots: readonly EntryPoint[],
    object: TypeId,
    goals: readonly FieldGoal[],
    purpose: Purpose = INITIAL,
  ): ObjectSolution {
    const solve = (wanted: readonly FieldGoal[], by: Purpose): ObjectSolution =>
      this.#parts.objects.solve(roots, object, wanted, true, NONE, by)
    if (!this.#maySplit) return solve(goals, purpose)
    return this.#splitter.split({
      group: INITIAL_GROUP,
      goals,
      solve: (wanted) => solve(wanted, purpose),
      again: (wanted, group) => solve(wanted, { ...INITIAL, group, isAgain: true }),
    })
  }

  /** Answers a selection from a node. `group` is the delivery group that the objects are fetched for. */
  solve(node: Node, selection: Selection, group: GroupId = INITIAL_GROUP): SelectionSolution {
    const known = this.#memo.selections.get(selection, node, group)
    if (known !== undefined) return known
    const { result, isFinal } = this.#progress.part(() => this.#solve(node, selection, group))
    return isFinal ? this.#memo.selections.keep(result, group, this.#budget) : result
  }

  #solve(node: Node, selection: Selection, group: GroupId): SelectionSolution {
    const members = this.#commonMembers.get(selection)
    const needsType = node.interfaceObject && wantsRuntimeType(selection)
    const isolated = needsType ? isolatedGoals(this.#queryGraph, node, selection) : NONE
    const solve = (object: TypeId, assumptions: Assumptions): ObjectSolution =>
      this.#solveObject({
        source: this.#queryGraph.asObject(node, object),
        object,
        goals: (selection.byType.get(object) ?? []).filter((goal) => goal.kind === 'field'),
        needsType,
        isolated,
        purpose: { ...INITIAL, group, assumptions },
      })
    const alone = new Map<TypeId, ObjectSolution>()
    for (const object of selection.byType.keys()) {
      if (!node.knows.has(object) || members?.has(object) === false) continue
      this.#budget.step()
      alone.set(object, solve(object, NO_ASSUMPTIONS))
    }
    const price = (solutions: ReadonlyMap<TypeId, ObjectSolution>) => priceOfTypes(solutions, group)
    const byType = new SharedCalls(this.#budget, price, solve).improve(alone)
    return {
      node,
      selection,
      byType,
      ...price(byType),
      depth: [...byType.values()].reduce((most, { depth }) => Math.max(most, depth), 0),
      unanswered: unansweredOf(selection, byType),
      fetchedEarly: this.#maySplit ? fetchedEarlyOf(selection, byType) : null,
    }
  }

  /** Answers the goals of one object type; those that other groups deliver by calls of their own. */
  #solveObject(question: ObjectQuestion): ObjectSolution {
    if (!this.#maySplit) return this.#solveTogether(question)
    const solution = this.#solveByGroup(question, true)
    return question.source.interfaceObject && addsByType(solution)
      ? this.#solveByGroup(question, false)
      : solution
  }

  /** `mayLearnType`: calls of later groups may ask which type an object behind an interface object has. */
  #solveByGroup(question: ObjectQuestion, mayLearnType: boolean): ObjectSolution {
    const { source, object, purpose } = question
    const again = (goals: readonly FieldGoal[], group: GroupId): ObjectSolution => {
      // The entries are looked up only once there is a goal of another group: the selections of keys, which
      // lead to each other, have none.
      const all = this.#parts.entriesAgain(source, object)
      const entries = mayLearnType ? all : all.filter(({ needs }) => ![...needs].some(learnsType))
      const later: Purpose = { ...INITIAL, group, isAgain: true }
      return this.#solveFrom(entries, { ...question, goals, isolated: NONE, purpose: later })
    }
    return this.#splitter.split({
      group: purpose.group,
      goals: question.goals,
      solve: (goals) => this.#solveTogether({ ...question, goals }),
      again,
    })
  }

  /** Answers all goals for the group that the objects are fetched for. */
  #solveTogether(question: ObjectQuestion): ObjectSolution {
    const { source, object, needsType } = question
    const known = needsType ? null : this.#solveFromSource(question)
    if (known !== null) return known
    const entries = this.#parts.entriesFrom(source, object)
    return needsType ? this.#solveWithType(entries, question) : this.#solveFrom(entries, question)
  }

  /** Answers the goals of an interface object's objects together with the call that tells their types. */
  #solveWithType(entries: readonly EntryPoint[], question: ObjectQuestion): ObjectSolution {
    const { purpose } = question
    const typeEntry = entries.find((entry) => entry.call?.entity?.tellsType === true)
    // The requests that tell the types are made in any case.
    const requests = [...(typeEntry?.needs ?? [])].map(({ request }) => request)
    const assumptions = { ...purpose.assumptions, open: new Set([...purpose.assumptions.open, ...requests]) }
    const solution = this.#solveFrom(entries, { ...question, purpose: { ...purpose, assumptions } })
    if (typeEntry === undefined) return { ...solution, unanswered: [...solution.unanswered, TYPENAME] }
    const calls = new Set([...solution.calls, ...typeEntry.needs])
    return {
      ...solution,
      calls: byDepth(calls),
      cost: solution.cost - costOf(solution.calls) + costOf(calls),
      depth: Math.max(solution.depth, typeEntry.call?.depth ?? 0),
    }
  }

  #solveFrom(
    entries: readonly EntryPoint[],
    { object, goals, isolated, purpose }: ObjectQuestion,
  ): ObjectSolution {
    return withoutNeedlessKeyFetches(
      { queryGraph: this.#queryGraph, memo: this.#memo },
      this.#parts.entriesWithout,
      this.#budget,
      entries,
      object,
      (some) => this.#parts.objects.solve(some, object, goals, true, isolated, purpose),
    )
  }

  /**
   * The common case: the source has all that is wanted, with everything below it. Then nothing can be
   * cheaper, and no other entry is looked up. Null if the source lacks anything.
   */
  #solveFromSource({ source, object, goals, purpose: { group } }: ObjectQuestion): ObjectSolution | null {
    for (const goal of goals) {
      const edge = this.#queryGraph.edge(source, goal.name)
      if (edge === null || edge.requires !== null) return null
      if (goal.child === null) continue
      if (edge.to === null) return null
      const child = this.solve(edge.to, goal.child, group)
      if (child.fetches > 0 || child.unanswered !== null) return null
    }
    const here: EntryPoint = { node: source, call: null, needs: new Set(), cost: 0 }
    return this.#parts.objects.solve([here], object, goals, true, NONE, { ...INITIAL, group })
  }
}

/** Whether the call tells the types of an interface object's objects, or is made only for known types. */
function learnsType({ entity }: PossibleCall): boolean {
  return entity !== null && (entity.tellsType || entity.typeCall !== null)
}

/**
 * Whether calls of later groups, but none of this group, learn the types of objects, and add fields to an
 * object that this group delivers. An object that is delivered without its type is the same for all types, so
 * nothing that depends on the type can be added to it later.
 */
function addsByType({ calls, deferred }: ObjectSolution): boolean {
  if (calls.some(learnsType)) return false
  return deferred.some(({ solution }) =>
    solution.answers.some(({ goal, call }) => goal.whole !== null && call !== null && learnsType(call)),
  )
}

/** The part of a selection that its solutions leave unanswered; null if they answer it all. */
function unansweredOf(
  selection: Selection,
  solutions: ReadonlyMap<TypeId, ObjectSolution>,
): Selection | null {
  const missing = new Map<TypeId, readonly Goal[]>()
  for (const [object, { unanswered }] of solutions)
    if (unanswered.length > 0)
      missing.set(object, namedAsByClient(unanswered, selection.byType.get(object) ?? []))
  return missing.size === 0 ? null : { type: selection.type, byType: missing, isRest: true }
}

/**
 * Where the client asks for `__typename` too, a missing type is reported under the client's response keys.
 */
function namedAsByClient(unanswered: readonly Goal[], goals: readonly Goal[]): readonly Goal[] {
  const typenames = goals.filter(({ kind }) => kind === 'typename')
  if (typenames.length === 0) return unanswered
  return unanswered.flatMap((goal) => (goal === TYPENAME ? typenames : [goal]))
}

/**
 * Whether the answer depends on the runtime types: the client asks for `__typename`, or for different things
 * of different types. Behind an interface object the type takes a further call, which is made only then.
 */
function wantsRuntimeType(selection: Selection): boolean {
  const lists = [...selection.byType.values()]
  if (lists.some((goals) => goals.some((goal) => goal.kind === 'typename'))) return true
  return selection.isRest !== true && lists.some((goals) => goals !== lists[0])
}
