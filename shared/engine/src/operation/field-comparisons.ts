/**
 * Estimates how many fields validation compares with each other (Field Selection Merging,
 * https://spec.graphql.org/draft/#sec-Field-Selection-Merging), before it does: each pair of fields that
 * share a response key in one selection, with all pairs of what is selected below both, and each pair of
 * fragments that are spread in one selection.
 *
 * Pairs are not enumerated, as there may be millions. The pairs below two fields are at most the root of the
 * product of what there would be below each one and its like, so that all pairs of a response key follow from
 * one sum (inequality of Cauchy and Schwarz).
 */
import type { FieldNode } from 'graphql'
import { WorkBudget } from '../work/budget.ts'

const MAX_COMPARISONS = 20_000
/** Without anything below, two fields are compared in no time, unless they have arguments. */
const LEAF = 1 / 8
const LEAF_WITH_ARGUMENTS = 1 / 2
/** For finding out what two selections have in common, and that they were compared already. */
const FRAGMENTS = 1 / 4
const KNOWN_FRAGMENTS = 1 / 8

/** By response key, the sum of the roots of what comparing each of its fields with one like it takes. */
type Roots = ReadonlyMap<string, number>

/** What one selection set selects, its inline fragments included. */
export class ComparedSelection {
  readonly roots = new Map<string, number>()
  /** Fragments that are spread in it. */
  readonly spreads = new Set<ComparedSelection>()
}

/**
 * Counts the comparisons of an operation. Takes steps from the budget, which throws when they are too many.
 */
export class FieldComparisons {
  readonly #budget: WorkBudget
  readonly #compared = new Map<ComparedSelection, Set<ComparedSelection>>()

  constructor(exceeded: () => Error) {
    this.#budget = new WorkBudget(MAX_COMPARISONS, exceeded)
  }

  /** `below`: null for a leaf. */
  addField({ roots }: ComparedSelection, field: FieldNode, below: ComparedSelection | null): void {
    const key = (field.alias ?? field.name).value
    const leaf = (field.arguments ?? []).length === 0 ? LEAF : LEAF_WITH_ARGUMENTS
    const root = Math.sqrt(below === null ? leaf : 1 + this.#withLike(below))
    const before = roots.get(key) ?? 0
    this.#budget.step(before * root)
    roots.set(key, before + root)
  }

  /** Once all that it selects was added. */
  compareSpreads(selection: ComparedSelection): void {
    const { roots, spreads } = selection
    if (spreads.size === 0) return
    for (const fragment of reached(selection)) this.#budget.step(FRAGMENTS + inCommon(roots, fragment.roots))
    const before: ComparedSelection[] = []
    for (const fragment of spreads) {
      for (const other of before) this.#compareFragments(fragment, other)
      before.push(fragment)
    }
  }

  /** Two fragments are compared once, wherever they are spread, and with them those that they spread. */
  #compareFragments(one: ComparedSelection, other: ComparedSelection): void {
    if (one === other || this.#areCompared(one, other)) return this.#budget.step(KNOWN_FRAGMENTS)
    this.#budget.step(FRAGMENTS + inCommon(one.roots, other.roots))
    for (const spread of other.spreads) this.#compareFragments(one, spread)
    for (const spread of one.spreads) this.#compareFragments(spread, other)
  }

  /** If they were not, they are now. */
  #areCompared(one: ComparedSelection, other: ComparedSelection): boolean {
    if (this.#compared.get(other)?.has(one) === true) return true
    const compared = this.#compared.get(one)
    if (compared === undefined) this.#compared.set(one, new Set([other]))
    else if (compared.has(other)) return true
    else compared.add(other)
    return false
  }

  /** What comparing a selection with one like it takes. */
  #withLike(selection: ComparedSelection): number {
    let all: Roots = selection.roots
    if (selection.spreads.size > 0) {
      const merged = new Map(all)
      for (const spread of reached(selection)) {
        this.#budget.step(KNOWN_FRAGMENTS)
        for (const [key, root] of spread.roots) merged.set(key, (merged.get(key) ?? 0) + root)
      }
      all = merged
    }
    let sum = 0
    for (const root of all.values()) sum += root ** 2
    return sum
  }
}

/** The fragments that are spread in a selection, and those that are spread in them. */
function reached(selection: ComparedSelection): ReadonlySet<ComparedSelection> {
  const found = new Set(selection.spreads)
  // A set is visited to its end, also where that is put off meanwhile.
  for (const fragment of found) for (const spread of fragment.spreads) found.add(spread)
  return found
}

function inCommon(one: Roots, other: Roots): number {
  const [small, large] = one.size < other.size ? [one, other] : [other, one]
  let sum = 0
  for (const [key, root] of small) sum += root * (large.get(key) ?? 0)
  return sum
}
