/**
 * Dynamic programming over (selection, node): the best way to answer a selection when its objects come from a node.
 *
 * Two mutually recursive questions. `spread`: how is this selection answered from this node? `reach`: which other nodes
 * can be entered from this one, and by which visits? Reaching asks for key fields, which is a selection again, but one
 * that depends on the schema alone: those answers are kept for the life of the schema. What was found while an
 * enclosing search was still incomplete is not kept, else a "no" of the moment would stay for ever.
 */
import type { FieldGoal, Goal, Selection } from '../operation/normalised.ts'
import { typeOf } from '../graph/graph.ts'
import type { Budget } from './budget.ts'
import { chooseOptions, type Option } from './choose.ts'
import type { TypeId } from './plan.ts'
import { missingLeaves, remainderOf } from './residual.ts'
import type { Edge, Move, Node, SchemaView } from './schema-view.ts'
import {
  byDepth,
  costOf,
  type EntityEntry,
  FETCH_COST,
  FIELD_COST,
  type Local,
  type Opened,
  type Pick,
  type Spread,
  STAGE_COST,
  type Visit,
  visitCost,
} from './solution.ts'

/** As soon as one of so many subgraphs has all that is wanted of a field, the others are not looked at. */
const MAX_PROVIDERS = 8

/** Facts that outlive an operation. Spreads of client selections go with their operation: the map is weak. */
export type SolverMemo = {
  readonly reached: Map<string, readonly Opened[]>
  readonly spreads: WeakMap<Selection, Map<number, Spread>>
  visits: number
}

export function solverMemo(): SolverMemo {
  return { reached: new Map(), spreads: new WeakMap(), visits: 0 }
}

export class Solver {
  readonly #view: SchemaView
  readonly #memo: SolverMemo
  readonly #budget: Budget
  /** Object types that may be selected where not every candidate source knows all of them. */
  readonly #members: ReadonlyMap<Selection, ReadonlySet<TypeId>>
  readonly #covered = new WeakMap<Selection, Map<Node, number>>()
  readonly #reaching = new Map<string, readonly Opened[]>()
  readonly #requiring = new Set<string>()
  /** Something unfinished was looked at: do not keep what depends on it. */
  #provisional = false

  constructor(
    view: SchemaView,
    memo: SolverMemo,
    budget: Budget,
    members: ReadonlyMap<Selection, ReadonlySet<TypeId>>,
  ) {
    this.#view = view
    this.#memo = memo
    this.#budget = budget
    this.#members = members
  }

