/**
 * Decides at which level each call is made. Calls of one subgraph at one level become one request.
 *
 * A call that nothing on the longest chain waits for has slack: it may be made later without the response
 * being later. A call is postponed only to a level at which its subgraph is called anyway, and only if the
 * plan then has fewer requests and no longer chain.
 */
import type { Budget } from '../../work/planning-budget.ts'
import type { Dependencies } from './dependencies.ts'
import type { DraftCall } from './draft.ts'
import type { GroupId } from '../../ids/ids.ts'

/** Nothing is postponed in a plan of more calls, because the search is quadratic. */
const MAX_CALLS = 60

/** The level of each call: 0 if it waits for none, else more than the levels of all it waits for. */
export function scheduleCalls(dependencies: Dependencies, budget: Budget): ReadonlyMap<DraftCall, number> {
  const calls = [...dependencies.keys()]
  const notBefore = new Map<DraftCall, number>()
  let levels = earliest(dependencies, notBefore)
  if (calls.length > MAX_CALLS || calls.some((call) => call.barrier > 0)) return levels
  for (
    let postponed = profitablePostponement(dependencies, notBefore, levels, budget);
    postponed !== null;
  ) {
    for (const call of postponed.calls) notBefore.set(call, postponed.level)
    levels = earliest(dependencies, notBefore)
    postponed = profitablePostponement(dependencies, notBefore, levels, budget)
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

/** Calls of one request, and the later level that they move to. */
type Postponement = { readonly calls: readonly DraftCall[]; readonly level: number }

/**
 * The calls of a request that can join a later request of their subgraph; null if there is no such request.
 */
function profitablePostponement(
  dependencies: Dependencies,
  notBefore: ReadonlyMap<DraftCall, number>,
  levels: ReadonlyMap<DraftCall, number>,
  budget: Budget,
): Postponement | null {
  const bySubgraph = fetchesByLevel(levels)
  const latest = latestLevels(dependencies, levels)
  budget.step(levels.size / 2)
  for (const bySub of bySubgraph.values())
    for (const [own, calls] of bySub) {
      const slack = Math.min(...calls.map((call) => latest.get(call) ?? own))
      const later = [...bySub.keys()].filter((other) => other > own && other <= slack).sort((a, b) => a - b)
      for (const level of later) {
        budget.step(levels.size / 4)
        const moved = earliest(
          dependencies,
          new Map([...notBefore, ...calls.map((call) => [call, level] as const)]),
        )
        if (isNoLater(moved, levels) && countFetches(fetchesByLevel(moved)) < countFetches(bySubgraph))
          return { calls, level }
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

function countFetches(bySubgraph: FetchesByLevel): number {
  let count = 0
  for (const bySub of bySubgraph.values()) count += bySub.size
  return count
}
