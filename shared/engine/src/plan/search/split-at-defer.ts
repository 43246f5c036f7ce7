/**
 * Cutting a plan at `@defer`: what a fragment delivers later is fetched later, by calls of its own.
 *
 * An object was fetched for one group, and some of its fields belong to another. Where the object can be entered again,
 * those are left out of the first call and asked for by others, made for their group alone. Below a field that leads to one
 * object of a known type, what cannot be entered again there can be asked for on the way from here. All else is fetched with
 * its surroundings, and only delivered later.
 */
import type { FieldGoal, Goal, Selection } from '../../operation/normalised.ts'
import type { GroupId } from '../../ids.ts'
import { remainderOf } from './unanswered.ts'
import type { Cut, Local, Pick, Spread, Uncut } from './solution.ts'

/** Each is at least one more request: of very many fragments the later ones are fetched with their surroundings. */
const MAX_CUT_GROUPS = 64

export type CutQuestion = {
  /** What the objects were fetched for. */
  readonly group: GroupId
  readonly goals: readonly FieldGoal[]
  /** Answers goals with the objects at hand. */
  readonly solve: (goals: readonly FieldGoal[]) => Local
  /** Answers goals by calls made for a group. Null where the objects cannot be entered again at all. */
  readonly again: ((goals: readonly FieldGoal[], group: GroupId) => Local) | null
}

/** Goals, and what is left of them; null for nothing. */
type Smaller = ReadonlyMap<FieldGoal, FieldGoal | null>

export class DeferCuts {
  readonly #rests = new WeakMap<Spread, Map<GroupId, Selection>>()
  readonly #reduced = new WeakMap<Spread, Selection>()

  local({ group, goals, solve, again }: CutQuestion): Local {
    const uncut = new Map<GroupId, FieldGoal[]>()
    const later = new Map<GroupId, FieldGoal[]>()
    const isAnswered = (goal: FieldGoal, by: GroupId): boolean => {
      if (again === null || by > MAX_CUT_GROUPS) return false
      const { picks, residual } = again([goal], by)
      return residual.length === 0 && !picks.some(isKnown)
    }
    const sooner = goals.filter((goal) => {
      if (goal.group === group) return true
      const isCut = isAnswered(goal, goal.group)
      add(isCut ? later : uncut, goal.group, goal)
      return !isCut
    })
    /** What can be asked for here of what the picks leave uncut below them. */
    const fromBelow = ({ picks }: Local, wanted: readonly FieldGoal[]): Smaller => {
      const known = new Set(wanted)
      const smaller = new Map<FieldGoal, FieldGoal>()
      for (const { goal, child } of picks) {
        if (child === null || child.uncut === null || goal.type.kind === 'list' || !known.has(goal)) continue
        const lifted: FieldGoal[] = []
        for (const [other, open] of ascending(child.uncut)) {
          // What went as a part of another one is cut there.
          const below = open.filter(({ whole }) => whole === null || !lifted.includes(whole))
          if (below.length === 0) continue
          const selection =
            below.length < open.length ? restOf(child, below) : this.#rest(child, other, below)
          const rest = { ...remainderOf(goal, selection), group: other }
          const isLifted = isAnswered(rest, other)
          add(isLifted ? later : uncut, other, rest)
          if (isLifted) lifted.push(...below)
        }
        if (lifted.length > 0) smaller.set(goal, remainderOf(goal, this.#without(child, lifted)))
      }
      return smaller
    }
    /**
     * Several subgraphs may each know a part of an object without a key. What another one than its own is asked for can be asked
     * for later, even where its own cannot be asked again.
     */
    const fromElsewhere = ({ picks }: Local, wanted: readonly FieldGoal[], own: GroupId): Smaller => {
      const smaller = new Map<FieldGoal, FieldGoal | null>()
      for (const { goal, visit, child } of picks) {
        if (visit === null || child === null || goal.child === null) continue
        if (goal.group !== own && goal.whole === null && child.residual === null) {
          const whole: FieldGoal = { ...remainderOf(goal, goal.child), elsewhere: true }
          if (isAnswered(whole, goal.group)) {
            add(later, goal.group, whole)
            take(uncut, goal, null)
            smaller.set(goal, null)
            continue
          }
        }
        if (child.uncut === null || goal.type.kind === 'list') continue
        const asked = wanted.find((one) => wholeOf(one) === wholeOf(goal))
        if (asked === undefined) continue
        for (const [other, open] of ascending(child.uncut)) {
          const given = without(restOf(child, open), fieldsOf(child.residual))
          if (isEmpty(given)) continue
          const rest: FieldGoal = { ...remainderOf(goal, given), group: other, elsewhere: true }
          if (!isAnswered(rest, other)) continue
          add(later, other, rest)
          take(uncut, rest, given)
          const left = smaller.get(asked) ?? asked
          if (left.child !== null) smaller.set(asked, remainderOf(left, without(left.child, fieldsOf(given))))
        }
      }
      return smaller
    }
    /** Moves to later groups what need not be asked for with the wanted goals, and answers the rest. */
    const lift = (
      goals: readonly FieldGoal[],
      own: GroupId,
      answer: (wanted: readonly FieldGoal[]) => Local,
    ): Local => {
      let wanted = goals
      let local = answer(wanted)
      for (const find of [fromBelow, fromElsewhere]) {
        const smaller = find(local, wanted, own)
        if (smaller.size === 0) continue
        wanted = wanted.flatMap((goal) => (smaller.has(goal) ? (smaller.get(goal) ?? []) : [goal]))
        local = answer(wanted)
      }
      return local
    }
    const local = lift(sooner, group, solve)
    const cuts: Cut[] = []
    if (again !== null)
      for (let next = lowest(later); next !== undefined; next = lowest(later)) {
        const [other, wanted] = next
        later.delete(other)
        cuts.push({ group: other, local: lift(wanted, other, (some) => again(some, other)) })
      }
    return { ...local, cuts, uncut: uncut.size === 0 ? null : uncut }
  }

  #rest(spread: Spread, group: GroupId, goals: readonly FieldGoal[]): Selection {
    const byGroup = this.#rests.get(spread) ?? new Map<GroupId, Selection>()
    this.#rests.set(spread, byGroup)
    let rest = byGroup.get(group)
    if (rest === undefined) {
      rest = restOf(spread, goals)
      byGroup.set(group, rest)
    }
    return rest
  }

  /** Made once where everything was lifted, so that object types that are asked for the same go on sharing it. */
  #without(spread: Spread, lifted: readonly FieldGoal[]): Selection {
    const all = [...(spread.uncut?.values() ?? [])].reduce((count, goals) => count + goals.length, 0)
    if (lifted.length < all) return without(spread.selection, lifted)
    let reduced = this.#reduced.get(spread)
    if (reduced === undefined) {
      reduced = without(spread.selection, lifted)
      this.#reduced.set(spread, reduced)
    }
    return reduced
  }
}

