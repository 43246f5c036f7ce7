/**
 * Dynamic programming over (selection, node): the best way to answer a selection when its objects come from a node.
 *
 * Two mutually recursive questions. `spread`: how is this selection answered from this node? And what else can be entered
 * from there: see reach.ts.
 */
import type { FieldGoal, Goal, Selection } from '../../operation/normalised.ts'
import { goalsApart } from './isolated-fields.ts'
import type { Budget } from '../../budget.ts'
import { DeferCuts, uncutOf } from './split-at-defer.ts'
import { type EntriesWithout, withoutDetours } from './needless-key-fetches.ts'
import { INITIAL, type Purpose } from './goal-options.ts'
import { NONE, type ObjectSolver } from './object-solver.ts'
import { TYPENAME } from './key-goals.ts'
import { type GroupId, INITIAL_GROUP, type TypeId } from '../../ids.ts'
import { wantedLeaves } from './unanswered.ts'
import { ALONE, type Company, SharedCalls } from './shared-calls.ts'
import type { Node, SchemaView } from './query-graph.ts'
import {
  byDepth,
  callCount,
  costOf,
  FIELD_COST,
  type Local,
  type Opened,
  type Spread,
  type SpreadPrice,
  STAGE_COST,
  type Visit,
} from './solution.ts'
import type { Progress, SolverMemo } from './solver-memo.ts'

/** What selections are solved with: the other parts of a search, as far as they are needed here. */
export type SolverParts = {
  /** The nodes from which objects of a type can be asked for more: `EntryPoints.from`. */
  readonly entriesFrom: (source: Node, object: TypeId) => readonly Opened[]
  /** The same, and the source itself entered once more: `EntryPoints.again`. */
  readonly entriesAgain: (source: Node, object: TypeId) => readonly Opened[]
  /** Entries that do without one call: `EntryPoints.without`. */
  readonly entriesWithout: EntriesWithout
  /** Answers goals of one object type from entries. */
  readonly objects: ObjectSolver
}

export class Solver {
  readonly #parts: SolverParts
  readonly #view: SchemaView
  readonly #memo: SolverMemo
  readonly #budget: Budget
  /** Object types that may be selected where not every candidate source knows all of them. */
  readonly #members: ReadonlyMap<Selection, ReadonlySet<TypeId>>
  readonly #progress: Progress
  readonly #cuts = new DeferCuts()
  /** Some goals belong to other groups than the initial one. */
  readonly #mayCut: boolean

  constructor(
    view: SchemaView,
    memo: SolverMemo,
    budget: Budget,
    progress: Progress,
    members: ReadonlyMap<Selection, ReadonlySet<TypeId>>,
    mayCut: boolean,
    parts: SolverParts,
  ) {
    this.#parts = parts
    this.#progress = progress
    this.#mayCut = mayCut
    this.#view = view
    this.#memo = memo
    this.#budget = budget
    this.#members = members
  }

