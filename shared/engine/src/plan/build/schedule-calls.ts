/**
 * Levels at which steps are made, so that calls of one subgraph meet.
 *
 * A step that nothing on the longest chain waits for has slack: it may be made later without the response being later.
 * When that lets it join another call of its subgraph, a request is saved. A step is only ever moved to a level where
 * its subgraph is called anyway, and only if the plan has fewer requests and no longer chain afterwards.
 */
import type { Budget } from '../../budget.ts'
import type { Dependencies } from './dependencies.ts'
import type { Step } from './draft.ts'
import type { GroupId } from '../../ids.ts'

/** Plans with more steps are left as they are: the search is quadratic. */
const MAX_STEPS = 60

export function scheduleSteps(dependencies: Dependencies, budget: Budget): ReadonlyMap<Step, number> {
  const steps = [...dependencies.keys()]
  const notBefore = new Map<Step, number>()
  let levels = earliest(dependencies, notBefore)
  if (steps.length > MAX_STEPS || steps.some((step) => step.barrier > 0)) return levels
  for (let move = profitableMove(dependencies, notBefore, levels, budget); move !== null; ) {
    for (const step of move.steps) notBefore.set(step, move.level)
    levels = earliest(dependencies, notBefore)
    move = profitableMove(dependencies, notBefore, levels, budget)
  }
  return levels
}

function earliest(
  dependencies: Dependencies,
  notBefore: ReadonlyMap<Step, number> = new Map(),
): ReadonlyMap<Step, number> {
  const levels = new Map<Step, number>()
  const levelOf = (step: Step): number => {
    const known = levels.get(step)
    if (known !== undefined) return known
    let level = notBefore.get(step) ?? 0
    for (const other of dependencies.get(step) ?? []) level = Math.max(level, levelOf(other) + 1)
    levels.set(step, level)
    return level
  }
  for (const step of dependencies.keys()) levelOf(step)
  return levels
}

type Move = { readonly steps: readonly Step[]; readonly level: number }

/** A whole call that can join a later one of its subgraph. */
function profitableMove(
  dependencies: Dependencies,
  notBefore: ReadonlyMap<Step, number>,
  levels: ReadonlyMap<Step, number>,
  budget: Budget,
): Move | null {
  const calls = callsOf(levels)
  const latest = latestLevels(dependencies, levels)
  budget.step(levels.size / 2)
  for (const bySub of calls.values())
    for (const [own, steps] of bySub) {
      const slack = Math.min(...steps.map((step) => latest.get(step) ?? own))
      const later = [...bySub.keys()].filter((other) => other > own && other <= slack).sort((a, b) => a - b)
      for (const level of later) {
        budget.step(levels.size / 4)
        const moved = earliest(
          dependencies,
          new Map([...notBefore, ...steps.map((step) => [step, level] as const)]),
        )
        if (isNoLater(moved, levels) && requests(callsOf(moved)) < requests(calls)) return { steps, level }
      }
    }
  return null
}

/** How late each step may be made without the response being later. */
function latestLevels(
  dependencies: Dependencies,
  levels: ReadonlyMap<Step, number>,
): ReadonlyMap<Step, number> {
  const ends = endsOf(levels)
  const latest = new Map<Step, number>([...levels.keys()].map((step) => [step, ends.get(step.group) ?? 0]))
  const lastFirst = [...levels].sort(([, a], [, b]) => b - a)
  for (const [step] of lastFirst)
    for (const other of dependencies.get(step) ?? [])
      latest.set(other, Math.min(latest.get(other) ?? 0, (latest.get(step) ?? 0) - 1))
  return latest
}

type Calls = ReadonlyMap<string, ReadonlyMap<number, readonly Step[]>>

/** By subgraph and kind, then by level. */
function callsOf(levels: ReadonlyMap<Step, number>): Calls {
  const calls = new Map<string, Map<number, Step[]>>()
  for (const [step, level] of levels) {
    const key = `${step.group}|${step.sub}|${step.kind}`
    const bySub = calls.get(key) ?? new Map<number, Step[]>()
    calls.set(key, bySub)
    const same = bySub.get(level)
    if (same === undefined) bySub.set(level, [step])
    else same.push(step)
  }
  return calls
}

/** Each group is a part of the response. */
function endsOf(levels: ReadonlyMap<Step, number>): ReadonlyMap<GroupId, number> {
  const ends = new Map<GroupId, number>()
  for (const [{ group }, level] of levels) ends.set(group, Math.max(level, ends.get(group) ?? 0))
  return ends
}

function isNoLater(moved: ReadonlyMap<Step, number>, levels: ReadonlyMap<Step, number>): boolean {
  const ends = endsOf(levels)
  return [...endsOf(moved)].every(([group, end]) => end <= (ends.get(group) ?? 0))
}

function requests(calls: Calls): number {
  let count = 0
  for (const bySub of calls.values()) count += bySub.size
  return count
}
