/**
 * Leaves out calls whose only use is to provide a key that another call of the solution provides anyway.
 *
 * Each entry point is reached in the way that is cheapest by itself. Say C needs the key `sku`, the cheapest
 * way to `sku` is a call of B, and the solution asks D for another field. If D has `sku` as well, the call of
 * B is needless:
 *
 *     A ──▶ B ──sku──▶ C                A ──▶ D ──sku──▶ C
 *     A ──▶ D                 becomes
 *
 * So each such call is left out once, and the goals are solved again without it; the cheaper solution is
 * kept.
 */
import type { Budget } from '../../budget.ts'
import type { TypeId } from '../../ids.ts'
import { wantedLeaves } from './unanswered.ts'
import type { Node, QueryGraph } from './query-graph.ts'
import type { ObjectSolution, EntryPoint, PossibleCall } from './solution.ts'

/** The call that may be needless, the call that waits for it, and one that may take its place. */
const MIN_VISITS = 3

/**
 * Entries that can be reached without one of the calls; null if one of them cannot. See
 * `EntryPoints.without`.
 */
export type EntriesWithout = (
  entries: readonly EntryPoint[],
  object: TypeId,
  calls: readonly PossibleCall[],
  omitted: PossibleCall,
) => readonly EntryPoint[] | null

/** `solve` answers the same goals with the entries it is given. */
export function withoutNeedlessKeyFetches(
  queryGraph: QueryGraph,
  entriesWithout: EntriesWithout,
  budget: Budget,
  entries: readonly EntryPoint[],
  object: TypeId,
  solve: (entries: readonly EntryPoint[]) => ObjectSolution,
): ObjectSolution {
  let best = solve(entries)
  if (best.calls.length < MIN_VISITS) return best
  const tried = new Set<Node>()
  for (;;) {
    const call = replaceableCalls(queryGraph, budget, entries, object, best).find(
      ({ node }) => !tried.has(node),
    )
    if (call === undefined) return best
    tried.add(call.node)
    const others = entriesWithout(entries, object, best.calls, call)
    if (others === null) continue
    const solution = solve(others)
    if (missingOf(solution) <= missingOf(best) && solution.cost < best.cost) best = solution
  }
}

/**
 * Calls that other calls wait for, and that may be needless: every field taken from them, or another key of
 * the waiting call, is known to another entry. Only names of fields are compared, so this is a guess that
 * `solve` checks.
 */
function replaceableCalls(
  queryGraph: QueryGraph,
  budget: Budget,
  entries: readonly EntryPoint[],
  object: TypeId,
  { calls }: ObjectSolution,
): readonly PossibleCall[] {
  const nodes = new Set(calls.map(({ node }) => node))
  const used = entries.filter(({ node, call }) => call === null || nodes.has(node))
  budget.step(entries.length / 64)
  const knowing = new Map<string, readonly EntryPoint[]>()
  /** Whether an entry has the field that is neither the omitted one nor waits for the call itself. */
  const isKnown = (name: string, to: PossibleCall, omitted: PossibleCall): boolean => {
    let known = knowing.get(name)
    if (known === undefined) {
      budget.step(used.length / 64)
      known = used.filter(({ node }) => queryGraph.edge(node, name) !== null)
      knowing.set(name, known)
    }
    return known.some(({ node, needs }) => node !== to.node && node !== omitted.node && !needs.has(to))
  }
  const candidates = new Map<PossibleCall, boolean>()
  for (const awaiting of calls) {
    const { node, entity } = awaiting
    if (entity === null) continue
    if (entity.typeCall !== null && !candidates.has(entity.typeCall)) candidates.set(entity.typeCall, true)
    for (const { call, goal } of entity.inputs) {
      if (call === null || candidates.get(call) === false) continue
      const isOpen =
        isKnown(goal.name, awaiting, call) ||
        queryGraph
          .keyEdges(object)
          .some(
            ({ to, key }) =>
              to === node &&
              key.text !== entity.key.text &&
              queryGraph.keyGoals.of(key.fieldSet, object).every(({ name }) => isKnown(name, awaiting, call)),
          )
      candidates.set(call, isOpen)
    }
  }
  return calls.filter((call) => candidates.get(call) === true)
}

function missingOf({ unanswered }: ObjectSolution): number {
  return unanswered.reduce((sum, goal) => sum + (goal.kind === 'field' ? wantedLeaves(goal) : 1), 0)
}
