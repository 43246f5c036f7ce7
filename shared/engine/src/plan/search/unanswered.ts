/** Counts and describes what one subgraph leaves unanswered, so that another one is asked for just that. */
import type { FieldGoal, Selection } from '../../operation/normalise/normalised.ts'

/** The goal with only `rest` wanted below it. */
export function remainderOf(goal: FieldGoal, rest: Selection): FieldGoal {
  return { ...goal, child: rest, whole: goal.whole ?? goal }
}

/** Leaves of the goal; a field without any below it counts as one. */
export function wantedLeaves({ child }: FieldGoal): number {
  return Math.max(1, missingLeaves(child))
}

const counts = new WeakMap<Selection, number>()

/** How many leaves a selection has; 0 for null. */
export function missingLeaves(selection: Selection | null): number {
  if (selection === null) return 0
  const known = counts.get(selection)
  if (known !== undefined) return known
  let count = 0
  const counted = new Set<unknown>()
  for (const goals of new Set(selection.byType.values()))
    for (const goal of goals) {
      if (goal.kind === 'introspection' || goal.kind === 'denied' || counted.has(goal)) continue
      counted.add(goal)
      count += goal.kind === 'typename' ? 1 : wantedLeaves(goal)
    }
  counts.set(selection, count)
  return count
}
