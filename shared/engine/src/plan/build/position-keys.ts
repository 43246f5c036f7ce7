/** Texts that are equal where two object types may share a position of the draft. */
import type { Budget } from '../../work/planning-budget.ts'
import type { FieldGoal, Selection } from '../../operation/normalise/normalised.ts'
import type { DocumentField } from '../document/document.ts'
import type { FieldAnswer, ObjectSolution } from '../search/solution.ts'
import { providerKeys } from './call-providers.ts'
import type { DraftProvider } from './draft.ts'

/** A field of a document that answers a goal, or a part of it. */
export type AnsweringField = {
  readonly answer: FieldAnswer
  readonly provider: DraftProvider
  readonly field: DocumentField
}

/** The texts of one draft. They name goals, selections and parts of the draft by numbers. */
export class PositionKeys {
  readonly #budget: Budget
  readonly #ids = new Map<object, number>()

  constructor(budget: Budget) {
    this.#budget = budget
  }

  /** Returns a text that is equal for goals which ask for the same under the same response key. */
  textOf({ key, name, args, child }: FieldGoal): string {
    return `${key}:${name}${args}:${child === null ? '' : this.#id(child)}`
  }

  /**
   * Names the position below a goal: by what is wanted there, the fields that its objects come from, and how
   * later groups answer the goal (see laterAnswers). The goal itself is not named: the goals of two object
   * types may differ in a non-null, with everything below them the same.
   */
  below(
    goal: FieldGoal,
    selection: Selection,
    selected: readonly AnsweringField[],
    laterAnswers: string,
  ): string {
    const sources = selected.map(({ answer: { child }, provider, field }) =>
      [this.#id(provider), this.#id(field), child === null ? '' : this.#id(child)].join('.'),
    )
    return `${goal.key}:${this.#id(selection)}:${sources.join('|')}${laterAnswers}`
  }

  /**
   * A text for each goal that tells which calls of later groups answer it. Object types share the position
   * below a goal only if their texts are equal, because each value of a position is read from one place.
   */
  laterAnswers({ deferred }: ObjectSolution): ReadonlyMap<FieldGoal, string> {
    const byGoal = new Map<FieldGoal, string>()
    for (const { group, solution } of deferred) {
      this.#budget.step((solution.calls.length + solution.answers.length) / 4)
      const providers = providerKeys(solution, group)
      for (const { goal, call, child } of solution.answers) {
        const provider = call === null ? group : (providers.get(call) ?? group)
        const whole = goal.whole ?? goal
        const known = byGoal.get(whole) ?? ''
        byGoal.set(whole, `${known}/${provider}.${child === null ? '' : this.#id(child)}`)
      }
    }
    return byGoal
  }

  #id(item: object): number {
    let id = this.#ids.get(item)
    if (id === undefined) {
      id = this.#ids.size
      this.#ids.set(item, id)
    }
    return id
  }
}
