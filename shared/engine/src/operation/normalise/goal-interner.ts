/**
 * Interns goals and lists of goals by what they ask for, however the operation writes it.
 *
 * `id ... on Album { id }` asks albums for nothing more than `id` does. At one place equal goals become one
 * object, and so do equal lists of goals; identity then tells whether object types differ in what is asked of
 * them. Different places share no goals, even if they ask for the same, because what is known about the
 * objects there may differ.
 */
import type { Goal, Selection } from './normalised.ts'

/** Interns goals, lists of goals and selections. */
export class GoalInterner {
  readonly #numbers = new Map<string, number>()
  readonly #ofSelection = new WeakMap<Selection, number>()
  readonly #ofGoal = new WeakMap<Goal, number>()

  /** Remembers what a finished selection asks for, and returns the selection. */
  note(selection: Selection): Selection {
    const byType = [...selection.byType].map(([type, goals]) => `${type}:${this.#listText(goals)}`)
    this.#ofSelection.set(selection, this.#number(`${selection.type}{${byType.join(';')}}`))
    return selection
  }

  /** Makes equal goals of one place one object, and equal lists of goals one list. */
  place(): { goal(goal: Goal): Goal; list(goals: readonly Goal[]): readonly Goal[] } {
    const goals = new Map<number, Goal>()
    const lists = new Map<string, readonly Goal[]>()
    return {
      goal: (goal) => first(goals, this.#ofGoalOrNew(goal), goal),
      list: (list) => first(lists, this.#listText(list), list),
    }
  }

  #listText(goals: readonly Goal[]): string {
    return goals.map((goal) => this.#ofGoalOrNew(goal)).join(',')
  }

  #ofGoalOrNew(goal: Goal): number {
    let number = this.#ofGoal.get(goal)
    if (number === undefined) {
      number = this.#number(this.#goalText(goal))
      this.#ofGoal.set(goal, number)
    }
    return number
  }

  #goalText(goal: Goal): string {
    if (goal.kind === 'denied')
      return `denied ${goal.key}:${goal.name} ${goal.nonNull} ${goal.group} ${goal.fallbackGroups.join()}`
    if (goal.kind !== 'field') return `${goal.kind} ${goal.key} ${goal.group} ${goal.fallbackGroups.join()}`
    const child = goal.child === null ? '' : this.#ofSelection.get(goal.child)
    return `${goal.key}:${goal.name}${goal.args} ${JSON.stringify(goal.type)} ${child} ${goal.group} ${goal.fallbackGroups.join()}`
  }

  #number(text: string): number {
    return first(this.#numbers, text, this.#numbers.size)
  }
}

function first<K, V>(known: Map<K, V>, key: K, value: V): V {
  const other = known.get(key)
  if (other !== undefined) return other
  known.set(key, value)
  return value
}
