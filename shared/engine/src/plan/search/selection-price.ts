/**
 * Computes what a selection costs for one delivery group, when its object types are answered by the given
 * solutions.
 *
 * Calls of several types that become one call cost once, and so does a field that several types get from the
 * same place. For goals that other groups deliver, only those calls count that this group waits for: fields
 * that are delivered later do not decide who answers this group.
 */
import type { GroupId, TypeId } from '../../ids/ids.ts'
import type { FieldGoal } from '../../operation/normalise/normalised.ts'
import {
  costOf,
  FIELD_COST,
  type ObjectSolution,
  type PossibleCall,
  requestCount,
  type SelectionSolution,
  sharedCallKey,
  type SolutionPrice,
  STAGE_COST,
} from './solution.ts'
import { wantedLeaves } from './unanswered.ts'

/** The price of all types together. */
export function priceOfTypes(solutions: ReadonlyMap<TypeId, ObjectSolution>, group: GroupId): SolutionPrice {
  const calls = new Map<string, PossibleCall>()
  const fields = new Map<FieldGoal, Set<SelectionSolution | null>>()
  let below = 0
  let fetches = 0
  let late = 0
  for (const solution of solutions.values()) {
    for (const call of solution.calls) calls.set(sharedCallKey(call), call)
    for (const { goal, child, call } of solution.answers) {
      const known = fields.get(goal) ?? new Set()
      if (known.has(child)) continue
      fields.set(goal, known.add(child))
      const isOwn = goal.group === group
      below += (isOwn ? FIELD_COST : 0) + (child?.cost ?? 0)
      if (isOwn) late += call?.kind === 'entity' ? wantedLeaves(goal) : (child?.lateLeaves ?? 0)
      if (child === null) continue
      below += STAGE_COST * (call?.depth ?? 0) * child.fetches
      fetches += child.fetches
    }
  }
  return {
    cost: below + costOf(calls.values()),
    fetches: fetches + requestCount(calls.values()),
    lateLeaves: late,
  }
}
