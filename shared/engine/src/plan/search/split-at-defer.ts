/**
 * Splits a solution at `@defer`: fields that a fragment delivers later are fetched later, by calls of their
 * own.
 *
 * The objects at a place are fetched for one delivery group, and some of their fields belong to another
 * group:
 *
 *     { product { name ... @defer { price } } }     group 0: product, name     group 1: price
 *
 * If the objects can be entered again, by a key or from the query root, `price` is left out of the first call
 * and gets a call for group 1. If they cannot, but lie below a field that leads to single objects of a known
 * type, the split is tried again further up: `fetchedEarly` carries the goals there. All other fields are
 * fetched with their surroundings, and only delivered later.
 */
import type { FieldGoal, Goal, Selection } from '../../operation/normalise/normalised.ts'
import type { GroupId } from '../../ids/ids.ts'
import {
  fieldsOf,
  isEmpty,
  ReducedSelections,
  selectionOf,
  wholeOf,
  selectionWithout,
} from './reduced-selections.ts'
import { remainderOf } from './unanswered.ts'
import type {
  DeferredSolution,
  ObjectSolution,
  FieldAnswer,
  SelectionSolution,
  FetchedEarly,
} from './solution.ts'

/**
 * Each group takes one more request at least, so fragments beyond this number are fetched with their
 * surroundings.
 */
const MAX_SPLIT_GROUPS = 64

/** The goals of one object type, and how they can be answered. */
export type SplitQuestion = {
  /** The delivery group that the objects were fetched for. */
  readonly group: GroupId
  readonly goals: readonly FieldGoal[]
  /** Answers goals with the objects at hand. */
  readonly solve: (goals: readonly FieldGoal[]) => ObjectSolution
  /** Answers goals by calls made for a group. Null where the objects cannot be entered again at all. */
  readonly again: ((goals: readonly FieldGoal[], group: GroupId) => ObjectSolution) | null
}

/** Goals that were split off, and the part of them that is still fetched here; null if nothing is. */
type ReducedGoals = ReadonlyMap<FieldGoal, FieldGoal | null>

/** Splits goals by the delivery group that they are fetched for. One splitter serves one operation. */
export class DeferSplitter {
  readonly #selections = new ReducedSelections()

  split(question: SplitQuestion): ObjectSolution {
    return new Split(question, this.#selections).solution()
  }
}

/** The split of the goals of one object type. */
class Split {
  readonly #question: SplitQuestion
  readonly #selections: ReducedSelections
  /** Goals of other groups that are fetched together with the goals of this group. */
  readonly #fetchedEarly = new Map<GroupId, FieldGoal[]>()
  /** Goals of other groups that get calls of their own. */
  readonly #later = new Map<GroupId, FieldGoal[]>()

  constructor(question: SplitQuestion, selections: ReducedSelections) {
    this.#question = question
    this.#selections = selections
  }

