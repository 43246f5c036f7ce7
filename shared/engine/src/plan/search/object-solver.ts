/**
 * Answers the fields that are wanted of objects of one type, from the subgraphs that can be asked about these
 * objects.
 *
 * First each field gets the option that is cheapest for all fields together. A subgraph may know only a part
 * of what is wanted below a field: the rest of it is then asked of further subgraphs, as long as one of them
 * knows some of it.
 */
import type { TypeId } from '../../ids/ids.ts'
import type { FieldGoal } from '../../operation/normalise/normalised.ts'
import type { Budget } from '../../work/planning-budget.ts'
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
    const optionsByGoal = goals.map((goal) =>
      isolated.has(goal)
        ? this.#options.isolated(entries, object, goal, purpose)
        : this.#options.of(entries, object, goal, purpose),
    )
    const chosen = chooseOptions(optionsByGoal, this.#budget, purpose.assumptions.open)
    const draft = new SolutionDraft()
    for (const [index, goal] of goals.entries()) draft.answer(goal, chosen[index] ?? null)
    const unanswered: FieldGoal[] = mayAskAgain ? [] : draft.remaining.splice(0)
    for (let rest = draft.remaining.shift(); rest !== undefined; rest = draft.remaining.shift()) {
      const option = this.#options.bestForRest(entries, object, rest, draft.needs, purpose)
      if (option === null) unanswered.push(rest)
      else draft.answer(rest, option)
    }
    return draft.finish(unanswered)
  }
}

/** A solution while goals are added to it. */
class SolutionDraft {
  /** Goals that are still to be answered, with only what is missing of them. */
  readonly remaining: FieldGoal[] = []
  readonly needs = new Set<PossibleCall>()
  readonly #answers: FieldAnswer[] = []
  #cost = 0
  #depth = 0

  /**
   * Answers the goal by the option. What the option leaves open remains; all of the goal if there is none.
   */
  answer(goal: FieldGoal, option: GoalOption | null): void {
    if (option === null) {
      this.remaining.push(goal)
      return
    }
    const { call, edge, child } = option
    this.#answers.push({ goal, call, edge, child })
    for (const needed of option.needs) this.needs.add(needed)
    this.#cost += option.cost
    this.#depth = Math.max(this.#depth, (call?.depth ?? 0) + (child?.depth ?? 0))
    if (child !== null && child.unanswered !== null) this.remaining.push(remainderOf(goal, child.unanswered))
  }

  finish(unanswered: readonly FieldGoal[]): ObjectSolution {
    for (const { depth } of this.needs) this.#depth = Math.max(this.#depth, depth)
    return {
      answers: this.#answers,
      calls: byDepth(this.needs),
      cost: this.#cost + costOf(this.needs),
      depth: this.#depth,
      unanswered,
      deferred: [],
      fetchedEarly: null,
    }
  }
}
