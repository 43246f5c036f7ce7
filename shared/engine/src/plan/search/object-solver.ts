/**
 * Answers the fields that are wanted of objects of one type, from the subgraphs that can be asked about these
 * objects.
 *
 * First each field gets the option that is cheapest for all fields together. A subgraph may know only a part
 * of what is wanted below a field: the rest of it is then asked of further subgraphs, as long as one of them
 * knows some of it.
 */
import type { TypeId } from '../../ids.ts'
import type { FieldGoal } from '../../operation/normalised.ts'
import type { Budget } from '../../budget.ts'
import { chooseOptions, type GoalOption } from './choose-options.ts'
import { type GoalOptions, INITIAL, type Purpose } from './goal-options.ts'
import {
  byDepth,
  costOf,
  type ObjectSolution,
  type EntryPoint,
  type FieldAnswer,
  type PossibleCall,
} from './solution.ts'
import { remainderOf } from './unanswered.ts'

/** No goals. */
export const NONE: ReadonlySet<FieldGoal> = new Set()

/** Solves goals of one object type. */
export class ObjectSolver {
  readonly #options: GoalOptions
  readonly #budget: Budget

  constructor(options: GoalOptions, budget: Budget) {
    this.#options = options
    this.#budget = budget
  }

  /** `mayAskAgain`: what one subgraph leaves open is asked of others. */
  solve(
    entries: readonly EntryPoint[],
    object: TypeId,
    goals: readonly FieldGoal[],
    mayAskAgain = true,
    isolated: ReadonlySet<FieldGoal> = NONE,
    purpose: Purpose = INITIAL,
  ): ObjectSolution {
    const chosen = chooseOptions(
      goals.map((goal) =>
        isolated.has(goal)
          ? this.#options.isolated(entries, object, goal, purpose)
          : this.#options.of(entries, object, goal, purpose),
      ),
      this.#budget,
      purpose.assumptions.open,
    )
    const answers: FieldAnswer[] = []
    const needs = new Set<PossibleCall>()
    const remaining: FieldGoal[] = []
    let cost = 0
    let depth = 0
    const take = (goal: FieldGoal, option: GoalOption): void => {
      answers.push({ goal, call: option.call, edge: option.edge, child: option.child })
      for (const call of option.needs) needs.add(call)
      cost += option.cost
      const start = option.call?.depth ?? 0
      depth = Math.max(depth, start + (option.child?.depth ?? 0))
      if (option.child?.unanswered != null) remaining.push(remainderOf(goal, option.child.unanswered))
    }
    for (const [index, goal] of goals.entries()) {
      const option = chosen[index]
      if (option === null || option === undefined) remaining.push(goal)
      else take(goal, option)
    }
    const unanswered: FieldGoal[] = []
    if (!mayAskAgain) unanswered.push(...remaining.splice(0))
    // What one source leaves open is asked of the others, as long as one of them knows some of it.
    for (let rest = remaining.shift(); rest !== undefined; rest = remaining.shift()) {
      const option = this.#options.bestForRest(entries, object, rest, needs, purpose)
      if (option === null) unanswered.push(rest)
      else take(rest, option)
    }
    for (const call of needs) depth = Math.max(depth, call.depth)
    return {
      answers,
      calls: byDepth(needs),
      cost: cost + costOf(needs),
      depth,
      unanswered,
      deferred: [],
      fetchedEarly: null,
    }
  }
}
