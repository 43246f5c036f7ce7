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
import type { FieldGoal, Goal, Selection } from '../../operation/normalised.ts'
import type { GroupId } from '../../ids.ts'
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

/** Splits the goals of one object type by the delivery group that they are fetched for. */
export class DeferSplitter {
  readonly #rests = new WeakMap<SelectionSolution, Map<GroupId, Selection>>()
  readonly #reduced = new WeakMap<SelectionSolution, Selection>()

  split({ group, goals, solve, again }: SplitQuestion): ObjectSolution {
    const fetchedEarly = new Map<GroupId, FieldGoal[]>()
    const later = new Map<GroupId, FieldGoal[]>()
    const isAnswered = (goal: FieldGoal, by: GroupId): boolean => {
      if (again === null || by > MAX_SPLIT_GROUPS) return false
      const { answers, unanswered } = again([goal], by)
      return unanswered.length === 0 && !answers.some(isKnown)
    }
    const sooner = goals.filter((goal) => {
      if (goal.group === group) return true
      const isSplitOff = isAnswered(goal, goal.group)
      add(isSplitOff ? later : fetchedEarly, goal.group, goal)
      return !isSplitOff
    })
    /** Splits off, by calls from here, goals that the answers could not split off below them. */
    const fromBelow = ({ answers }: ObjectSolution, wanted: readonly FieldGoal[]): ReducedGoals => {
      const known = new Set(wanted)
      const smaller = new Map<FieldGoal, FieldGoal>()
      for (const { goal, child } of answers) {
        if (child === null || child.fetchedEarly === null || goal.type.kind === 'list' || !known.has(goal))
          continue
        const lifted: FieldGoal[] = []
        for (const [other, open] of ascending(child.fetchedEarly)) {
          // A goal that was split off as a part of another goal is split there.
          const below = open.filter(({ whole }) => whole === null || !lifted.includes(whole))
          if (below.length === 0) continue
          const selection =
            below.length < open.length ? restOf(child, below) : this.#rest(child, other, below)
          const rest = { ...remainderOf(goal, selection), group: other }
          const isLifted = isAnswered(rest, other)
          add(isLifted ? later : fetchedEarly, other, rest)
          if (isLifted) lifted.push(...below)
        }
        if (lifted.length > 0) smaller.set(goal, remainderOf(goal, this.#without(child, lifted)))
      }
      return smaller
    }
    /**
     * Splits off parts of objects without a key that another subgraph than the source gives. That subgraph
     * can be asked again later, even if the source cannot.
     */
    const fromElsewhere = (
      { answers }: ObjectSolution,
      wanted: readonly FieldGoal[],
      own: GroupId,
    ): ReducedGoals => {
      const smaller = new Map<FieldGoal, FieldGoal | null>()
      for (const { goal, call, child } of answers) {
        if (call === null || child === null || goal.child === null) continue
        if (goal.group !== own && goal.whole === null && child.unanswered === null) {
          const whole: FieldGoal = { ...remainderOf(goal, goal.child), elsewhere: true }
          if (isAnswered(whole, goal.group)) {
            add(later, goal.group, whole)
            take(fetchedEarly, goal, null)
            smaller.set(goal, null)
            continue
          }
        }
        if (child.fetchedEarly === null || goal.type.kind === 'list') continue
        const asked = wanted.find((one) => wholeOf(one) === wholeOf(goal))
        if (asked === undefined) continue
        for (const [other, open] of ascending(child.fetchedEarly)) {
          const given = without(restOf(child, open), fieldsOf(child.unanswered))
          if (isEmpty(given)) continue
          const rest: FieldGoal = { ...remainderOf(goal, given), group: other, elsewhere: true }
          if (!isAnswered(rest, other)) continue
          add(later, other, rest)
          take(fetchedEarly, rest, given)
          const left = smaller.get(asked) ?? asked
          if (left.child !== null) smaller.set(asked, remainderOf(left, without(left.child, fieldsOf(given))))
        }
      }
      return smaller
    }
    /** Answers goals for one group, after everything that other groups can fetch later is split off. */
    const lift = (
      goals: readonly FieldGoal[],
      own: GroupId,
      answer: (wanted: readonly FieldGoal[]) => ObjectSolution,
    ): ObjectSolution => {
      let wanted = goals
      let solution = answer(wanted)
      for (const find of [fromBelow, fromElsewhere]) {
        const smaller = find(solution, wanted, own)
        if (smaller.size === 0) continue
        wanted = wanted.flatMap((goal) => (smaller.has(goal) ? (smaller.get(goal) ?? []) : [goal]))
        solution = answer(wanted)
      }
      return solution
    }
    const solution = lift(sooner, group, solve)
    const deferred: DeferredSolution[] = []
    if (again !== null)
      for (let next = lowest(later); next !== undefined; next = lowest(later)) {
        const [other, wanted] = next
        later.delete(other)
        deferred.push({ group: other, solution: lift(wanted, other, (some) => again(some, other)) })
      }
    return { ...solution, deferred, fetchedEarly: fetchedEarly.size === 0 ? null : fetchedEarly }
  }

  #rest(selectionSolution: SelectionSolution, group: GroupId, goals: readonly FieldGoal[]): Selection {
    const byGroup = this.#rests.get(selectionSolution) ?? new Map<GroupId, Selection>()
    this.#rests.set(selectionSolution, byGroup)
    let rest = byGroup.get(group)
    if (rest === undefined) {
      rest = restOf(selectionSolution, goals)
      byGroup.set(group, rest)
    }
    return rest
  }

  /**
   * Made once where everything was lifted, so that object types that are asked for the same go on sharing it.
   */
  #without(selectionSolution: SelectionSolution, lifted: readonly FieldGoal[]): Selection {
    const all = [...(selectionSolution.fetchedEarly?.values() ?? [])].reduce(
      (count, goals) => count + goals.length,
      0,
    )
    if (lifted.length < all) return without(selectionSolution.selection, lifted)
    let reduced = this.#reduced.get(selectionSolution)
    if (reduced === undefined) {
      reduced = without(selectionSolution.selection, lifted)
      this.#reduced.set(selectionSolution, reduced)
    }
    return reduced
  }
}