  /** How the fields of a query are answered, those of each group by calls of their own. */
  query(
    roots: readonly Opened[],
    object: TypeId,
    goals: readonly FieldGoal[],
    purpose: Purpose = INITIAL,
  ): Local {
    if (!this.#mayCut) return this.#parts.objects.solve(roots, object, goals, true, NONE, purpose)
    return this.#cuts.local({
      group: INITIAL_GROUP,
      goals,
      solve: (wanted) => this.#parts.objects.solve(roots, object, wanted, true, NONE, purpose),
      again: (wanted, group) =>
        this.#parts.objects.solve(roots, object, wanted, true, NONE, { ...INITIAL, group, isAgain: true }),
    })
  }

  /** `group`: what the objects are fetched for. */
  spread(node: Node, selection: Selection, group: GroupId = INITIAL_GROUP): Spread {
    const known = this.#memo.spreads.get(selection, node, group)
    if (known !== undefined) return known
    const { result, isFinal } = this.#progress.part(() => this.#makeSpread(node, selection, group))
    return isFinal ? this.#memo.spreads.keep(result, group, this.#budget) : result
  }

  #makeSpread(node: Node, selection: Selection, group: GroupId): Spread {
    const members = this.#members.get(selection)
    const missing = new Map<TypeId, readonly Goal[]>()
    const needsType = node.interfaceObject && wantsRuntimeType(selection)
    const apart = needsType ? goalsApart(this.#view, node, selection) : NONE
    const solve = (object: TypeId, company: Company): Local => {
      const source = this.#view.asObject(node, object)
      const goals = selection.byType.get(object) ?? []
      return this.#localFrom(source, object, goals, needsType, apart, { ...INITIAL, group, company })
    }
    const alone = new Map<TypeId, Local>()
    for (const object of selection.byType.keys()) {
      if (!node.knows.has(object) || members?.has(object) === false) continue
      this.#budget.step()
      alone.set(object, solve(object, ALONE))
    }
    const price = (locals: ReadonlyMap<TypeId, Local>) => priceOf(locals, group)
    const byType = new SharedCalls(this.#budget, price, solve).improve(alone)
    let depth = 0
    for (const [object, local] of byType) {
      if (local.residual.length > 0)
        missing.set(object, asAsked(local.residual, selection.byType.get(object) ?? []))
      depth = Math.max(depth, local.depth)
    }
    return {
      node,
      selection,
      byType,
      ...price(byType),
      depth,
      residual: missing.size === 0 ? null : { type: selection.type, byType: missing, isRest: true },
      uncut: this.#mayCut ? uncutOf(selection, byType) : null,
    }
  }

  #localFrom(
    source: Node,
    object: TypeId,
    goals: readonly Goal[],
    needsType: boolean,
    apart: ReadonlySet<FieldGoal>,
    purpose: Purpose,
  ): Local {
    const wanted = fieldGoals(goals)
    if (!this.#mayCut) return this.#localWhole(source, object, wanted, needsType, apart, purpose)
    const cut = (mayLearnType: boolean): Local => {
      const again = (some: readonly FieldGoal[], other: GroupId): Local => {
        // Not before some goal of another group turns up: the selections of keys, which lead to each other, have none.
        const opened = this.#parts.entriesAgain(source, object)
        const entries = mayLearnType ? opened : opened.filter(({ needs }) => ![...needs].some(learnsType))
        return this.#withoutDetours(entries, object, some, NONE, { ...INITIAL, group: other, isAgain: true })
      }
      return this.#cuts.local({
        group: purpose.group,
        goals: wanted,
        solve: (some) => this.#localWhole(source, object, some, needsType, apart, purpose),
        again,
      })
    }
    const local = cut(true)
    return source.interfaceObject && addsByType(local) ? cut(false) : local
  }

  #localWhole(
    source: Node,
    object: TypeId,
    wanted: readonly FieldGoal[],
    needsType: boolean,
    apart: ReadonlySet<FieldGoal>,
    purpose: Purpose,
  ): Local {
    const here: Opened = { node: source, visit: null, needs: new Set(), cost: 0 }
    if (!needsType) {
      const local = this.#withoutVisits(here, object, wanted, purpose.group)
      if (local !== null) return local
    }
    const opened = this.#parts.entriesFrom(source, object)
    if (!needsType) return this.#withoutDetours(opened, object, wanted, apart, purpose)
    const discovery = opened.find((entry) => entry.visit?.entity?.discovers === true)
    // Who tells the types is asked in any case.
    const told = [...(discovery?.needs ?? [])].map(({ call }) => call)
    const company = { ...purpose.company, open: new Set([...purpose.company.open, ...told]) }
    const local = this.#withoutDetours(opened, object, wanted, apart, { ...purpose, company })
    if (discovery === undefined) return { ...local, residual: [...local.residual, TYPENAME] }
    const visits = new Set([...local.visits, ...discovery.needs])
    return {
      ...local,
      visits: byDepth(visits),
      cost: local.cost - costOf(local.visits) + costOf(visits),
      depth: Math.max(local.depth, discovery.visit?.depth ?? 0),
    }
  }

  #withoutDetours(
    opened: readonly Opened[],
    object: TypeId,
    goals: readonly FieldGoal[],
    apart: ReadonlySet<FieldGoal>,
    purpose: Purpose,
  ): Local {
    return withoutDetours(this.#view, this.#parts.entriesWithout, this.#budget, opened, object, (entries) =>
      this.#parts.objects.solve(entries, object, goals, true, apart, purpose),
    )
  }

  /** The common case, without looking further: the source has it all. Nothing can be cheaper. */
  #withoutVisits(here: Opened, object: TypeId, goals: readonly FieldGoal[], group: GroupId): Local | null {
    for (const goal of goals) {
      const edge = this.#view.edge(here.node, goal.name)
      if (edge === null || edge.requires !== null) return null
      if (goal.child === null) continue
      if (edge.to === null) return null
      const child = this.spread(edge.to, goal.child, group)
      if (child.fetches > 0 || child.residual !== null) return null
    }
    return this.#parts.objects.solve([here], object, goals, true, NONE, { ...INITIAL, group })
  }
}

