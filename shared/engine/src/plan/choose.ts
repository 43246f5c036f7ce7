/**
 * Which subgraph answers which goal, so that the visits that takes cost least together.
 *
 * Goals with the same options stand or fall together, so they are chosen as one group. Few combinations are tried
 * exhaustively; many by improving a good start.
 */
import type { Edge } from './schema-view.ts'
import { costOf, MISSING_COST, type Spread, type Visit, visitCost } from './solution.ts'

export type Option = {
  readonly visit: Visit | null
  readonly needs: ReadonlySet<Visit>
  readonly edge: Edge
  readonly child: Spread | null
  /** Of the field and what is below it. */
  readonly cost: number
  /** Leaves that would still be missing. */
  readonly missing: number
}

const MAX_OPTIONS = 5
const MAX_COMBINATIONS = 2000
const MAX_ROUNDS = 4
/** Beyond this, only visits as a whole are moved: trying every goal by itself is quadratic. */
const MAX_SINGLE_MOVES = 150

/** For each goal the chosen option; null where there is none. */
export function chooseOptions(optionsByGoal: readonly (readonly Option[])[]): readonly (Option | null)[] {
  const groups = grouped(optionsByGoal)
  let combinations = 1
  for (const group of groups) combinations *= group.options.length
  const chosen = combinations <= MAX_COMBINATIONS ? exhaustive(groups) : improved(groups)
  const result: (Option | null)[] = optionsByGoal.map(() => null)
  for (const [index, group] of groups.entries()) {
    const pick = chosen[index] ?? 0
    for (const [goal, options] of group.members) {
      result[goal] = options[group.order[pick] ?? 0] ?? null
    }
  }
  return result
}

type Group = {
  /** Best first; `order` gives their places in the members' own lists. */
  readonly options: readonly Option[]
  readonly order: readonly number[]
  readonly members: [goal: number, options: readonly Option[]][]
}

function grouped(optionsByGoal: readonly (readonly Option[])[]): readonly Group[] {
  const coverage = new Map<number, number>()
  for (const options of optionsByGoal)
    for (const sub of new Set(options.map(subOf))) coverage.set(sub, (coverage.get(sub) ?? 0) + 1)
  const groups = new Map<string, Group>()
  for (const [goal, options] of optionsByGoal.entries()) {
    if (options.length === 0) continue
    const signature = options.map(signatureOf).join(';')
    const known = groups.get(signature)
    if (known !== undefined) {
      known.members.push([goal, options])
      continue
    }
    const order = [...options.keys()].sort((a, b) => compare(options[a], options[b], coverage))
    const kept = order.slice(0, MAX_OPTIONS)
    groups.set(signature, {
      options: kept.flatMap((index) => options[index] ?? []),
      order: kept,
      members: [[goal, options]],
    })
  }
  return [...groups.values()]
}

function signatureOf(option: Option): string {
  const needs = [...option.needs].map((visit) => visit.id).sort((a, b) => a - b)
  return `${option.visit?.id ?? ''}:${needs.join(',')}:${option.cost}:${option.missing}`
}

function subOf(option: Option): number {
  return option.visit?.node.sub ?? -1
}

function compare(
  a: Option | undefined,
  b: Option | undefined,
  coverage: ReadonlyMap<number, number>,
): number {
  if (a === undefined || b === undefined) return 0
  return (
    a.missing - b.missing ||
    a.cost + costOf(a.needs) - (b.cost + costOf(b.needs)) ||
    (coverage.get(subOf(b)) ?? 0) - (coverage.get(subOf(a)) ?? 0) ||
    subOf(a) - subOf(b)
  )
}

function priceOf(group: Group, option: Option): number {
  return group.members.length * (option.cost + MISSING_COST * option.missing)
}

function exhaustive(groups: readonly Group[]): readonly number[] {
  const open = new Map<Visit, number>()
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
      current[index] = pick
      let extra = priceOf(group, option)
      for (const visit of option.needs) {
        const users = open.get(visit) ?? 0
        if (users === 0) extra += visitCost(visit)
        open.set(visit, users + 1)
      }
      search(index + 1, cost + extra)
      for (const visit of option.needs) open.set(visit, (open.get(visit) ?? 1) - 1)
    }
  }
  search(0, 0)
  return best
}

function improved(groups: readonly Group[]): readonly number[] {
  let current: readonly number[] = groups.map(() => 0)
  let cost = totalCost(groups, current)
  const consider = (candidate: readonly number[]): boolean => {
    const price = totalCost(groups, candidate)
    if (price >= cost) return false
    current = candidate
    cost = price
    return true
  }
  const visits = new Set(groups.flatMap((group) => group.options.flatMap((option) => option.visit ?? [])))
  let changed = true
  for (let round = 0; changed && round < MAX_ROUNDS; round++) {
    changed = false
    // All that a visit can answer moves there at once: single moves never pay for opening it.
    for (const visit of visits) {
      const moved = groups.map((group, index) => {
        const place = group.options.findIndex((option) => option.visit === visit)
        return place === -1 ? (current[index] ?? 0) : place
      })
      changed = consider(moved) || changed
    }
    if (groups.length > MAX_SINGLE_MOVES) continue
    for (const [index, group] of groups.entries())
      for (const pick of group.options.keys())
        changed = consider(current.map((old, other) => (other === index ? pick : old))) || changed
  }
  return current
}

function totalCost(groups: readonly Group[], picks: readonly number[]): number {
  const open = new Set<Visit>()
  let cost = 0
  for (const [index, group] of groups.entries()) {
    const option = group.options[picks[index] ?? 0]
    if (option === undefined) continue
    cost += priceOf(group, option)
    for (const visit of option.needs) open.add(visit)
  }
  return cost + costOf(open)
}