  solution(): ObjectSolution {
    const { group, goals, solve, again } = this.#question
    const now = goals.filter((goal) => goal.group === group || !this.#splitOff(goal, goal.group))
    const solution = this.#answer(now, group, solve)
    const deferred: DeferredSolution[] = []
    if (again !== null)
      for (let next = lowest(this.#later); next !== undefined; next = lowest(this.#later)) {
        const [other, wanted] = next
        this.#later.delete(other)
        deferred.push({ group: other, solution: this.#answer(wanted, other, (some) => again(some, other)) })
      }
    const fetchedEarly = this.#fetchedEarly.size === 0 ? null : this.#fetchedEarly
    return { ...solution, deferred, fetchedEarly }
  }

  /** Answers goals for one group, after everything that other groups can fetch later is split off. */
  #answer(
    goals: readonly FieldGoal[],
    group: GroupId,
    solve: (wanted: readonly FieldGoal[]) => ObjectSolution,
  ): ObjectSolution {
    let wanted = goals
    let solution = solve(wanted)
    const reduceBy = (reduced: ReducedGoals): void => {
      if (reduced.size === 0) return
      wanted = wanted.flatMap((goal) => (reduced.has(goal) ? (reduced.get(goal) ?? []) : [goal]))
      solution = solve(wanted)
    }
    reduceBy(this.#liftFromBelow(solution, wanted))
    reduceBy(this.#splitOffPartsFromElsewhere(solution, wanted, group))
    return solution
  }

  /** Whether calls made for the group can answer the goal, without its being fetched before all the same. */
  #isAnsweredLater(goal: FieldGoal, group: GroupId): boolean {
    const { again } = this.#question
    if (again === null || group > MAX_SPLIT_GROUPS) return false
    const { answers, unanswered } = again([goal], group)
    return unanswered.length === 0 && !answers.some(isPartOfItsKey)
  }

  /** Puts the goal off if calls made for the group can answer it; else it is fetched early. */
  #splitOff(goal: FieldGoal, group: GroupId): boolean {
    const isSplitOff = this.#isAnsweredLater(goal, group)
    add(isSplitOff ? this.#later : this.#fetchedEarly, group, goal)
    return isSplitOff
  }

  /** Splits off, by calls from here, goals that the answers could not split off below them. */
  #liftFromBelow({ answers }: ObjectSolution, wanted: readonly FieldGoal[]): ReducedGoals {
    const known = new Set(wanted)
    const reduced = new Map<FieldGoal, FieldGoal>()
    for (const { goal, child } of answers) {
      if (child === null || child.fetchedEarly === null || goal.type.kind === 'list' || !known.has(goal))
        continue
      const lifted: FieldGoal[] = []
      for (const [other, early] of ascending(child.fetchedEarly)) {
        // A goal that was split off as a part of another goal is split there.
        const below = early.filter(({ whole }) => whole === null || !lifted.includes(whole))
        if (below.length === 0) continue
        const selection =
          below.length < early.length
            ? selectionOf(child, below)
            : this.#selections.earlySelection(child, other, below)
        if (this.#splitOff({ ...remainderOf(goal, selection), group: other }, other)) lifted.push(...below)
      }
      if (lifted.length > 0) reduced.set(goal, remainderOf(goal, this.#selections.without(child, lifted)))
    }
    return reduced
  }

  /**
   * Splits off parts of objects without a key that another subgraph than the source gives. That subgraph can
   * be asked again later, even if the source cannot.
   */
  #splitOffPartsFromElsewhere(
    { answers }: ObjectSolution,
    wanted: readonly FieldGoal[],
    group: GroupId,
  ): ReducedGoals {
    const reduced = new Map<FieldGoal, FieldGoal | null>()
    for (const { goal, call, child } of answers) {
      if (call === null || child === null || goal.child === null) continue
      if (goal.group !== group && goal.whole === null && child.unanswered === null) {
        const whole: FieldGoal = { ...remainderOf(goal, goal.child), elsewhere: true }
        if (this.#isAnsweredLater(whole, goal.group)) {
          add(this.#later, goal.group, whole)
          removeEarly(this.#fetchedEarly, goal, null)
          reduced.set(goal, null)
          continue
        }
      }
      const own = wanted.find((one) => wholeOf(one) === wholeOf(goal))
      if (goal.type.kind === 'list' || own === undefined) continue
      for (const part of this.#partsFromElsewhere(goal, child)) {
        const left = reduced.get(own) ?? own
        if (left.child !== null)
          reduced.set(own, remainderOf(left, selectionWithout(left.child, fieldsOf(part))))
      }
    }
    return reduced
  }

  /** Puts off what other groups want below a goal and `child` gives; returns the parts that are put off. */
  #partsFromElsewhere(goal: FieldGoal, child: SelectionSolution): readonly Selection[] {
    if (child.fetchedEarly === null) return []
    const parts: Selection[] = []
    for (const [other, early] of ascending(child.fetchedEarly)) {
      const given = selectionWithout(selectionOf(child, early), fieldsOf(child.unanswered))
      if (isEmpty(given)) continue
      const part: FieldGoal = { ...remainderOf(goal, given), group: other, elsewhere: true }
      if (!this.#isAnsweredLater(part, other)) continue
      add(this.#later, other, part)
      removeEarly(this.#fetchedEarly, part, given)
      parts.push(given)
    }
    return parts
  }
}

/** Whether the goal is a part of the key by which the object is entered: then it was fetched before. */
function isPartOfItsKey({ goal, call }: FieldAnswer): boolean {
  const inputs = call?.entity?.inputs ?? []
  return inputs.some((input) => input.call === null && isPartOf(goal, input.goal))
}

function isPartOf(goal: FieldGoal, known: FieldGoal): boolean {
  if (goal.name !== known.name || goal.args !== known.args) return false
  if (goal.child === null || known.child === null) return goal.child === known.child
  for (const [type, goals] of goal.child.byType) {
    const some = known.child.byType.get(type) ?? []
    const isThere = (wanted: Goal) =>
      wanted.kind !== 'field' || some.some((one) => one.kind === 'field' && isPartOf(wanted, one))
    if (!goals.every(isThere)) return false
  }
  return true
}

/** The goals that may be split off further up: only below objects of one known type. */
export function fetchedEarlyOf(
  selection: Selection,
  solutions: ReadonlyMap<number, ObjectSolution>,
): FetchedEarly | null {
  const [only, ...others] = selection.byType.keys()
  if (only !== selection.type || others.length > 0) return null
  return solutions.get(only)?.fetchedEarly ?? null
}

function ascending(fetchedEarly: FetchedEarly): readonly (readonly [GroupId, readonly FieldGoal[]])[] {
  return [...fetchedEarly].sort(([a], [b]) => a - b)
}

/** The goals of the lowest group. */
function lowest(later: ReadonlyMap<GroupId, FieldGoal[]>): readonly [GroupId, FieldGoal[]] | undefined {
  let found: readonly [GroupId, FieldGoal[]] | undefined
  for (const entry of later) if (found === undefined || entry[0] < found[0]) found = entry
  return found
}

/**
 * Removes a goal that is split off after all from those that are fetched early; `given` is the part that is
 * split off, null for the whole goal.
 */
function removeEarly(
  fetchedEarly: Map<GroupId, FieldGoal[]>,
  splitOff: FieldGoal,
  given: Selection | null,
): void {
  const left = (fetchedEarly.get(splitOff.group) ?? []).flatMap((goal) => {
    if (wholeOf(goal) !== wholeOf(splitOff)) return [goal]
    if (given === null || goal.child === null) return []
    const child = selectionWithout(goal.child, fieldsOf(given))
    return isEmpty(child) ? [] : [remainderOf(goal, child)]
  })
  if (left.length === 0) fetchedEarly.delete(splitOff.group)
  else fetchedEarly.set(splitOff.group, left)
}

function add(byGroup: Map<GroupId, FieldGoal[]>, group: GroupId, goal: FieldGoal): void {
  const known = byGroup.get(group)
  if (known === undefined) byGroup.set(group, [goal])
  else known.push(goal)
}
