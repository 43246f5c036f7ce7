/**
 * Chooses one option for each goal, so that all goals together cost least.
 *
 * Goals with equal options are chosen as one group. If there are few combinations all of them are tried;
 * otherwise a good start is improved group by group.
 */
import type { FieldEdge } from '../../graph/moves/query-graph.ts'
import type { Budget } from '../../work/planning-budget.ts'
import {
  costOf,
  LATE_LEAF_COST,
  MISSING_COST,
  CallsInUse,
  type SelectionSolution,
  type PossibleCall,
} from './solution.ts'

/** One way to answer a goal. */
export type GoalOption = {
  /** The call that answers the goal, or null if the objects that are there already answer it. */
  readonly call: PossibleCall | null
  /** The calls that must be made, the answering call included. */
  readonly needs: ReadonlySet<PossibleCall>
  readonly edge: FieldEdge
  readonly child: SelectionSolution | null
  /** The cost of the field and everything below it, without the calls in `needs`. */
  readonly cost: number
  /** The leaves that a root call leaves to further calls. */
  readonly lateLeaves: number
  /** How many leaves the option does not answer. */
  readonly missing: number
}

/** Most options of a goal that are looked at: the cheapest ones. */
const MAX_OPTIONS = 5
/** All combinations are tried if there are no more than these. */
const MAX_COMBINATIONS = 2000
/** A start is improved so often at most. */
const MAX_ROUNDS = 4

/** The option of each goal, null for a goal without options. `requests` are made anyway. */
export function chooseOptions(
  optionsByGoal: readonly (readonly GoalOption[])[],
  budget: Budget,
  requests: ReadonlySet<number>,
): readonly (GoalOption | null)[] {
  if (optionsByGoal.every((options) => options.length < 2)) return optionsByGoal.map(([only]) => only ?? null)
  const groups = grouped(optionsByGoal, budget, requests)
  let combinations = 1
  for (const group of groups) combinations *= group.options.length
  const chosen =
    combinations <= MAX_COMBINATIONS
      ? exhaustive(groups, budget, requests)
      : improved(groups, budget, requests)
  const result: (GoalOption | null)[] = optionsByGoal.map(() => null)
  for (const [index, group] of groups.entries()) {
    const pick = chosen[index] ?? 0
    for (const [goal, options] of group.members) {
      result[goal] = options[group.order[pick] ?? 0] ?? null
    }
  }
  return result
}

/** Goals with equal options, which are chosen together. */
type GoalGroup = {
  /** Best first; `order` gives their indices in the members' own lists. */
  readonly options: readonly GoalOption[]
  readonly order: readonly number[]
  readonly members: [goal: number, options: readonly GoalOption[]][]
}

function grouped(
  optionsByGoal: readonly (readonly GoalOption[])[],
  budget: Budget,
  requests: ReadonlySet<number>,
): readonly GoalGroup[] {
  const coverage = new Map<number, number>()
  for (const options of optionsByGoal)
    for (const sub of new Set(options.map(subOf))) coverage.set(sub, (coverage.get(sub) ?? 0) + 1)
  const groups = new Map<string, GoalGroup>()
  for (const [goal, options] of optionsByGoal.entries()) {
    if (options.length === 0) continue
    budget.step(options.length / 4)
    const signature = options.map(signatureOf).join(';')
    const known = groups.get(signature)
    if (known !== undefined) {
      known.members.push([goal, options])
      continue
    }
    const order = [...options.keys()].sort((a, b) => compare(options[a], options[b], coverage, requests))
    const kept = order.slice(0, MAX_OPTIONS)
    groups.set(signature, {
      options: kept.flatMap((index) => options[index] ?? []),
      order: kept,
      members: [[goal, options]],
    })
  }
  return [...groups.values()]
}

function signatureOf(option: GoalOption): string {
  const needs = [...option.needs].map((call) => call.id).sort((a, b) => a - b)
  return `${option.call?.id ?? ''}:${needs.join(',')}:${option.cost}:${option.lateLeaves}:${option.missing}`
}

function subOf(option: GoalOption): number {
  return option.call?.node.sub ?? -1
}

