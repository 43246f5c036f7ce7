/**
 * Finds out which nodes can be entered from a node, and by which calls.
 *
 * A subgraph is entered by a key. The fields of the key must be fetched first, perhaps from yet another
 * subgraph: they are goals like those of the client, and are answered by the same search. For example, from
 * `Product` in subgraph A by the key `id` into B, whose `Product` has `sku`, and by the key `sku` into C:
 *
 *     A ──key "id"──▶ B ──key "sku"──▶ C
 *
 * The answer depends on the graph alone, so it is kept for the life of the graph and shared by all
 * operations.
 */
import { typeOf } from '../../graph/graph.ts'
import type { Budget } from '../../budget.ts'
import type { TypeId } from '../../ids.ts'
import type { FieldGoal } from '../../operation/normalised.ts'
import type { FieldEdge, KeyEdge, Node, QueryGraph } from './query-graph.ts'
import {
  requestNumber,
  costOf,
  type EntityLookup,
  FETCH_COST,
  FIELD_COST,
  type ObjectSolution,
  type EntryPoint,
  type PossibleCall,
  callCost,
} from './solution.ts'
import type { UnfinishedSearches, SearchMemo } from './search-memo.ts'

/** A field with `@requires`: its edge, and its coordinate for the printed plan. */
type Requiring = { readonly edge: FieldEdge; readonly field: string }

/** A key edge that cannot be used yet. It is tried again once an entry has one of the `missing` fields. */
type Attempt = { readonly keyEdge: KeyEdge; missing: readonly string[] | null }

/** Answers the fields of a key and of `@requires` with the entries that are known so far. */
export type SolveInputs = (
  entries: readonly EntryPoint[],
  object: TypeId,
  goals: readonly FieldGoal[],
) => ObjectSolution

/** Finds the nodes that can be entered, and the cheapest calls that enter them. */
export class EntryPoints {
  readonly #queryGraph: QueryGraph
  readonly #memo: SearchMemo
  readonly #budget: Budget
  readonly #progress: UnfinishedSearches
  readonly #solveInputs: SolveInputs
  /** Unfinished searches, by their question: what they have found so far, and their numbers. */
  readonly #reaching = new Map<string, { readonly entries: readonly EntryPoint[]; readonly search: number }>()
  readonly #requiring = new Map<string, number>()
  /** Calls that cannot be made before an enclosing search is finished, with the number of that search. */
  readonly #hopeless = new Map<string, number>()
  readonly #again = new Map<string, readonly EntryPoint[]>()

  constructor(
    queryGraph: QueryGraph,
    memo: SearchMemo,
    budget: Budget,
    progress: UnfinishedSearches,
    solveInputs: SolveInputs,
  ) {
    this.#queryGraph = queryGraph
    this.#memo = memo
    this.#budget = budget
    this.#progress = progress
    this.#solveInputs = solveInputs
  }

