/**
 * Decides at which level each call is made. Calls of one subgraph at one level become one request.
 *
 * A call is postponed only to a level at which its subgraph is called anyway, and only if the plan gets
 * cheaper by the cost function: a request costs as much as ten levels. A call that nothing on the longest
 * chain waits for has slack: it may be made later without the response being later. Other calls are postponed
 * only where few requests are preferred to a short chain.
 */
import type { Budget } from '../../work/planning-budget.ts'
import type { Dependencies } from './dependencies.ts'
import type { DraftCall } from './draft.ts'
import { type GroupId, INITIAL_GROUP } from '../../ids/ids.ts'
import type { PlanPreference } from '../contract/plan.ts'
import { FETCH_COST, STAGE_COST } from '../search/solution.ts'

/** Nothing is postponed in a plan of more calls, because the search is quadratic. */
const MAX_CALLS = 240

/** The level of each call: 0 if it waits for none, else more than the levels of all it waits for. */
export function scheduleCalls(
  dependencies: Dependencies,
  prefer: PlanPreference,
  budget: Budget,
): ReadonlyMap<DraftCall, number> {
  const calls = [...dependencies.keys()]
  // Nothing that is delivered earlier is made later for the sake of what is delivered later.
  const mayLengthen = prefer === 'load' && calls.every(({ group }) => group === INITIAL_GROUP)
  const notBefore = new Map<DraftCall, number>()
  let levels = earliest(dependencies, notBefore)
  if (calls.length > MAX_CALLS || calls.some((call) => call.barrier > 0)) return levels
  const waiting = waitingCalls(dependencies, budget)
  // First what costs no time, so that the plan is never dearer than one whose chain must stay short.
  for (const mayBeLater of mayLengthen ? [false, true] : [false])
    for (;;) {
      const postponed = profitablePostponement(
        { dependencies, waiting, mayBeLater },
        notBefore,
        levels,
        budget,
      )
      if (postponed === null) break
      for (const call of postponed.calls) notBefore.set(call, postponed.level)
      levels = earliest(dependencies, notBefore)
    }
  return levels
}

/** The earliest level of each call, given that some must not be made before a certain level. */
function earliest(
  dependencies: Dependencies,
  notBefore: ReadonlyMap<DraftCall, number> = new Map(),
): ReadonlyMap<DraftCall, number> {
  const levels = new Map<DraftCall, number>()
  const levelOf = (call: DraftCall): number => {
    const known = levels.get(call)
    if (known !== undefined) return known
    let level = notBefore.get(call) ?? 0
    for (const other of dependencies.get(call) ?? []) level = Math.max(level, levelOf(other) + 1)
    levels.set(call, level)
    return level
  }
  for (const call of dependencies.keys()) levelOf(call)
  return levels
}

/** The facts that levels of calls are decided by. */
type Schedule = {
  readonly dependencies: Dependencies
  /** The calls that wait for each call, directly or not. */
  readonly waiting: Dependencies
  /** The response may be later if the plan is cheaper. */
  readonly mayBeLater: boolean
}

/** The calls that wait for each call, directly or not. */
function waitingCalls(dependencies: Dependencies, budget: Budget): Dependencies {
  const before = new Map<DraftCall, ReadonlySet<DraftCall>>()
  const allBefore = (call: DraftCall): ReadonlySet<DraftCall> => {
    const known = before.get(call)
    if (known !== undefined) return known
    const own = dependencies.get(call) ?? []
    const all = new Set([...own].flatMap((other) => [other, ...allBefore(other)]))
    budget.step(all.size / 16)
    before.set(call, all)
    return all
  }
  const waiting = new Map<DraftCall, Set<DraftCall>>(
    [...dependencies.keys()].map((call) => [call, new Set()]),
  )
  for (const call of dependencies.keys()) for (const other of allBefore(call)) waiting.get(other)?.add(call)
  return waiting
}

