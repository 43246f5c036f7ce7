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
import type { Budget } from '../../work/planning-budget.ts'
import type { TypeId } from '../../ids/ids.ts'
import { wantedLeaves } from './unanswered.ts'
import type { Node } from '../../graph/moves/query-graph.ts'
import type { LearnedFacts } from './learned-facts.ts'
import type { ObjectSolution, EntryPoint, PossibleCall } from './solution.ts'

/** The call that may be needless, the call that waits for it, and one that may take its place. */
const MIN_CALLS = 3

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
  facts: LearnedFacts,
  entriesWithout: EntriesWithout,
  budget: Budget,
  entries: readonly EntryPoint[],
  object: TypeId,
  solve: (entries: readonly EntryPoint[]) => ObjectSolution,
): ObjectSolution {
  let best = solve(entries)
  if (best.calls.length < MIN_CALLS) return best
  const tried = new Set<Node>()
  for (;;) {
    const call = replaceableCalls(facts, budget, entries, object, best).find(({ node }) => !tried.has(node))
    if (call === undefined) return best
    tried.add(call.node)
    const others = entriesWithout(entries, object, best.calls, call)
    if (others === null) continue
    const solution = solve(others)
    if (missingOf(solution) <= missingOf(best) && solution.cost < best.cost) best = solution
  }
}

/**
 * Calls that other calls wait for, and that may be needless: every field that is taken from them is known to
 * another entry, or another key of the waiting call is. Only names of fields are compared, so this is a
 * guess, which `solve` checks.
 */
function replaceableCalls(
  facts: LearnedFacts,
  budget: Budget,
  entries: readonly EntryPoint[],
  object: TypeId,
  { calls }: ObjectSolution,
): readonly PossibleCall[] {
  const nodes = new Set(calls.map(({ node }) => node))
  const used = entries.filter(({ node, call }) => call === null || nodes.has(node))
  budget.step(entries.length / 64)
  const known = new KnownFields(facts, budget, used)
  const mayBeNeedless = new Map<PossibleCall, boolean>()
  for (const waiting of calls) {
    const { entity } = waiting
    if (entity === null) continue
    if (entity.typeCall !== null && !mayBeNeedless.has(entity.typeCall))
      mayBeNeedless.set(entity.typeCall, true)
    for (const { call, goal } of entity.inputs) {
      if (call === null || mayBeNeedless.get(call) === false) continue
      const isReplaceable =
        known.has(goal.name, waiting, call) || known.hasOtherKey(entity.key.text, object, waiting, call)
      mayBeNeedless.set(call, isReplaceable)
    }
  }
  return calls.filter((call) => mayBeNeedless.get(call) === true)
}

/** Which fields some entries have. */
class KnownFields {
  readonly #facts: LearnedFacts
  readonly #budget: Budget
  readonly #entries: readonly EntryPoint[]
  readonly #entriesByField = new Map<string, readonly EntryPoint[]>()

  constructor(facts: LearnedFacts, budget: Budget, entries: readonly EntryPoint[]) {
    this.#facts = facts
    this.#budget = budget
    this.#entries = entries
  }

  /** Whether an entry has the field that neither is the omitted call's nor waits for the waiting call. */
  has(name: string, waiting: PossibleCall, omitted: PossibleCall): boolean {
    let entries = this.#entriesByField.get(name)
    if (entries === undefined) {
      this.#budget.step(this.#entries.length / 64)
      entries = this.#entries.filter(({ node }) => this.#facts.queryGraph.edge(node, name) !== null)
      this.#entriesByField.set(name, entries)
    }
    return entries.some(
      ({ node, needs }) => node !== waiting.node && node !== omitted.node && !needs.has(waiting),
    )
  }

  /** Whether the waiting call could use another key than this one, all of whose fields are known. */
  hasOtherKey(keyText: string, object: TypeId, waiting: PossibleCall, omitted: PossibleCall): boolean {
    const { queryGraph, memo } = this.#facts
    return queryGraph
      .keyEdges(object)
      .some(
        ({ to, key }) =>
          to === waiting.node &&
          key.text !== keyText &&
          memo.keyGoals.of(key.fieldSet, object).every(({ name }) => this.has(name, waiting, omitted)),
      )
  }
}

function missingOf({ unanswered }: ObjectSolution): number {
  return unanswered.reduce((sum, goal) => sum + (goal.kind === 'field' ? wantedLeaves(goal) : 1), 0)
}