  /** Root calls of every subgraph that has the root type. */
  roots(root: TypeId): readonly EntryPoint[] {
    return typeOf(this.#queryGraph.graph, root).presence.map(({ sub }) => {
      const call: PossibleCall = {
        id: this.#memo.callCount++,
        kind: 'root',
        node: this.#queryGraph.node(root, sub, null),
        entity: null,
        depth: 1,
        request: requestNumber('root', sub, 1),
      }
      return { node: call.node, call, needs: new Set([call]), cost: callCost(call) }
    })
  }

  /** Everything that can be entered from a source, cheapest first; the source itself is the first. */
  from(source: Node, object: TypeId): readonly EntryPoint[] {
    const key = `${source.id}|${object}`
    const known = this.#memo.entryPoints.get(key)
    if (known !== undefined) return known
    const unfinished = this.#reaching.get(key)
    if (unfinished !== undefined) {
      this.#progress.doubt(unfinished.search, false)
      return unfinished.entries
    }
    const entries: EntryPoint[] = [{ node: source, call: null, needs: new Set(), cost: 0 }]
    if (object === this.#queryGraph.graph.compiled.roots.query)
      entries.push(...this.roots(object).filter((root) => root.node.sub !== source.sub))
    this.#reaching.set(key, { entries, search: this.#progress.next })
    const { isFinal } = this.#progress.search(() => {
      const reached = new Set<Node>()
      let pending: readonly Attempt[] = this.#queryGraph
        .keyEdges(object)
        .filter((keyEdge) => source.interfaceObject || !keyEdge.tellsType)
        .map((keyEdge) => ({ keyEdge, missing: null }))
      for (let fresh: readonly EntryPoint[] = entries; fresh.length > 0; ) {
        for (const { node } of fresh) reached.add(this.#queryGraph.entry(node))
        pending = pending.filter(({ keyEdge }) => !reached.has(keyEdge.to))
        fresh = this.#nextEntries(entries, object, fresh, pending)
        entries.push(...fresh)
      }
    })
    this.#reaching.delete(key)
    if (isFinal) {
      this.#memo.entryPoints.set(key, entries)
      this.#memo.entriesForFields.set(entries, new Map())
    }
    return entries
  }

  /** The entries of `from`, and the source itself entered once more if its objects have a key there. */
  again(source: Node, object: TypeId): readonly EntryPoint[] {
    const key = `${source.id}|${object}`
    const known = this.#again.get(key)
    if (known !== undefined) return known
    const entries = this.from(source, object)
    const self = this.#cheapestEntry(entries, object, this.#queryGraph.entry(source), null)
    const all = self === null ? entries : [...entries, self]
    this.#again.set(key, all)
    if (self !== null) this.#memo.entriesForFields.set(all, new Map())
    return all
  }

  /** An entity call of its own for a field with `@requires`, made when its inputs are at hand. */
  forRequires(
    entries: readonly EntryPoint[],
    object: TypeId,
    node: Node,
    edge: FieldEdge,
    name: string,
  ): EntryPoint | null {
    const known = this.#memo.entriesForFields.get(entries)
    const key = `${node.id}|${name}`
    const kept = known?.get(key)
    if (kept !== undefined) return kept
    const guard = `${node.type}|${node.sub}|${name}|${object}`
    const requiring = this.#requiring.get(guard)
    if (requiring !== undefined) {
      this.#progress.doubt(requiring, true)
      return null
    }
    const place = `${entries[0]?.node.id ?? ''}|${object}|${key}`
    const hopeless = this.#hopeless.get(place)
    if (hopeless !== undefined) {
      this.#progress.doubt(hopeless, true)
      return null
    }
    const search = this.#progress.next
    this.#requiring.set(guard, search)
    const field = `${typeOf(this.#queryGraph.graph, node.type).name}.${name}`
    const { result, isFinal, until, isStable } = this.#progress.search(() =>
      this.#cheapestEntry(entries, object, this.#queryGraph.entry(node), { edge, field }),
    )
    this.#requiring.delete(guard)
    for (const [other, number] of this.#hopeless) if (number >= search) this.#hopeless.delete(other)
    if (isFinal) known?.set(key, result)
    else if (result === null && isStable && known !== undefined) this.#hopeless.set(place, until)
    return result
  }

  /** A call of an interface object, perhaps of the source itself, made only for objects of a known type. */
  typed(entries: readonly EntryPoint[], object: TypeId, node: Node): EntryPoint | null {
    const known = this.#memo.entriesForFields.get(entries)
    const key = `${node.id}|`
    const kept = known?.get(key)
    if (kept !== undefined) return kept
    const target = this.#queryGraph.entry(node)
    const { result, isFinal } = this.#progress.part(() =>
      this.#cheapestEntry(entries, object, target, null, true),
    )
    if (isFinal) known?.set(key, result)
    return result
  }

  /**
   * The entries that the calls use, without one of these calls. An entry that depends on the omitted call
   * is reached in another way; null if one of them cannot be.
   */
  without(
    entries: readonly EntryPoint[],
    object: TypeId,
    calls: readonly PossibleCall[],
    omitted: PossibleCall,
  ): readonly EntryPoint[] | null {
    const nodes = new Set(calls.map((call) => call.node))
    const isKept = ({ call, node, needs }: EntryPoint) =>
      call === null || (nodes.has(node) && !needs.has(omitted))
    const open = entries.filter(isKept)
    this.#budget.step(1 + entries.length / 16)
    for (const entry of entries) {
      if (isKept(entry) || !nodes.has(entry.node) || entry.call === omitted) continue
      const again = this.#cheapestEntry(open, object, entry.node, null)
      if (again === null) return null
      open.push(again)
    }
    return open
  }

  #cheapestEntry(
    entries: readonly EntryPoint[],
    object: TypeId,
    target: Node,
    requiring: Requiring | null,
    isTyped = false,
  ): EntryPoint | null {
    let best: EntryPoint | null = null
    const keyEdges = this.#queryGraph.keyEdges(object)
    this.#budget.step(keyEdges.length / 16)
    for (const keyEdge of keyEdges) {
      if (keyEdge.to !== target || keyEdge.tellsType) continue
      const way = this.#enter(entries, object, keyEdge, requiring, isTyped)
      if (way !== null && (best === null || way.cost < best.cost)) best = way
    }
    return best
  }

  /**
   * The nodes that can be entered now and that no later entry makes cheaper, since a way through one more
   * subgraph costs a whole fetch more. A key edge that could not be used before is tried again only if one of
   * the `fresh` entries has one of the fields that were missing.
   */
  #nextEntries(
    entries: readonly EntryPoint[],
    object: TypeId,
    fresh: readonly EntryPoint[],
    pending: readonly Attempt[],
  ): readonly EntryPoint[] {
    const best = new Map<Node, EntryPoint>()
    this.#budget.step(pending.length / 16)
    for (const attempt of pending) {
      const { keyEdge, missing } = attempt
      if (missing !== null && !this.#hasAny(fresh, missing)) continue
      const { result: way, isFinal } = this.#progress.part(() => this.#enter(entries, object, keyEdge, null))
      attempt.missing = way === null && isFinal ? this.#missingNames(entries, object, keyEdge) : null
      const other = best.get(keyEdge.to)
      if (way !== null && (other === undefined || way.cost < other.cost)) best.set(keyEdge.to, way)
    }
    const ways = [...best.values()].sort((a, b) => a.cost - b.cost || a.node.sub - b.node.sub)
    return ways.filter((way) => way.cost < (ways[0]?.cost ?? 0) + FETCH_COST)
  }

  #hasAny(entries: readonly EntryPoint[], names: readonly string[]): boolean {
    this.#budget.step((entries.length * names.length) / 16)
    return entries.some(({ node }) => names.some((name) => this.#queryGraph.edge(node, name) !== null))
  }

  /**
   * Null if the fields may also turn up through `@requires` or an interface object: then names alone tell
   * nothing.
   */
  #missingNames(entries: readonly EntryPoint[], object: TypeId, keyEdge: KeyEdge): readonly string[] | null {
    const names = this.#queryGraph.keyGoals.of(keyEdge.key.fieldSet, object).map((goal) => goal.name)
    this.#budget.step((entries.length * names.length) / 16)
    const indirect = ({ node }: EntryPoint) =>
      names.some((name) => (this.#queryGraph.edge(node, name)?.requires ?? null) !== null)
    return entries[0]?.node.interfaceObject === true || entries.some(indirect) ? null : names
  }

  #enter(
    entries: readonly EntryPoint[],
    object: TypeId,
    keyEdge: KeyEdge,
    requiring: Requiring | null,
    isTyped = false,
  ): EntryPoint | null {
    this.#budget.step()
    const untyped = entries[0]?.node.interfaceObject === true && entries[0].call === null
    const typeEntry =
      untyped && (keyEdge.needsType || isTyped)
        ? entries.find((entry) => entry.call?.entity?.tellsType)
        : null
    if (typeEntry === undefined) return null
    const requires = requiring?.edge.requires ?? null
    const goals = this.#queryGraph.keyGoals.of(
      this.#queryGraph.keyGoals.joined(keyEdge.key.fieldSet, requires?.fieldSet ?? null),
      object,
    )
    const inputs = this.#solveInputs(entries, object, goals)
    if (inputs.unanswered.length > 0) return null
    const entity: EntityLookup = {
      key: keyEdge.key,
      representationType: keyEdge.representationType,
      requires,
      field: requiring?.field ?? null,
      tellsType: keyEdge.tellsType,
      typed: isTyped,
      typeCall: typeEntry?.call ?? null,
      inputs: inputs.answers,
    }
    const depth = 1 + Math.max(inputs.depth, typeEntry?.call?.depth ?? 0)
    const call = requestNumber('entity', keyEdge.to.sub, depth)
    const enteringCall: PossibleCall = {
      id: this.#memo.callCount++,
      kind: 'entity',
      node: keyEdge.to,
      entity,
      depth,
      request: call,
    }
    const needs = new Set([...inputs.calls, ...(typeEntry?.needs ?? []), enteringCall])
    const nested = inputs.answers.reduce((sum, answer) => sum + (answer.child?.cost ?? 0), 0)
    return {
      node: keyEdge.to,
      call: enteringCall,
      needs,
      cost: costOf(needs) + nested + FIELD_COST * goals.length,
    }
  }
}
