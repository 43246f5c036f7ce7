/**
 * Finds the best way to answer a selection when its objects come from a given node.
 *
 * This is dynamic programming: a selection and a node have one solution, which is remembered and used
 * wherever the same selection meets the same node. Each object type of the selection is solved by itself
 * first; then the solutions are made to share calls. Fields of deferred fragments are split off into calls of
 * their own where that is possible.
 */
import type { FieldGoal, Goal, Selection } from '../../operation/normalised.ts'
import { isolatedGoals } from './isolated-fields.ts'
import type { Budget } from '../../budget.ts'
import { DeferSplitter, fetchedEarlyOf } from './split-at-defer.ts'
import { type EntriesWithout, withoutNeedlessKeyFetches } from './needless-key-fetches.ts'
import { INITIAL, type Purpose } from './goal-options.ts'
import { NONE, type ObjectSolver } from './object-solver.ts'
import { TYPENAME } from './key-goals.ts'
import { type GroupId, INITIAL_GROUP, type TypeId } from '../../ids.ts'
import { wantedLeaves } from './unanswered.ts'
import { NO_ASSUMPTIONS, type Assumptions, SharedCalls } from './shared-calls.ts'
import type { Node, QueryGraph } from './query-graph.ts'
import {
  byDepth,
  requestCount,
  costOf,
  FIELD_COST,
  type ObjectSolution,
  type EntryPoint,
  type SelectionSolution,
  type SolutionPrice,
  STAGE_COST,
  type PossibleCall,
} from './solution.ts'
import type { UnfinishedSearches, SearchMemo } from './search-memo.ts'

/** What selections are solved with: the other parts of a search, as far as they are needed here. */
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

  /** How the fields of a query are answered, those of each group by calls of their own. */
  query(
    roots: readonly EntryPoint[],
    object: TypeId,
    goals: readonly FieldGoal[],
    purpose: Purpose = INITIAL,
  ): ObjectSolution {
    if (!this.#maySplit) return this.#parts.objects.solve(roots, object, goals, true, NONE, purpose)
    return this.#splitter.split({
      group: INITIAL_GROUP,
      goals,
      solve: (wanted) => this.#parts.objects.solve(roots, object, wanted, true, NONE, purpose),
      again: (wanted, group) =>
        this.#parts.objects.solve(roots, object, wanted, true, NONE, { ...INITIAL, group, isAgain: true }),
    })
  }

  /** `group`: what the objects are fetched for. */
  solve(node: Node, selection: Selection, group: GroupId = INITIAL_GROUP): SelectionSolution {
    const known = this.#memo.selections.get(selection, node, group)
    if (known !== undefined) return known
    const { result, isFinal } = this.#progress.part(() => this.#solve(node, selection, group))
    return isFinal ? this.#memo.selections.keep(result, group, this.#budget) : result
  }

  #solve(node: Node, selection: Selection, group: GroupId): SelectionSolution {
    const members = this.#commonMembers.get(selection)
    const missing = new Map<TypeId, readonly Goal[]>()
    const needsType = node.interfaceObject && wantsRuntimeType(selection)
    const isolated = needsType ? isolatedGoals(this.#queryGraph, node, selection) : NONE
    const solve = (object: TypeId, assumptions: Assumptions): ObjectSolution => {
      const source = this.#queryGraph.asObject(node, object)
      const goals = selection.byType.get(object) ?? []
      return this.#objectFrom(source, object, goals, needsType, isolated, { ...INITIAL, group, assumptions })
    }
    const alone = new Map<TypeId, ObjectSolution>()
    for (const object of selection.byType.keys()) {
      if (!node.knows.has(object) || members?.has(object) === false) continue
      this.#budget.step()
      alone.set(object, solve(object, NO_ASSUMPTIONS))
    }
    const price = (solutions: ReadonlyMap<TypeId, ObjectSolution>) => priceOf(solutions, group)
    const byType = new SharedCalls(this.#budget, price, solve).improve(alone)
    let depth = 0
    for (const [object, solution] of byType) {
      if (solution.unanswered.length > 0)
        missing.set(object, namedAsByClient(solution.unanswered, selection.byType.get(object) ?? []))
      depth = Math.max(depth, solution.depth)
    }
    return {
      node,
      selection,
      byType,
      ...price(byType),
      depth,
      unanswered: missing.size === 0 ? null : { type: selection.type, byType: missing, isRest: true },
      fetchedEarly: this.#maySplit ? fetchedEarlyOf(selection, byType) : null,
    }
  }

  #objectFrom(
    source: Node,
    object: TypeId,
    goals: readonly Goal[],
    needsType: boolean,
    isolated: ReadonlySet<FieldGoal>,
    purpose: Purpose,
  ): ObjectSolution {
    const wanted = fieldGoals(goals)
    if (!this.#maySplit) return this.#objectWhole(source, object, wanted, needsType, isolated, purpose)
    const split = (mayLearnType: boolean): ObjectSolution => {
      const again = (some: readonly FieldGoal[], other: GroupId): ObjectSolution => {
        // Not before some goal of another group turns up: the selections of keys, which lead to each other,
        // have none.
        const all = this.#parts.entriesAgain(source, object)
        const entries = mayLearnType ? all : all.filter(({ needs }) => ![...needs].some(learnsType))
        return this.#withoutNeedlessKeyFetches(entries, object, some, NONE, {
          ...INITIAL,
          group: other,
          isAgain: true,
        })
      }
      return this.#splitter.split({
        group: purpose.group,
        goals: wanted,
        solve: (some) => this.#objectWhole(source, object, some, needsType, isolated, purpose),
        again,
      })
    }
    const solution = split(true)
    return source.interfaceObject && addsByType(solution) ? split(false) : solution
  }

  #objectWhole(
    source: Node,
    object: TypeId,
    wanted: readonly FieldGoal[],
    needsType: boolean,
    isolated: ReadonlySet<FieldGoal>,
    purpose: Purpose,
  ): ObjectSolution {
    const here: EntryPoint = { node: source, call: null, needs: new Set(), cost: 0 }
    if (!needsType) {
      const solution = this.#withoutVisits(here, object, wanted, purpose.group)
      if (solution !== null) return solution
    }
    const entries = this.#parts.entriesFrom(source, object)
    if (!needsType) return this.#withoutNeedlessKeyFetches(entries, object, wanted, isolated, purpose)
    const typeEntry = entries.find((entry) => entry.call?.entity?.tellsType === true)
    // Who tells the types is asked in any case.
    const told = [...(typeEntry?.needs ?? [])].map(({ request: call }) => call)
    const assumptions = { ...purpose.assumptions, open: new Set([...purpose.assumptions.open, ...told]) }
    const solution = this.#withoutNeedlessKeyFetches(entries, object, wanted, isolated, {
      ...purpose,
      assumptions,
    })
    if (typeEntry === undefined) return { ...solution, unanswered: [...solution.unanswered, TYPENAME] }
    const calls = new Set([...solution.calls, ...typeEntry.needs])
    return {
      ...solution,
      calls: byDepth(calls),
      cost: solution.cost - costOf(solution.calls) + costOf(calls),
      depth: Math.max(solution.depth, typeEntry.call?.depth ?? 0),
    }
  }

  #withoutNeedlessKeyFetches(
    entries: readonly EntryPoint[],
    object: TypeId,
    goals: readonly FieldGoal[],
    isolated: ReadonlySet<FieldGoal>,
    purpose: Purpose,
  ): ObjectSolution {
    return withoutNeedlessKeyFetches(
      this.#queryGraph,
      this.#parts.entriesWithout,
      this.#budget,
      entries,
      object,
      (entries) => this.#parts.objects.solve(entries, object, goals, true, isolated, purpose),
    )
  }

  /** The common case, without looking further: the source has it all. Nothing can be cheaper. */
  #withoutVisits(
    here: EntryPoint,
    object: TypeId,
    goals: readonly FieldGoal[],
    group: GroupId,
  ): ObjectSolution | null {
    for (const goal of goals) {
      const edge = this.#queryGraph.edge(here.node, goal.name)
      if (edge === null || edge.requires !== null) return null
      if (goal.child === null) continue
      if (edge.to === null) return null
      const child = this.solve(edge.to, goal.child, group)
      if (child.fetches > 0 || child.unanswered !== null) return null
    }
    return this.#parts.objects.solve([here], object, goals, true, NONE, { ...INITIAL, group })
  }
}

