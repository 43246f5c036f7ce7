/**
 * Estimates, before validation, how many fields it will compare with each other (Field Selection Merging,
 * https://spec.graphql.org/draft/#sec-Field-Selection-Merging).
 *
 * Compared are the fields of one selection that share a response key, pair by pair, then everything that is
 * selected below both of a pair, and the fragments that one selection spreads, pair by pair.
 *
 * The pairs are not counted one by one, as there may be millions. Let c(f) be what it takes to compare a
 * field f with a copy of itself. By the inequality of Cauchy and Schwarz, to compare f with g takes at most
 * √c(f) · √c(g). So all pairs of fields f, g, h … with one key take at most (√c(f) + √c(g) + √c(h) + …)², and
 * it is enough to keep that sum of roots for each key.
 */
import type { FieldNode } from 'graphql'
import { WorkBudget } from '../work/budget.ts'

const MAX_COMPARISONS = 20_000
/** The work of comparing two leaves, which is little unless they have arguments. */
const LEAF = 1 / 8
const LEAF_WITH_ARGUMENTS = 1 / 2
/** The work of comparing two fragments: for the first time, and to find that they were compared before. */
const FRAGMENTS = 1 / 4
const KNOWN_FRAGMENTS = 1 / 8

/** The sum of the roots of c(f) for each response key, over the fields f that have the key. */
type RootsByKey = ReadonlyMap<string, number>

/** A selection set together with its inline fragments, while it is measured. */
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

  /** Adds a field to a selection. `below` is what the field selects; null for a leaf. */
  addField({ roots }: ComparedSelection, field: FieldNode, below: ComparedSelection | null): void {
    const key = (field.alias ?? field.name).value
    const leaf = (field.arguments ?? []).length === 0 ? LEAF : LEAF_WITH_ARGUMENTS
    const root = Math.sqrt(below === null ? leaf : 1 + this.#withLike(below))
    const before = roots.get(key) ?? 0
    this.#budget.step(before * root)
    roots.set(key, before + root)
  }

  /** Compares the fragments that a selection spreads, once all its fields and fragments were added. */
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

  /** Compares two fragments and those that they spread: once, wherever they are spread together. */
  #compareFragments(one: ComparedSelection, other: ComparedSelection): void {
    if (one === other || this.#areCompared(one, other)) return this.#budget.step(KNOWN_FRAGMENTS)
    this.#budget.step(FRAGMENTS + inCommon(one.roots, other.roots))
    for (const spread of other.spreads) this.#compareFragments(one, spread)
    for (const spread of one.spreads) this.#compareFragments(spread, other)
  }

  /** Whether two fragments were compared before. From now on they count as compared. */
  #areCompared(one: ComparedSelection, other: ComparedSelection): boolean {
    if (this.#compared.get(other)?.has(one) === true) return true
    const compared = this.#compared.get(one)
    if (compared === undefined) this.#compared.set(one, new Set([other]))
    else if (compared.has(other)) return true
    else compared.add(other)
    return false
  }

  /** Returns the work of comparing a selection with a copy of itself. */
  #withLike(selection: ComparedSelection): number {
    let all: RootsByKey = selection.roots
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
  // A loop over a set also comes to what is added during the loop.
  for (const fragment of found) for (const spread of fragment.spreads) found.add(spread)
  return found
}

/** Returns the work of comparing the fields of two selections that share response keys. */
function inCommon(one: RootsByKey, other: RootsByKey): number {
  const [small, large] = one.size < other.size ? [one, other] : [other, one]
  let sum = 0
  for (const [key, root] of small) sum += root * (large.get(key) ?? 0)
  return sum
}