function compare(
  a: GoalOption | undefined,
  b: GoalOption | undefined,
  coverage: ReadonlyMap<number, number>,
  requests: ReadonlySet<number>,
): number {
  if (a === undefined || b === undefined) return 0
  return (
    a.missing - b.missing ||
    a.cost + costOf(a.needs, requests) - (b.cost + costOf(b.needs, requests)) ||
    a.lateLeaves - b.lateLeaves ||
    (coverage.get(subOf(b)) ?? 0) - (coverage.get(subOf(a)) ?? 0) ||
    subOf(a) - subOf(b)
  )
}

function priceOf(group: GoalGroup, option: GoalOption): number {
  return (
    group.members.length * (option.cost + LATE_LEAF_COST * option.lateLeaves + MISSING_COST * option.missing)
  )
}

/** The best of all combinations: the index of the option of each group. */
function exhaustive(
  groups: readonly GoalGroup[],
  budget: Budget,
  requests: ReadonlySet<number>,
): readonly number[] {
  const open = new CallsInUse(requests)
  const current: number[] = groups.map(() => 0)
  let best: readonly number[] = [...current]
  let bestCost = Number.POSITIVE_INFINITY
  const search = (index: number, cost: number): void => {
    if (cost >= bestCost) return
    const group = groups[index]
    if (group === undefined) {
      bestCost = cost
      best = [...current]
      return
    }
    for (const [pick, option] of group.options.entries()) {
      budget.step((1 + option.needs.size) / 4)
      current[index] = pick
      let extra = priceOf(group, option)
      for (const call of option.needs) extra += open.add(call)
      search(index + 1, cost + extra)
      for (const call of option.needs) open.remove(call)
    }
  }
  search(0, 0)
  return best
}

/**
 * Starts with the best option of each group by itself, and moves groups as long as that makes the whole
 * cheaper.
 */
function improved(
  groups: readonly GoalGroup[],
  budget: Budget,
  requests: ReadonlySet<number>,
): readonly number[] {
  const assignment = new Assignment(groups, budget, requests)
  const byCall = new Map<PossibleCall, (readonly [group: number, pick: number])[]>()
  for (const [index, group] of groups.entries())
    for (const [pick, { call }] of group.options.entries()) {
      if (call === null) continue
      const places = byCall.get(call) ?? []
      byCall.set(call, places)
      if (places.at(-1)?.[0] !== index) places.push([index, pick])
    }
  let changed = true
  for (let round = 0; changed && round < MAX_ROUNDS; round++) {
    changed = false
    // All groups that a call can answer move to it at once: for a single one the call would cost too much.
    for (const places of byCall.values()) changed = assignment.consider(places) || changed
    for (const [index, group] of groups.entries())
      for (const pick of group.options.keys()) changed = assignment.consider([[index, pick]]) || changed
  }
  return assignment.picks
}

/** One option chosen for each group, and the calls that these options need. */
class Assignment {
  readonly picks: number[]
  readonly #groups: readonly GoalGroup[]
  readonly #budget: Budget
  readonly #open: CallsInUse

  constructor(groups: readonly GoalGroup[], budget: Budget, requests: ReadonlySet<number>) {
    this.#open = new CallsInUse(requests)
    this.#groups = groups
    this.#budget = budget
    this.picks = groups.map(() => 0)
    for (const index of groups.keys()) this.#take(index, 0)
  }

  /** Makes the moves if they make the whole cheaper, and tells whether they do. */
  consider(moves: readonly (readonly [group: number, pick: number])[]): boolean {
    const before = moves.map(([group]) => [group, this.picks[group] ?? 0] as const)
    if (this.#move(moves) < 0) return true
    this.#move(before)
    return false
  }

  /** Makes the moves, and returns by how much the whole gets dearer. */
  #move(moves: readonly (readonly [group: number, pick: number])[]): number {
    let change = 0
    for (const [group] of moves) change -= this.#leave(group)
    for (const [group, pick] of moves) change += this.#take(group, pick)
    return change
  }

  #take(index: number, pick: number): number {
    const group = this.#groups[index]
    const option = group?.options[pick]
    this.picks[index] = pick
    if (group === undefined || option === undefined) return 0
    this.#budget.step((1 + option.needs.size) / 8)
    let cost = priceOf(group, option)
    for (const call of option.needs) cost += this.#open.add(call)
    return cost
  }

  #leave(index: number): number {
    const group = this.#groups[index]
    const option = group?.options[this.picks[index] ?? 0]
    if (group === undefined || option === undefined) return 0
    let cost = priceOf(group, option)
    for (const call of option.needs) cost += this.#open.remove(call)
    return cost
  }
}
