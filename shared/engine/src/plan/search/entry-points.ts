/**
 * Which nodes can be entered from which, and by which visits.
 *
 * Keys and requires inputs are goals like the client's, so this asks the solver, which asks this again. It depends on the
 * graph alone: answers are kept for its life, and shared by all operations.
 */
import { typeOf } from '../../graph/graph.ts'
import type { Budget } from '../../budget.ts'
import type { TypeId } from '../../ids.ts'
import type { FieldGoal } from '../../operation/normalised.ts'
import type { Edge, Move, Node, SchemaView } from './query-graph.ts'
import {
  callOf,
  costOf,
  type EntityEntry,
  FETCH_COST,
  FIELD_COST,
  type Local,
  type Opened,
  type Visit,
  visitCost,
} from './solution.ts'
import type { Progress, SolverMemo } from './solver-memo.ts'

/** A field with `@requires`: its edge, and its coordinate for the printed plan. */
type Requiring = { readonly edge: Edge; readonly field: string }

/** A move that was not made yet; `missing` are the fields one of which must turn up before it is tried again. */
type Attempt = { readonly move: Move; missing: readonly string[] | null }

/** Answers the fields of a key and of `@requires` with the entries that are known so far. */
export type SolveInputs = (opened: readonly Opened[], object: TypeId, goals: readonly FieldGoal[]) => Local

export class EntryPoints {
  readonly #view: SchemaView
  readonly #memo: SolverMemo
  readonly #budget: Budget
  readonly #progress: Progress
  readonly #solveInputs: SolveInputs
  /** Searches in progress, with their numbers. */
  readonly #reaching = new Map<string, { readonly opened: readonly Opened[]; readonly search: number }>()
  readonly #requiring = new Map<string, number>()
  /** Calls that cannot be made as long as some search is not finished: by the number of that search. */
  readonly #hopeless = new Map<string, number>()
  readonly #again = new Map<string, readonly Opened[]>()

