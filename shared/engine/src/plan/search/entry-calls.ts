/** Makes the calls that enter a node: root calls, and entity calls by a key. */
import type { Budget } from '../../work/planning-budget.ts'
import type { SubgraphId, TypeId } from '../../ids/ids.ts'
import type { FieldGoal } from '../../operation/normalise/normalised.ts'
import type { FieldEdge, KeyEdge, Node, QueryGraph } from '../../graph/moves/query-graph.ts'
import type { SearchMemo } from './search-memo.ts'
import {
  callCost,
  costOf,
  type EntityLookup,
  type EntryPoint,
  FIELD_COST,
  type ObjectSolution,
  type PossibleCall,
  requestNumber,
} from './solution.ts'

/** Answers the fields of a key and of `@requires` with the entries that are known so far. */
export type SolveInputs = (
  entries: readonly EntryPoint[],
  object: TypeId,
  goals: readonly FieldGoal[],
) => ObjectSolution

/** The purpose of a call that does more than enter a node by a key. */
export type CallPurpose = {
  /** The field whose `@requires` the call sends along with the key; null if it is made for no such field. */
  readonly requiring: { readonly edge: FieldEdge; readonly coordinate: string } | null
  /** The call is made only for objects that are known to be of the type, even if its key needs no type. */
  readonly isTyped: boolean
}

/** A call that enters a node by a key, for objects whose type need not be known. */
export const PLAIN_CALL: CallPurpose = { requiring: null, isTyped: false }

/** Makes the calls of one search. */
export class EntryCalls {
  readonly #queryGraph: QueryGraph
  readonly #memo: SearchMemo
  readonly #budget: Budget
  readonly #solveInputs: SolveInputs

  constructor(queryGraph: QueryGraph, memo: SearchMemo, budget: Budget, solveInputs: SolveInputs) {
    this.#queryGraph = queryGraph
    this.#memo = memo
    this.#budget = budget
    this.#solveInputs = solveInputs
  }

  /** The root call of a subgraph. */
  root(type: TypeId, sub: SubgraphId): EntryPoint {
    const node = this.#queryGraph.node(type, sub, null)
    const call: PossibleCall = {
      id: this.#memo.callCount++,
      kind: 'root',
      node,
      entity: null,
      depth: 1,
      request: requestNumber('root', sub, 1),
    }
    return { node, call, needs: new Set([call]), cost: callCost(call) }
  }

  /** The cheapest entity call that enters the target; null if no key of it can be had from the entries. */
  cheapest(
    entries: readonly EntryPoint[],
    object: TypeId,
    target: Node,
    purpose: CallPurpose = PLAIN_CALL,
  ): EntryPoint | null {
    let best: EntryPoint | null = null
    const keyEdges = this.#queryGraph.keyEdges(object)
    this.#budget.step(keyEdges.length / 16)
    for (const keyEdge of keyEdges) {
      if (keyEdge.to !== target || keyEdge.tellsType) continue
      const entry = this.byKey(entries, object, keyEdge, purpose)
      if (entry !== null && (best === null || entry.cost < best.cost)) best = entry
    }
    return best
  }

  /**
   * The entity call by one key; null if the key or what the field requires cannot be had from the entries.
   */
  byKey(
    entries: readonly EntryPoint[],
    object: TypeId,
    keyEdge: KeyEdge,
    { requiring, isTyped }: CallPurpose = PLAIN_CALL,
  ): EntryPoint | null {
    this.#budget.step()
    const typeEntry = keyEdge.needsType || isTyped ? typeEntryOf(entries) : null
    if (typeEntry === undefined) return null
    const { keyGoals } = this.#memo
    const requires = requiring?.edge.requires ?? null
    const goals = keyGoals.of(keyGoals.joined(keyEdge.key.fieldSet, requires?.fieldSet ?? null), object)
    const inputs = this.#solveInputs(entries, object, goals)
    if (inputs.unanswered.length > 0) return null
    const call = this.#entityCall(keyEdge.to, 1 + Math.max(inputs.depth, typeEntry?.call?.depth ?? 0), {
      key: keyEdge.key,
      representationType: keyEdge.representationType,
      requires,
      field: requiring?.coordinate ?? null,
      tellsType: keyEdge.tellsType,
      typed: isTyped,
      typeCall: typeEntry?.call ?? null,
      inputs: inputs.answers,
    })
    const needs = new Set([...inputs.calls, ...(typeEntry?.needs ?? []), call])
    const belowInputs = inputs.answers.reduce((sum, { child }) => sum + (child?.cost ?? 0), 0)
    return { node: keyEdge.to, call, needs, cost: costOf(needs) + belowInputs + FIELD_COST * goals.length }
  }

  #entityCall(node: Node, depth: number, entity: EntityLookup): PossibleCall {
    const request = requestNumber('entity', node.sub, depth)
    return { id: this.#memo.callCount++, kind: 'entity', node, entity, depth, request }
  }
}

/**
 * The entry whose call tells the types of the objects. Null if the types are known, because the objects do
 * not come from an interface object; undefined if nobody tells them.
 */
function typeEntryOf(entries: readonly EntryPoint[]): EntryPoint | null | undefined {
  const [source] = entries
  if (source?.node.interfaceObject !== true || source.call !== null) return null
  return entries.find((entry) => entry.call?.entity?.tellsType)
}