  /** Root calls of every subgraph that has the root type. */
  roots(root: TypeId): readonly Opened[] {
    return typeOf(this.#view.graph, root).presence.map(({ sub }) => {
      const visit: Visit = {
        id: this.#memo.visits++,
        kind: 'root',
        node: this.#view.node(root, sub, null),
        entity: null,
        depth: 1,
      }
      return { node: visit.node, visit, needs: new Set([visit]), cost: visitCost(visit) }
    })
  }

  /** How goals on one object type are answered from what is open. */
  local(opened: readonly Opened[], object: TypeId, goals: readonly FieldGoal[], mayAskAgain = true): Local {
    const chosen = chooseOptions(goals.map((goal) => this.#options(opened, object, goal)))
    const picks: Pick[] = []
    const needs = new Set<Visit>()
    const remaining: FieldGoal[] = []
    let cost = 0
    let depth = 0
    const take = (goal: FieldGoal, option: Option): void => {
      picks.push({ goal, visit: option.visit, edge: option.edge, child: option.child })
      for (const visit of option.needs) needs.add(visit)
      cost += option.cost
      const start = option.visit?.depth ?? 0
      depth = Math.max(depth, start + (option.child?.depth ?? 0))
      if (option.child?.residual != null) remaining.push(remainderOf(goal, option.child.residual))
    }
    for (const [index, goal] of goals.entries()) {
      const option = chosen[index]
      if (option === null || option === undefined) remaining.push(goal)
      else take(goal, option)
    }
    const residual: FieldGoal[] = []
    if (!mayAskAgain) residual.push(...remaining.splice(0))
    // What one source leaves open is asked of the others, as long as one of them knows some of it.
    for (let rest = remaining.shift(); rest !== undefined; rest = remaining.shift()) {
      const option = this.#bestForRest(opened, object, rest, needs)
      if (option === null) residual.push(rest)
      else take(rest, option)
    }
    for (const visit of needs) depth = Math.max(depth, visit.depth)
    return { picks, visits: byDepth(needs), cost: cost + costOf(needs), depth, residual }
  }

  spread(node: Node, selection: Selection): Spread {
    const known = this.#memo.spreads.get(selection)?.get(node.id)
    if (known !== undefined) return known
    const outer = this.#provisional
    this.#provisional = false
    const spread = this.#makeSpread(node, selection)
    if (!this.#provisional) {
      const byNode = this.#memo.spreads.get(selection) ?? new Map<number, Spread>()
      byNode.set(node.id, spread)
      this.#memo.spreads.set(selection, byNode)
    }
    this.#provisional ||= outer
    return spread
  }

  #makeSpread(node: Node, selection: Selection): Spread {
    const byType = new Map<TypeId, Local>()
    const members = this.#members.get(selection)
    const missing = new Map<TypeId, readonly FieldGoal[]>()
    const visits = new Map<string, Visit>()
    const fields = new Set<Pick['goal']>()
    const needsType = node.interfaceObject && wantsRuntimeType(selection)
    let below = 0
    let fetches = 0
    let depth = 0
    for (const [object, goals] of selection.byType) {
      if (!node.runtime.includes(object) || members?.has(object) === false) continue
      this.#budget.step()
      const local = this.#localFrom(this.#view.asObject(node, object), object, goals, needsType)
      byType.set(object, local)
      if (local.residual.length > 0) missing.set(object, local.residual)
      depth = Math.max(depth, local.depth)
      for (const visit of local.visits) visits.set(shareKey(visit), visit)
      for (const pick of local.picks) {
        if (fields.has(pick.goal)) continue
        fields.add(pick.goal)
        below += FIELD_COST + (pick.child?.cost ?? 0)
        if (pick.child !== null) below += STAGE_COST * (pick.visit?.depth ?? 0) * pick.child.fetches
        fetches += pick.child?.fetches ?? 0
      }
    }
    return {
      node,
      selection,
      byType,
      cost: below + costOf(visits.values()),
      depth,
      fetches: fetches + visits.size,
      residual: missing.size === 0 ? null : { type: selection.type, byType: missing },
    }
  }

  #localFrom(source: Node, object: TypeId, goals: readonly Goal[], needsType: boolean): Local {
    const wanted = fieldGoals(goals)
    const here: Opened = { node: source, visit: null, needs: new Set(), cost: 0 }
    if (!needsType) {
      const local = this.#withoutVisits(here, object, wanted)
      if (local !== null) return local
    }
    const opened = this.reach(source, object)
    const local = this.local(opened, object, wanted)
    if (!needsType) return local
    const discovery = opened.find((entry) => entry.visit?.entity?.discovers === true)
    if (discovery === undefined) return local
    const visits = new Set([...local.visits, ...discovery.needs])
    return {
      ...local,
      visits: byDepth(visits),
      cost: local.cost - costOf(local.visits) + costOf(visits),
      depth: Math.max(local.depth, discovery.visit?.depth ?? 0),
    }
  }

  /** The common case, without looking further: the source has it all. Nothing can be cheaper. */
  #withoutVisits(here: Opened, object: TypeId, goals: readonly FieldGoal[]): Local | null {
    for (const goal of goals) {
      const edge = this.#view.edge(here.node, goal.name)
      if (edge === null || edge.requires !== null) return null
      if (goal.child === null) continue
      if (edge.to === null) return null
      const child = this.spread(edge.to, goal.child)
      if (child.fetches > 0 || child.residual !== null) return null
    }
    return this.local([here], object, goals)
  }

  #options(opened: readonly Opened[], object: TypeId, goal: FieldGoal): readonly Option[] {
    const options: Option[] = []
    let complete = false
    for (const [edge, entry] of this.#ranked(opened, goal)) {
      if (complete && options.length >= MAX_PROVIDERS) break
      this.#budget.step()
      const way =
        edge.requires === null ? entry : this.#enterForRequires(opened, object, entry.node, edge, goal)
      if (way === null) continue
      const child = edge.to === null || goal.child === null ? null : this.spread(edge.to, goal.child)
      const delay = child === null ? 0 : STAGE_COST * (way.visit?.depth ?? 0) * child.fetches
      const option: Option = {
        visit: way.visit,
        needs: way.needs,
        edge,
        child,
        cost: FIELD_COST + (child?.cost ?? 0) + delay,
        missing: missingLeaves(child?.residual ?? null),
      }
      // Here, at once and whole: nothing can be better.
      if (way.visit === null && option.missing === 0 && (child?.fetches ?? 0) === 0) return [option]
      complete ||= option.missing === 0
      options.push(option)
    }
    return options
  }

  /** Where the goal could be answered, the most promising first: those that know most of what is below. */
  #ranked(opened: readonly Opened[], goal: FieldGoal): readonly (readonly [Edge, Opened])[] {
    const ways: (readonly [Edge, Opened])[] = []
    for (const entry of opened) {
      const edge = this.#view.edge(entry.node, goal.name)
      if (edge !== null && (goal.child === null) === (edge.to === null)) ways.push([edge, entry])
    }
    if (ways.length <= MAX_PROVIDERS || goal.child === null) return ways
    const { child } = goal
    const known = new Map(ways.map((way) => [way, way[0].to === null ? 0 : this.#coverage(way[0].to, child)]))
    return ways.toSorted((a, b) => (known.get(b) ?? 0) - (known.get(a) ?? 0) || a[1].cost - b[1].cost)
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
    for (const goal of new Set([...selection.byType.values()].flat())) {
      const edge = goal.kind === 'field' ? this.#view.edge(node, goal.name) : null
      if (edge === null || goal.kind !== 'field') continue
      count += 1 + (edge.to === null || goal.child === null ? 0 : this.#coverage(edge.to, goal.child))
    }
    byNode.set(node, count)
    return count
  }

  #bestForRest(
    opened: readonly Opened[],
    object: TypeId,
    rest: FieldGoal,
    open: ReadonlySet<Visit>,
  ): Option | null {
    if (rest.whole === null) return null
    const wanted = missingLeaves(rest.child)
    const price = (option: Option): number =>
      option.cost + costOf([...option.needs].filter((visit) => !open.has(visit)))
    let best: Option | null = null
    for (const option of this.#options(opened, object, rest)) {
      if (option.missing >= wanted) continue
      const better =
        best === null ||
        option.missing < best.missing ||
        (option.missing === best.missing && price(option) < price(best))
      if (better) best = option
    }
    return best
  }

  /** An entity call of its own for a field with `@requires`, made when its inputs are at hand. */
  #enterForRequires(
    opened: readonly Opened[],
    object: TypeId,
    node: Node,
    edge: Edge,
    goal: FieldGoal,
  ): Opened | null {
    const guard = `${node.type}|${node.sub}|${goal.name}${goal.args}|${object}`
    if (this.#requiring.has(guard)) {
      this.#provisional = true
      return null
    }
    this.#requiring.add(guard)
    const target = this.#view.entry(node)
    let best: Opened | null = null
    for (const move of this.#view.moves(object)) {
      if (move.to !== target || move.discovers) continue
      const field = `${typeOf(this.#view.graph, node.type).name}.${goal.name}`
      const way = this.#enter(opened, object, move, { edge, field })
      if (way !== null && (best === null || way.cost < best.cost)) best = way
    }
    this.#requiring.delete(guard)
    return best
  }

  /** Everything that can be entered from a source, cheapest first; the source itself is the first. */
  reach(source: Node, object: TypeId): readonly Opened[] {
    const key = `${source.id}|${object}`
    const known = this.#memo.reached.get(key)
    if (known !== undefined) return known
    const unfinished = this.#reaching.get(key)
    if (unfinished !== undefined) {
      this.#provisional = true
      return unfinished
    }
    const opened: Opened[] = [{ node: source, visit: null, needs: new Set(), cost: 0 }]
    if (object === this.#view.graph.compiled.roots.query)
      opened.push(...this.roots(object).filter((root) => root.node.sub !== source.sub))
    const outer = this.#provisional
    this.#provisional = false
    this.#reaching.set(key, opened)
    try {
      for (;;) {
        const next = this.#nextEntries(opened, source, object)
        if (next.length === 0) break
        opened.push(...next)
      }
    } finally {
      this.#reaching.delete(key)
    }
    // Its own unfinished state was looked at and has been completed since; with nothing else in progress that is final.
    if (!this.#provisional || (this.#reaching.size === 0 && this.#requiring.size === 0)) {
      this.#memo.reached.set(key, opened)
      this.#provisional = false
    }
    this.#provisional ||= outer
    return opened
  }

  /** What can be entered now and cannot become cheaper: an entry through yet another one costs a whole fetch more. */
  #nextEntries(opened: readonly Opened[], source: Node, object: TypeId): readonly Opened[] {
    const known = new Set(opened.map((entry) => this.#view.entry(entry.node)))
    const best = new Map<Node, Opened>()
    for (const move of this.#view.moves(object)) {
      if (known.has(move.to) || (move.discovers && !source.interfaceObject)) continue
      const way = this.#enter(opened, object, move, null)
      const other = best.get(move.to)
      if (way !== null && (other === undefined || way.cost < other.cost)) best.set(move.to, way)
    }
    const ways = [...best.values()].sort((a, b) => a.cost - b.cost || a.node.sub - b.node.sub)
    return ways.filter((way) => way.cost < (ways[0]?.cost ?? 0) + FETCH_COST)
  }

  #enter(
    opened: readonly Opened[],
    object: TypeId,
    move: Move,
    requiring: { readonly edge: Edge; readonly field: string } | null,
  ): Opened | null {
    this.#budget.step()
    const untyped = opened[0]?.node.interfaceObject === true && opened[0].visit === null
    const discovery =
      untyped && move.needsType ? opened.find((entry) => entry.visit?.entity?.discovers) : null
    if (discovery === undefined) return null
    const requires = requiring?.edge.requires ?? null
    const goals = this.#view.goals(this.#view.joined(move.key.sel, requires?.sel ?? null), object)
    const inputs = this.local(opened, object, goals)
    if (inputs.residual.length > 0) return null
    const entity: EntityEntry = {
      key: move.key,
      repType: move.repType,
      requires,
      field: requiring?.field ?? null,
      discovers: move.discovers,
      discovery: discovery?.visit ?? null,
      inputs: inputs.picks,
    }
    const depth = 1 + Math.max(inputs.depth, discovery?.visit?.depth ?? 0)
    const visit: Visit = { id: this.#memo.visits++, kind: 'entity', node: move.to, entity, depth }
    const needs = new Set([...inputs.visits, ...(discovery?.needs ?? []), visit])
    const nested = inputs.picks.reduce((sum, pick) => sum + (pick.child?.cost ?? 0), 0)
    return { node: move.to, visit, needs, cost: costOf(needs) + nested + FIELD_COST * goals.length }
  }
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
  const [first, ...others] = selection.byType.values()
  if (first === undefined) return false
  return first.some((goal) => goal.kind === 'typename') || others.some((goals) => goals !== first)
}
