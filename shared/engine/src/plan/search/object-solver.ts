/**
 * Answers the fields that are wanted of objects of one type, from the subgraphs that can be asked about these objects.
 *
 * First each field gets the option that is cheapest for all fields together. A subgraph may know only a part of what is
 * wanted below a field: the rest of it is then asked of further subgraphs, as long as one of them knows some of it.
 */
import type { TypeId } from '../../ids.ts'
import type { FieldGoal } from '../../operation/normalised.ts'
import type { Budget } from '../../budget.ts'
import { chooseOptions, type Option } from './choose-options.ts'
import { type GoalOptions, INITIAL, type Purpose } from './goal-options.ts'
import { byDepth, costOf, type Local, type Opened, type Pick, type Visit } from './solution.ts'
import { remainderOf } from './unanswered.ts'

export const NONE: ReadonlySet<FieldGoal> = new Set()

export class ObjectSolver {
  readonly #options: GoalOptions
  readonly #budget: Budget

  constructor(options: GoalOptions, budget: Budget) {
    this.#options = options
    this.#budget = budget
  }

  /** `mayAskAgain`: what one subgraph leaves open is asked of others. */
  solve(
    opened: readonly Opened[],
    object: TypeId,
    goals: readonly FieldGoal[],
    mayAskAgain = true,
    apart: ReadonlySet<FieldGoal> = NONE,
    purpose: Purpose = INITIAL,
  ): Local {
    const chosen = chooseOptions(
      goals.map((goal) =>
        apart.has(goal)
          ? this.#options.apart(opened, object, goal, purpose)
          : this.#options.of(opened, object, goal, purpose),
      ),
      this.#budget,
      purpose.company.open,
    )
    const picks: Pick[] = []
    const needs = new Set<Visit>()
    const remaining: FieldGoal[] = []
    let cost = 0
    let depth = 0
    const take = (goal: FieldGoal, option: Option): void => {
      picks.push({ goal, visit: option.visit, edge: option.edge, child: option.child })
      for (const visit of option.needs) needs.add(visit)
      cost += option.cost
      const start = option.visit?.depth ?? 0
      depth = Math.max(depth, start + (option.child?.depth ?? 0))
      if (option.child?.residual != null) remaining.push(remainderOf(goal, option.child.residual))
    }
    for (const [index, goal] of goals.entries()) {
      const option = chosen[index]
      if (option === null || option === undefined) remaining.push(goal)
      else take(goal, option)
    }
    const residual: FieldGoal[] = []
    if (!mayAskAgain) residual.push(...remaining.splice(0))
    // What one source leaves open is asked of the others, as long as one of them knows some of it.
    for (let rest = remaining.shift(); rest !== undefined; rest = remaining.shift()) {
      const option = this.#options.bestForRest(opened, object, rest, needs, purpose)
      if (option === null) residual.push(rest)
      else take(rest, option)
    }
    for (const visit of needs) depth = Math.max(depth, visit.depth)
    return {
      picks,
      visits: byDepth(needs),
      cost: cost + costOf(needs),
      depth,
      residual,
      cuts: [],
      uncut: null,
    }
  }
}
