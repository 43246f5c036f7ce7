/**
 * Counts what the requests of a solution cost, where calls of different places become one request.
 *
 * The cost of a solution is a sum over its places, which is what makes the search quick. But calls of one
 * subgraph that are made at the same time become one request, wherever they are made. So where two whole
 * solutions are compared, their requests are counted once each.
 */
import type { Budget } from '../../work/planning-budget.ts'
import {
  FETCH_COST,
  type ObjectSolution,
  requestsLater,
  type SelectionSolution,
  stageOf,
  STAGE_COST,
} from './solution.ts'

const known = new WeakMap<SelectionSolution, ReadonlySet<number>>()

/** Adds up the costs of the requests for the object types of one place, each counted once. */
export function requestsCost(solutions: Iterable<ObjectSolution>, budget: Budget): number {
  let cost = 0
  for (const request of requestsOf(solutions, budget)) cost += FETCH_COST + STAGE_COST * stageOf(request)
  return cost
}

function requestsOf(solutions: Iterable<ObjectSolution>, budget: Budget): ReadonlySet<number> {
  const requests = new Set<number>()
  for (const { calls, answers } of solutions) {
    budget.step((calls.length + answers.length) / 8)
    for (const { request } of calls) requests.add(request)
    for (const { call, child } of answers) {
      if (child === null || child.fetches === 0) continue
      const below = requestsBelow(child, budget)
      budget.step(below.size / 16)
      const depth = call?.depth ?? 0
      for (const request of below) requests.add(requestsLater(request, depth))
    }
    for (const { entity } of calls)
      for (const { call, child } of entity?.inputs ?? [])
        if (child !== null && child.fetches > 0)
          for (const request of requestsBelow(child, budget))
            requests.add(requestsLater(request, call?.depth ?? 0))
  }
  return requests
}

function requestsBelow(solution: SelectionSolution, budget: Budget): ReadonlySet<number> {
  let requests = known.get(solution)
  if (requests === undefined) {
    requests = requestsOf(solution.byType.values(), budget)
    known.set(solution, requests)
  }
  return requests
}
