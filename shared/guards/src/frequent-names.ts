/**
 * Counts by name, for names that anybody can make up: the frequent ones are kept, in bounded memory.
 *
 * Which names are kept follows "space saving" (Metwally, Agrawal and El Abbadi, Efficient computation of
 * frequent and top-k elements in data streams, 2005): a new name takes the place of the least frequent one
 * and inherits its rank. A name with more than 1/64 of all requests is therefore always among them. The
 * counts themselves are not inherited: they are exact from the moment on from which the name was kept.
 */
import { FIGURES_NAME, MOST_NAME_CHARACTERS } from './figures.ts'

/** Names that are kept. More than are reported, so that those that are reported seldom change. */
const MOST_KEPT = 64

/** One kept name. */
export type NameCounts = {
  readonly name: string
  /** The caller's counts, as many as it said. */
  readonly counts: number[]
  /** How often the name was met since it is kept. */
  met: number
  /** The rank of the name whose place it took: how often it may have been met before, at most. */
  readonly inherited: number
}

/** The most frequent names of an endless sequence, and what their user counts of each. */
export class FrequentNames {
  readonly #kept = new Map<string, NameCounts>()
  readonly #width: number

  /** Makes an empty table of names with `width` counts each. */
  constructor(width: number) {
    this.#width = width
  }

  /**
   * Returns the entry of a name that was just met, for the caller to count in; null if the name has not the
   * form of one.
   */
  counted(name: string): NameCounts | null {
    const found = this.#kept.get(name)
    if (found !== undefined) {
      found.met += 1
      return found
    }
    if (name.length > MOST_NAME_CHARACTERS || !FIGURES_NAME.test(name)) return null
    return this.#admit(name)
  }

  /** Returns up to `most` names, the most frequent ones first. */
  mostFrequent(most: number): readonly NameCounts[] {
    return [...this.#kept.values()]
      .toSorted((one, other) => other.met - one.met || (one.name < other.name ? -1 : 1))
      .slice(0, most)
  }

  #admit(name: string): NameCounts {
    const least = this.#kept.size < MOST_KEPT ? null : this.#leastFrequent()
    if (least !== null) this.#kept.delete(least.name)
    // A copy: the name may be a part of a text that is much longer, which it would keep in memory.
    const copy = Buffer.from(name, 'latin1').toString('latin1')
    const entry = {
      name: copy,
      counts: Array.from({ length: this.#width }, () => 0),
      met: 1,
      inherited: least === null ? 0 : rankOf(least),
    }
    this.#kept.set(copy, entry)
    return entry
  }

  #leastFrequent(): NameCounts | null {
    let least: NameCounts | null = null
    for (const entry of this.#kept.values())
      if (least === null || rankOf(entry) < rankOf(least)) least = entry
    return least
  }
}

function rankOf({ met, inherited }: NameCounts): number {
  return met + inherited
}
