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
import type { ObjectSolution, EntryPoint, Visit } from './solution.ts'

/** The call that may be needless, the call that waits for it, and one that may take its place. */
const MIN_VISITS = 3

/**
 * Entries that can be reached without one of the calls; null if one of them cannot. See
 * `EntryPoints.without`.
 */
export type EntriesWithout = (
  entries: readonly EntryPoint[],
  object: TypeId,
  visits: readonly Visit[],
  omitted: Visit,
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
  if (best.visits.length < MIN_VISITS) return best
  const tried = new Set<Node>()
  for (;;) {
    const visit = replaceableCalls(queryGraph, budget, entries, object, best).find(
      ({ node }) => !tried.has(node),
    )
    if (visit === undefined) return best
    tried.add(visit.node)
    const others = entriesWithout(entries, object, best.visits, visit)
    if (others === null) continue
    const solution = solve(others)
    if (missingOf(solution) <= missingOf(best) && solution.cost < best.cost) best = solution
  }
}

/**
 * Visits that other visits wait for, and that may be needless: every field taken from them, or another key of
 * the waiting visit, is known to another entry. Only names of fields are compared, so this is a guess that
 * `solve` checks.
 */
function replaceableCalls(
  queryGraph: QueryGraph,
  budget: Budget,
  entries: readonly EntryPoint[],
  object: TypeId,
  { visits }: ObjectSolution,
): readonly Visit[] {
  const nodes = new Set(visits.map(({ node }) => node))
  const used = entries.filter(({ node, visit }) => visit === null || nodes.has(node))
  budget.step(entries.length / 64)
  const knowing = new Map<string, readonly EntryPoint[]>()
  /** Whether an entry has the field that is neither the omitted one nor waits for the visit itself. */
  const isKnown = (name: string, to: Visit, omitted: Visit): boolean => {
    let known = knowing.get(name)
    if (known === undefined) {
      budget.step(used.length / 64)
      known = used.filter(({ node }) => queryGraph.edge(node, name) !== null)
      knowing.set(name, known)
    }
    return known.some(({ node, needs }) => node !== to.node && node !== omitted.node && !needs.has(to))
  }
  const candidates = new Map<Visit, boolean>()
  for (const awaiting of visits) {
    const { node, entity } = awaiting
    if (entity === null) continue
    if (entity.discovery !== null && !candidates.has(entity.discovery)) candidates.set(entity.discovery, true)
    for (const { visit, goal } of entity.inputs) {
      if (visit === null || candidates.get(visit) === false) continue
      const isOpen =
        isKnown(goal.name, awaiting, visit) ||
        queryGraph
          .keyEdges(object)
          .some(
            ({ to, key }) =>
              to === node &&
              key.text !== entity.key.text &&
              queryGraph.keyGoals.of(key.sel, object).every(({ name }) => isKnown(name, awaiting, visit)),
          )
      candidates.set(visit, isOpen)
    }
  }
  return visits.filter((visit) => candidates.get(visit) === true)
}

function missingOf({ unanswered }: ObjectSolution): number {
  return unanswered.reduce((sum, goal) => sum + (goal.kind === 'field' ? wantedLeaves(goal) : 1), 0)
}