  constructor(
    view: SchemaView,
    memo: SolverMemo,
    budget: Budget,
    progress: Progress,
    solveInputs: SolveInputs,
  ) {
    this.#view = view
    this.#memo = memo
    this.#budget = budget
    this.#progress = progress
    this.#solveInputs = solveInputs
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
        call: callOf('root', sub, 1),
      }
      return { node: visit.node, visit, needs: new Set([visit]), cost: visitCost(visit) }
    })
  }

  /** Everything that can be entered from a source, cheapest first; the source itself is the first. */
  from(source: Node, object: TypeId): readonly Opened[] {
    const key = `${source.id}|${object}`
    const known = this.#memo.reached.get(key)
    if (known !== undefined) return known
    const unfinished = this.#reaching.get(key)
    if (unfinished !== undefined) {
      this.#progress.doubt(unfinished.search, false)
      return unfinished.opened
    }
    const opened: Opened[] = [{ node: source, visit: null, needs: new Set(), cost: 0 }]
    if (object === this.#view.graph.compiled.roots.query)
      opened.push(...this.roots(object).filter((root) => root.node.sub !== source.sub))
    this.#reaching.set(key, { opened, search: this.#progress.next })
    const { isFinal } = this.#progress.search(() => {
      const reached = new Set<Node>()
      let pending: readonly Attempt[] = this.#view
        .moves(object)
        .filter((move) => source.interfaceObject || !move.discovers)
        .map((move) => ({ move, missing: null }))
      for (let fresh: readonly Opened[] = opened; fresh.length > 0; ) {
        for (const { node } of fresh) reached.add(this.#view.entry(node))
        pending = pending.filter(({ move }) => !reached.has(move.to))
        fresh = this.#nextEntries(opened, object, fresh, pending)
        opened.push(...fresh)
      }
    })
    this.#reaching.delete(key)
    if (isFinal) {
      this.#memo.reached.set(key, opened)
      this.#memo.required.set(opened, new Map())
    }
    return opened
  }

  /** The same, and last the source itself, entered once more: where its objects have a key there. */
  again(source: Node, object: TypeId): readonly Opened[] {
    const key = `${source.id}|${object}`
    const known = this.#again.get(key)
    if (known !== undefined) return known
    const opened = this.from(source, object)
    const self = this.#cheapestEntry(opened, object, this.#view.entry(source), null)
    const all = self === null ? opened : [...opened, self]
    this.#again.set(key, all)
    if (self !== null) this.#memo.required.set(all, new Map())
    return all
  }

  /** An entity call of its own for a field with `@requires`, made when its inputs are at hand. */
  forRequires(
    opened: readonly Opened[],
    object: TypeId,
    node: Node,
    edge: Edge,
    name: string,
  ): Opened | null {
    const known = this.#memo.required.get(opened)
    const key = `${node.id}|${name}`
    const kept = known?.get(key)
    if (kept !== undefined) return kept
    const guard = `${node.type}|${node.sub}|${name}|${object}`
    const requiring = this.#requiring.get(guard)
    if (requiring !== undefined) {
      this.#progress.doubt(requiring, true)
      return null
    }
    const place = `${opened[0]?.node.id ?? ''}|${object}|${key}`
    const hopeless = this.#hopeless.get(place)
    if (hopeless !== undefined) {
      this.#progress.doubt(hopeless, true)
      return null
    }
    const search = this.#progress.next
    this.#requiring.set(guard, search)
    const field = `${typeOf(this.#view.graph, node.type).name}.${name}`
    const { result, isFinal, until, isStable } = this.#progress.search(() =>
      this.#cheapestEntry(opened, object, this.#view.entry(node), { edge, field }),
    )
    this.#requiring.delete(guard)
    for (const [other, number] of this.#hopeless) if (number >= search) this.#hopeless.delete(other)
    if (isFinal) known?.set(key, result)
    else if (result === null && isStable && known !== undefined) this.#hopeless.set(place, until)
    return result
  }

  /** A call of an interface object, be it the source, for objects that are known to be of the type. */
  typed(opened: readonly Opened[], object: TypeId, node: Node): Opened | null {
    const known = this.#memo.required.get(opened)
    const key = `${node.id}|`
    const kept = known?.get(key)
    if (kept !== undefined) return kept
    const target = this.#view.entry(node)
    const { result, isFinal } = this.#progress.part(() =>
      this.#cheapestEntry(opened, object, target, null, true),
    )
    if (isFinal) known?.set(key, result)
    return result
  }

  /**
   * What is open by way of the same subgraphs, but for one visit. Null if what waits for that one cannot be had from the
   * others.
   */
  without(
    opened: readonly Opened[],
    object: TypeId,
    visits: readonly Visit[],
    omitted: Visit,
  ): readonly Opened[] | null {
    const nodes = new Set(visits.map((visit) => visit.node))
    const isKept = ({ visit, node, needs }: Opened) =>
      visit === null || (nodes.has(node) && !needs.has(omitted))
    const open = opened.filter(isKept)
    this.#budget.step(1 + opened.length / 16)
    for (const entry of opened) {
      if (isKept(entry) || !nodes.has(entry.node) || entry.visit === omitted) continue
      const again = this.#cheapestEntry(open, object, entry.node, null)
      if (again === null) return null
      open.push(again)
    }
    return open
  }

  #cheapestEntry(
    opened: readonly Opened[],
    object: TypeId,
    target: Node,
    requiring: Requiring | null,
    isTyped = false,
  ): Opened | null {
    let best: Opened | null = null
    const moves = this.#view.moves(object)
    this.#budget.step(moves.length / 16)
    for (const move of moves) {
      if (move.to !== target || move.discovers) continue
      const way = this.#enter(opened, object, move, requiring, isTyped)
      if (way !== null && (best === null || way.cost < best.cost)) best = way
    }
    return best
  }

  /**
   * What can be entered now and cannot become cheaper: an entry through yet another one costs a whole fetch more. What
   * was not possible before is tried again only if one of the `fresh` entries has some of what was missing.
   */
  #nextEntries(
    opened: readonly Opened[],
    object: TypeId,
    fresh: readonly Opened[],
    pending: readonly Attempt[],
  ): readonly Opened[] {
    const best = new Map<Node, Opened>()
    this.#budget.step(pending.length / 16)
    for (const attempt of pending) {
      const { move, missing } = attempt
      if (missing !== null && !this.#hasAny(fresh, missing)) continue
      const { result: way, isFinal } = this.#progress.part(() => this.#enter(opened, object, move, null))
      attempt.missing = way === null && isFinal ? this.#missingNames(opened, object, move) : null
      const other = best.get(move.to)
      if (way !== null && (other === undefined || way.cost < other.cost)) best.set(move.to, way)
    }
    const ways = [...best.values()].sort((a, b) => a.cost - b.cost || a.node.sub - b.node.sub)
    return ways.filter((way) => way.cost < (ways[0]?.cost ?? 0) + FETCH_COST)
  }

  #hasAny(entries: readonly Opened[], names: readonly string[]): boolean {
    this.#budget.step((entries.length * names.length) / 16)
    return entries.some(({ node }) => names.some((name) => this.#view.edge(node, name) !== null))
  }

  /** Null where what is missing may come from elsewhere than from a field of its own name: one with `@requires`. */
  #missingNames(opened: readonly Opened[], object: TypeId, move: Move): readonly string[] | null {
    const names = this.#view.keyGoals.of(move.key.sel, object).map((goal) => goal.name)
    this.#budget.step((opened.length * names.length) / 16)
    const indirect = ({ node }: Opened) =>
      names.some((name) => (this.#view.edge(node, name)?.requires ?? null) !== null)
    return opened[0]?.node.interfaceObject === true || opened.some(indirect) ? null : names
  }

  #enter(
    opened: readonly Opened[],
    object: TypeId,
    move: Move,
    requiring: Requiring | null,
    isTyped = false,
  ): Opened | null {
    this.#budget.step()
    const untyped = opened[0]?.node.interfaceObject === true && opened[0].visit === null
    const discovery =
      untyped && (move.needsType || isTyped) ? opened.find((entry) => entry.visit?.entity?.discovers) : null
    if (discovery === undefined) return null
    const requires = requiring?.edge.requires ?? null
    const goals = this.#view.keyGoals.of(
      this.#view.keyGoals.joined(move.key.sel, requires?.sel ?? null),
      object,
    )
    const inputs = this.#solveInputs(opened, object, goals)
    if (inputs.residual.length > 0) return null
    const entity: EntityEntry = {
      key: move.key,
      repType: move.repType,
      requires,
      field: requiring?.field ?? null,
      discovers: move.discovers,
      typed: isTyped,
      discovery: discovery?.visit ?? null,
      inputs: inputs.picks,
    }
    const depth = 1 + Math.max(inputs.depth, discovery?.visit?.depth ?? 0)
    const call = callOf('entity', move.to.sub, depth)
    const visit: Visit = { id: this.#memo.visits++, kind: 'entity', node: move.to, entity, depth, call }
    const needs = new Set([...inputs.visits, ...(discovery?.needs ?? []), visit])
    const nested = inputs.picks.reduce((sum, pick) => sum + (pick.child?.cost ?? 0), 0)
    return { node: move.to, visit, needs, cost: costOf(needs) + nested + FIELD_COST * goals.length }
  }
}