/** Tells the types of an interface object's objects, or goes by them. */
function learnsType({ entity }: Visit): boolean {
  return entity !== null && (entity.discovers || entity.discovery !== null)
}

/**
 * Whether later calls go by types that the first part does not learn, and add to objects that are in it: these are the same
 * there for all types.
 */
function addsByType({ visits, cuts }: Local): boolean {
  if (visits.some(learnsType)) return false
  return cuts.some(({ local }) =>
    local.picks.some(({ goal, visit }) => goal.whole !== null && visit !== null && learnsType(visit)),
  )
}

/**
 * Visits of several types that become one call are one, and so is a field that they have from the same place. What a later part
 * delivers does not decide who gives this one: it counts by the calls that this one waits for.
 */
function priceOf(locals: ReadonlyMap<TypeId, Local>, group: GroupId): SpreadPrice {
  const visits = new Map<string, Visit>()
  const fields = new Map<FieldGoal, Set<Spread | null>>()
  let below = 0
  let fetches = 0
  let late = 0
  for (const local of locals.values()) {
    for (const visit of local.visits) visits.set(shareKey(visit), visit)
    for (const { goal, child, visit } of local.picks) {
      const known = fields.get(goal) ?? new Set()
      if (known.has(child)) continue
      fields.set(goal, known.add(child))
      const isOwn = goal.group === group
      below += (isOwn ? FIELD_COST : 0) + (child?.cost ?? 0)
      if (isOwn) late += visit?.kind === 'entity' ? wantedLeaves(goal) : (child?.late ?? 0)
      if (child === null) continue
      below += STAGE_COST * (visit?.depth ?? 0) * child.fetches
      fetches += child.fetches
    }
  }
  return { cost: below + costOf(visits.values()), fetches: fetches + callCount(visits.values()), late }
}

/** Where the client asks for the type as well, what is missing is named as the client named it. */
function asAsked(residual: readonly Goal[], goals: readonly Goal[]): readonly Goal[] {
  const asked = goals.filter(({ kind }) => kind === 'typename')
  return asked.length === 0 ? residual : residual.flatMap((goal) => (goal === TYPENAME ? asked : [goal]))
}

function fieldGoals(goals: readonly Goal[]): readonly FieldGoal[] {
  return goals.filter((goal) => goal.kind === 'field')
}

/** Visits of different object types that become one call of one subgraph. */
export function shareKey(visit: Visit): string {
  return `${visit.kind}|${visit.node.sub}|${visit.depth}|${visit.entity?.field ?? ''}`
}

/** Behind an interface object the runtime type takes an extra call, so it is asked for only when it matters. */
function wantsRuntimeType(selection: Selection): boolean {
  const lists = [...selection.byType.values()]
  if (lists.some((goals) => goals.some((goal) => goal.kind === 'typename'))) return true
  return selection.isRest !== true && lists.some((goals) => goals !== lists[0])
}
