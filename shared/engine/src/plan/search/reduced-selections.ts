/** Selections with fewer goals than the client's: what is left of them after some goals are split off. */
import type { GroupId } from '../../ids/ids.ts'
import type { FieldGoal, Selection } from '../../operation/normalise/normalised.ts'
import type { SelectionSolution } from './solution.ts'
import { remainderOf } from './unanswered.ts'

/**
 * Selections that are made once for each solution, so that object types that are asked for the same go on
 * sharing one selection.
 */
export class ReducedSelections {
  readonly #early = new WeakMap<SelectionSolution, Map<GroupId, Selection>>()
  readonly #reduced = new WeakMap<SelectionSolution, Selection>()

  /** The selection of all goals of a group that the solution fetches early. */
  earlySelection(
    selectionSolution: SelectionSolution,
    group: GroupId,
    goals: readonly FieldGoal[],
  ): Selection {
    const byGroup = this.#early.get(selectionSolution) ?? new Map<GroupId, Selection>()
    this.#early.set(selectionSolution, byGroup)
    let selection = byGroup.get(group)
    if (selection === undefined) {
      selection = selectionOf(selectionSolution, goals)
      byGroup.set(group, selection)
    }
    return selection
  }

  /** The selection of the solution without goals that are lifted; one object where all of them are lifted. */
  without(selectionSolution: SelectionSolution, lifted: readonly FieldGoal[]): Selection {
    const early = [...(selectionSolution.fetchedEarly?.values() ?? [])].flat()
    if (lifted.length < early.length) return selectionWithout(selectionSolution.selection, lifted)
    let reduced = this.#reduced.get(selectionSolution)
    if (reduced === undefined) {
      reduced = selectionWithout(selectionSolution.selection, lifted)
      this.#reduced.set(selectionSolution, reduced)
    }
    return reduced
  }
}

/** The selection without some of its goals, or without the parts of its goals that they are. */
export function selectionWithout(selection: Selection, lifted: readonly FieldGoal[]): Selection {
  const byWhole = Map.groupBy(lifted, wholeOf)
  const byType = [...selection.byType].map(([type, goals]) => {
    const left = goals.flatMap((goal) => {
      const gone = goal.kind === 'field' ? byWhole.get(wholeOf(goal)) : undefined
      if (gone === undefined || goal.kind !== 'field') return [goal]
      if (gone.includes(goal) || goal.child === null) return []
      const below = gone.flatMap(({ child }) => [...(child?.byType.values() ?? [])].flat())
      const fields = below.filter((inner) => inner.kind === 'field')
      return [remainderOf(goal, selectionWithout(goal.child, fields))]
    })
    return [type, left] as const
  })
  return { type: selection.type, byType: new Map(byType) }
}

/** A selection of these goals, for objects of the one type that the solution is for. */
export function selectionOf({ selection }: SelectionSolution, goals: readonly FieldGoal[]): Selection {
  return { type: selection.type, byType: new Map([[selection.type, goals]]) }
}

/** Whether nothing is wanted of any object. */
export function isEmpty({ byType }: Selection): boolean {
  return [...byType.values()].every((goals) => goals.length === 0)
}

/** The fields of a selection; none if its objects may have several types. */
export function fieldsOf(selection: Selection | null): readonly FieldGoal[] {
  const goals = selection?.byType.size === 1 ? selection.byType.get(selection.type) : undefined
  return goals?.filter((goal) => goal.kind === 'field') ?? []
}

/** The goal that a remainder is a part of; else the goal itself. */
export function wholeOf(goal: FieldGoal): FieldGoal {
  return goal.whole ?? goal
}
