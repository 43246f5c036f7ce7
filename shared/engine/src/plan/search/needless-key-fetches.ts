/**
 * Stopovers that turn out to be needless.
 *
 * A way to a subgraph is the cheapest by itself. What else is asked at the place may give its key as well, and make a visit
 * on that way superfluous: each is left out once, to see what the others come to.
 */
import type { Budget } from '../../budget.ts'
import type { TypeId } from '../../ids.ts'
import { wantedLeaves } from './unanswered.ts'
import type { Node, QueryGraph } from './query-graph.ts'
import type { ObjectSolution, EntryPoint, Visit } from './solution.ts'

/** A stopover, what it leads to, and one more visit that may take its place. */
const MIN_VISITS = 3

/** Entries that can be reached without one of the calls; null if one of them cannot. See `EntryPoints.without`. */
export type EntriesWithout = (
  entries: readonly EntryPoint[],
  object: TypeId,
  visits: readonly Visit[],
  omitted: Visit,
) => readonly EntryPoint[] | null

/** `solve` answers the same goals from what is open. */
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
 * Visits that others wait for and, by the names of fields alone, need not: all that is taken from them is known elsewhere,
 * or another key is.
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
  /** By one that does not itself wait for the visit. */
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