/** Tells the types of an interface object's objects, or goes by them. */
function learnsType({ entity }: PossibleCall): boolean {
  return entity !== null && (entity.tellsType || entity.typeCall !== null)
}

/**
 * Whether later calls go by types that the first part does not learn, and add to objects that are in it:
 * these are the same there for all types.
 */
function addsByType({ calls, deferred }: ObjectSolution): boolean {
  if (calls.some(learnsType)) return false
  return deferred.some(({ solution }) =>
    solution.answers.some(({ goal, call }) => goal.whole !== null && call !== null && learnsType(call)),
  )
}

/**
 * Calls of several types that become one call are one, and so is a field that they have from the same place.
 * What a later part delivers does not decide who gives this one: it counts by the calls that this one waits
 * for.
 */
function priceOf(solutions: ReadonlyMap<TypeId, ObjectSolution>, group: GroupId): SolutionPrice {
  const calls = new Map<string, PossibleCall>()
  const fields = new Map<FieldGoal, Set<SelectionSolution | null>>()
  let below = 0
  let fetches = 0
  let late = 0
  for (const solution of solutions.values()) {
    for (const call of solution.calls) calls.set(sharedCallKey(call), call)
    for (const { goal, child, call } of solution.answers) {
      const known = fields.get(goal) ?? new Set()
      if (known.has(child)) continue
      fields.set(goal, known.add(child))
      const isOwn = goal.group === group
      below += (isOwn ? FIELD_COST : 0) + (child?.cost ?? 0)
      if (isOwn) late += call?.kind === 'entity' ? wantedLeaves(goal) : (child?.lateLeaves ?? 0)
      if (child === null) continue
      below += STAGE_COST * (call?.depth ?? 0) * child.fetches
      fetches += child.fetches
    }
  }
  return {
    cost: below + costOf(calls.values()),
    fetches: fetches + requestCount(calls.values()),
    lateLeaves: late,
  }
}

/** Where the client asks for the type as well, what is missing is named as the client named it. */
function namedAsByClient(unanswered: readonly Goal[], goals: readonly Goal[]): readonly Goal[] {
  const asked = goals.filter(({ kind }) => kind === 'typename')
  return asked.length === 0 ? unanswered : unanswered.flatMap((goal) => (goal === TYPENAME ? asked : [goal]))
}

function fieldGoals(goals: readonly Goal[]): readonly FieldGoal[] {
  return goals.filter((goal) => goal.kind === 'field')
}

/** Calls of different object types that become one call of one subgraph. */
export function sharedCallKey(call: PossibleCall): string {
  return `${call.kind}|${call.node.sub}|${call.depth}|${call.entity?.field ?? ''}`
}

/**
 * Behind an interface object the runtime type takes an extra call, so it is asked for only when it matters.
 */
function wantsRuntimeType(selection: Selection): boolean {
  const lists = [...selection.byType.values()]
  if (lists.some((goals) => goals.some((goal) => goal.kind === 'typename'))) return true
  return selection.isRest !== true && lists.some((goals) => goals !== lists[0])
}