/** Calls of one request, and the later level that they move to. */
type Postponement = { readonly calls: readonly DraftCall[]; readonly level: number }

/**
 * The calls of a request that can join a later request of their subgraph; null if there is no such request.
 */
function profitablePostponement(
  { dependencies, waiting, mayBeLater }: Schedule,
  notBefore: ReadonlyMap<DraftCall, number>,
  levels: ReadonlyMap<DraftCall, number>,
  budget: Budget,
): Postponement | null {
  const bySubgraph = fetchesByLevel(levels)
  const cost = costOfFetches(bySubgraph)
  const latest = latestLevels(dependencies, levels)
  budget.step(levels.size / 2)
  for (const bySub of bySubgraph.values())
    for (const [own, calls] of bySub) {
      const slack = mayBeLater
        ? Number.POSITIVE_INFINITY
        : Math.min(...calls.map((call) => latest.get(call) ?? own))
      const later = [...bySub.keys()].filter((other) => other > own && other <= slack).sort((a, b) => a - b)
      const after = new Set(calls.flatMap((call) => [...(waiting.get(call) ?? [])]))
      for (const level of later) {
        // A request that waits for these calls moves on with them.
        if (bySub.get(level)?.every((call) => after.has(call)) === true) continue
        budget.step(levels.size / 4)
        const moved = earliest(
          dependencies,
          new Map([...notBefore, ...calls.map((call) => [call, level] as const)]),
        )
        if (!mayBeLater && !isNoLater(moved, levels)) continue
        if (costOfFetches(fetchesByLevel(moved)) < cost) return { calls, level }
      }
    }
  return null
}

/** The latest level of each call at which the response is not later. */
function latestLevels(
  dependencies: Dependencies,
  levels: ReadonlyMap<DraftCall, number>,
): ReadonlyMap<DraftCall, number> {
  const ends = endsOf(levels)
  const latest = new Map<DraftCall, number>(
    [...levels.keys()].map((call) => [call, ends.get(call.group) ?? 0]),
  )
  const lastFirst = [...levels].sort(([, a], [, b]) => b - a)
  for (const [call] of lastFirst)
    for (const other of dependencies.get(call) ?? [])
      latest.set(other, Math.min(latest.get(other) ?? 0, (latest.get(call) ?? 0) - 1))
  return latest
}

type FetchesByLevel = ReadonlyMap<string, ReadonlyMap<number, readonly DraftCall[]>>

/** The calls of each request: by delivery group, subgraph and kind, then by level. */
function fetchesByLevel(levels: ReadonlyMap<DraftCall, number>): FetchesByLevel {
  const bySubgraph = new Map<string, Map<number, DraftCall[]>>()
  for (const [call, level] of levels) {
    const key = `${call.group}|${call.subgraph}|${call.kind}`
    const bySub = bySubgraph.get(key) ?? new Map<number, DraftCall[]>()
    bySubgraph.set(key, bySub)
    const same = bySub.get(level)
    if (same === undefined) bySub.set(level, [call])
    else same.push(call)
  }
  return bySubgraph
}

/** The last level of each delivery group. */
function endsOf(levels: ReadonlyMap<DraftCall, number>): ReadonlyMap<GroupId, number> {
  const ends = new Map<GroupId, number>()
  for (const [{ group }, level] of levels) ends.set(group, Math.max(level, ends.get(group) ?? 0))
  return ends
}

/** Whether no delivery group ends at a later level. */
function isNoLater(moved: ReadonlyMap<DraftCall, number>, levels: ReadonlyMap<DraftCall, number>): boolean {
  const ends = endsOf(levels)
  return [...endsOf(moved)].every(([group, end]) => end <= (ends.get(group) ?? 0))
}

function costOfFetches(bySubgraph: FetchesByLevel): number {
  let cost = 0
  for (const bySub of bySubgraph.values())
    for (const level of bySub.keys()) cost += FETCH_COST + STAGE_COST * level
  return cost
}