/** The object is entered by this very field: it was fetched before. */
function isKnown({ goal, visit }: Pick): boolean {
  const inputs = visit?.entity?.inputs ?? []
  return inputs.some((input) => input.visit === null && isPartOf(goal, input.goal))
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

/** What could not be cut at a place, where it may yet be asked for on the way from above: its type must be certain. */
export function uncutOf(selection: Selection, locals: ReadonlyMap<number, Local>): Uncut | null {
  const [only, ...others] = selection.byType.keys()
  if (only !== selection.type || others.length > 0) return null
  return locals.get(only)?.uncut ?? null
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

function restOf({ selection }: Spread, goals: readonly FieldGoal[]): Selection {
  return { type: selection.type, byType: new Map([[selection.type, goals]]) }
}

function ascending(uncut: Uncut): readonly (readonly [GroupId, readonly FieldGoal[]])[] {
  return [...uncut].sort(([a], [b]) => a - b)
}

function isEmpty({ byType }: Selection): boolean {
  return [...byType.values()].every((goals) => goals.length === 0)
}

/** None where there may be objects of several types. */
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

/** What is cut after all is not left for further up; `given` null: the whole goal. */
function take(uncut: Map<GroupId, FieldGoal[]>, cut: FieldGoal, given: Selection | null): void {
  const left = (uncut.get(cut.group) ?? []).flatMap((goal) => {
    if (wholeOf(goal) !== wholeOf(cut)) return [goal]
    if (given === null || goal.child === null) return []
    const child = without(goal.child, fieldsOf(given))
    return isEmpty(child) ? [] : [remainderOf(goal, child)]
  })
  if (left.length === 0) uncut.delete(cut.group)
  else uncut.set(cut.group, left)
}

function add(byGroup: Map<GroupId, FieldGoal[]>, group: GroupId, goal: FieldGoal): void {
  const known = byGroup.get(group)
  if (known === undefined) byGroup.set(group, [goal])
  else known.push(goal)
}
