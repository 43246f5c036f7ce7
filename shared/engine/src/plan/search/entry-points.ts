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
import type { Budget } from '../../work/planning-budget.ts'
import type { TypeId } from '../../ids/ids.ts'
import { EntryCalls, type SolveInputs } from './entry-calls.ts'
import type { FieldEdge, KeyEdge, Node, QueryGraph } from '../../graph/moves/query-graph.ts'
import { type EntryPoint, FETCH_COST, type PossibleCall } from './solution.ts'
import type { UnfinishedSearches, SearchMemo } from './search-memo.ts'

/**
 * A key edge that could not be used so far. It is tried again once an entry has one of the `missing` fields,
 * or with every new entry if `missing` is null.
 */
type PendingKeyEdge = { readonly keyEdge: KeyEdge; missing: readonly string[] | null }

/** Finds the nodes that can be entered, and the cheapest calls that enter them. */
export class EntryPoints {
  readonly #queryGraph: QueryGraph
  readonly #memo: SearchMemo
  readonly #budget: Budget
  readonly #progress: UnfinishedSearches
  readonly #calls: EntryCalls
  /** Unfinished runs of `from`, by source and object type: what they found so far, and their numbers. */
  readonly #unfinished = new Map<
    string,
    { readonly entries: readonly EntryPoint[]; readonly search: number }
  >()
  /** The numbers of unfinished searches for the inputs of a field with `@requires`, by field. */
  readonly #requiring = new Map<string, number>()
  /** Calls that cannot be made before an enclosing search is finished, with the number of that search. */
  readonly #blocked = new Map<string, number>()
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
    this.#calls = new EntryCalls(queryGraph, memo, budget, solveInputs)
  }

  /** Root calls of every subgraph that has the root type. */
  roots(root: TypeId): readonly EntryPoint[] {
    return typeOf(this.#queryGraph.graph, root).presence.map(({ sub }) => this.#calls.root(root, sub))
  }

  /** Everything that can be entered from a source, cheapest first; the source itself is the first. */
  from(source: Node, object: TypeId): readonly EntryPoint[] {
    const key = `${source.id}|${object}`
    const known = this.#memo.entryPoints.get(key)
    if (known !== undefined) return known
    const unfinished = this.#unfinished.get(key)
    if (unfinished !== undefined) {
      this.#progress.doubt(unfinished.search, false)
      return unfinished.entries
    }
    const entries: EntryPoint[] = [{ node: source, call: null, needs: new Set(), cost: 0 }]
    if (object === this.#queryGraph.graph.compiled.roots.query)
      entries.push(...this.roots(object).filter((root) => root.node.sub !== source.sub))
    this.#unfinished.set(key, { entries, search: this.#progress.next })
    const { isFinal } = this.#progress.search(() => {
      const reached = new Set<Node>()
      let pending: readonly PendingKeyEdge[] = this.#queryGraph
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
    this.#unfinished.delete(key)
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
    const self = this.#calls.cheapest(entries, object, this.#queryGraph.entry(source))
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
    const blockedUntil = this.#blocked.get(place)
    if (blockedUntil !== undefined) {
      this.#progress.doubt(blockedUntil, true)
      return null
    }
    const search = this.#progress.next
    this.#requiring.set(guard, search)
    const coordinate = `${typeOf(this.#queryGraph.graph, node.type).name}.${name}`
    const { result, isFinal, until, isStable } = this.#progress.search(() =>
      this.#calls.cheapest(entries, object, this.#queryGraph.entry(node), {
        requiring: { edge, coordinate },
        isTyped: false,
      }),
    )
    this.#requiring.delete(guard)
    for (const [other, number] of this.#blocked) if (number >= search) this.#blocked.delete(other)
    if (isFinal) known?.set(key, result)
    else if (result === null && isStable && known !== undefined) this.#blocked.set(place, until)
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
      this.#calls.cheapest(entries, object, target, { requiring: null, isTyped: true }),
    )
    if (isFinal) known?.set(key, result)
    return result
  }

  /**
   * The entries that the calls use, without the entry of the omitted call. An entry that depends on the
   * omitted call gets another call; null if there is none.
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
      const again = this.#calls.cheapest(open, object, entry.node)
      if (again === null) return null
      open.push(again)
    }
    return open
  }

  /**
   * The nodes that can be entered now and that no later entry makes cheaper: a later entry takes one more
   * fetch at least. `fresh` are the entries that were found last.
   */
  #nextEntries(
    entries: readonly EntryPoint[],
    object: TypeId,
    fresh: readonly EntryPoint[],
    pending: readonly PendingKeyEdge[],
  ): readonly EntryPoint[] {
    const best = new Map<Node, EntryPoint>()
    this.#budget.step(pending.length / 16)
    for (const waiting of pending) {
      const { keyEdge, missing } = waiting
      if (missing !== null && !this.#hasAny(fresh, missing)) continue
      const { result: entry, isFinal } = this.#progress.part(() =>
        this.#calls.byKey(entries, object, keyEdge),
      )
      waiting.missing = entry === null && isFinal ? this.#missingNames(entries, object, keyEdge) : null
      const other = best.get(keyEdge.to)
      if (entry !== null && (other === undefined || entry.cost < other.cost)) best.set(keyEdge.to, entry)
    }
    const found = [...best.values()].sort((a, b) => a.cost - b.cost || a.node.sub - b.node.sub)
    return found.filter((entry) => entry.cost < (found[0]?.cost ?? 0) + FETCH_COST)
  }

  #hasAny(entries: readonly EntryPoint[], names: readonly string[]): boolean {
    this.#budget.step((entries.length * names.length) / 16)
    return entries.some(({ node }) => names.some((name) => this.#queryGraph.edge(node, name) !== null))
  }

  /**
   * The fields of a key that could not be had: a new entry helps only if it has one of them. Null if an entry
   * has one of the fields with `@requires`, or if the source is an interface object: then any entry may help.
   */
  #missingNames(entries: readonly EntryPoint[], object: TypeId, keyEdge: KeyEdge): readonly string[] | null {
    const names = this.#memo.keyGoals.of(keyEdge.key.fieldSet, object).map((goal) => goal.name)
    this.#budget.step((entries.length * names.length) / 16)
    const isRequiring = ({ node }: EntryPoint) =>
      names.some((name) => (this.#queryGraph.edge(node, name)?.requires ?? null) !== null)
    return entries[0]?.node.interfaceObject === true || entries.some(isRequiring) ? null : names
  }
}