/** Whether the goal is a part of the key by which the object is entered: then it was fetched before. */
function isKnown({ goal, call }: FieldAnswer): boolean {
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

function without(selection: Selection, lifted: readonly FieldGoal[]): Selection {
  const byWhole = Map.groupBy(lifted, wholeOf)
  const byType = [...selection.byType].map(([type, goals]) => {
    const left = goals.flatMap((goal) => {
      const gone = goal.kind === 'field' ? byWhole.get(wholeOf(goal)) : undefined
      if (gone === undefined || goal.kind !== 'field') return [goal]
      if (gone.includes(goal) || goal.child === null) return []
      const below = gone.flatMap(({ child }) => [...(child?.byType.values() ?? [])].flat())
      const fields = below.filter((inner) => inner.kind === 'field')
      return [remainderOf(goal, without(goal.child, fields))]
    })
    return [type, left] as const
  })
  return { type: selection.type, byType: new Map(byType) }
}

function restOf({ selection }: SelectionSolution, goals: readonly FieldGoal[]): Selection {
  return { type: selection.type, byType: new Map([[selection.type, goals]]) }
}

function ascending(fetchedEarly: FetchedEarly): readonly (readonly [GroupId, readonly FieldGoal[]])[] {
  return [...fetchedEarly].sort(([a], [b]) => a - b)
}

function isEmpty({ byType }: Selection): boolean {
  return [...byType.values()].every((goals) => goals.length === 0)
}

/** The fields of a selection; none if its objects may have several types. */
function fieldsOf(selection: Selection | null): readonly FieldGoal[] {
  const goals = selection?.byType.size === 1 ? selection.byType.get(selection.type) : undefined
  return goals?.filter((goal) => goal.kind === 'field') ?? []
}

function wholeOf(goal: FieldGoal): FieldGoal {
  return goal.whole ?? goal
}

function lowest(later: ReadonlyMap<GroupId, FieldGoal[]>): readonly [GroupId, FieldGoal[]] | undefined {
  let found: readonly [GroupId, FieldGoal[]] | undefined
  for (const entry of later) if (found === undefined || entry[0] < found[0]) found = entry
  return found
}

/**
 * Removes a goal that is split off after all; `given` is the part that is split off, null for the whole goal.
 */
function take(fetchedEarly: Map<GroupId, FieldGoal[]>, cut: FieldGoal, given: Selection | null): void {
  const left = (fetchedEarly.get(cut.group) ?? []).flatMap((goal) => {
    if (wholeOf(goal) !== wholeOf(cut)) return [goal]
    if (given === null || goal.child === null) return []
    const child = without(goal.child, fieldsOf(given))
    return isEmpty(child) ? [] : [remainderOf(goal, child)]
  })
  if (left.length === 0) fetchedEarly.delete(cut.group)
  else fetchedEarly.set(cut.group, left)
}

function add(byGroup: Map<GroupId, FieldGoal[]>, group: GroupId, goal: FieldGoal): void {
  const known = byGroup.get(group)
  if (known === undefined) byGroup.set(group, [goal])
  else known.push(goal)
}
