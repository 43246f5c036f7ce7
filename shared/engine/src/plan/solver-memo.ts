/** What searches share: facts about the graph, kept for its life; and how a search knows that what it found is a fact. */
import type { Selection } from '../operation/normalised.ts'
import type { Opened, Spread } from './solution.ts'

export type SolverMemo = {
  /** By source node and object type. */
  readonly reached: Map<string, readonly Opened[]>
  /** Calls for fields with `@requires`, by what is open. Holds finished lists only. */
  readonly required: WeakMap<readonly Opened[], Map<string, Opened | null>>
  /** Those of client selections go with their operation: the map is weak. */
  readonly spreads: WeakMap<Selection, Map<number, Spread>>
  visits: number
}

export function solverMemo(): SolverMemo {
  return { reached: new Map(), required: new WeakMap(), spreads: new WeakMap(), visits: 0 }
}

/**
 * Searches meet themselves: keys need keys, requires need requires. What was found while an enclosing search was still
 * incomplete is not kept, else a "no" of the moment would stay for ever.
 */
export class Progress {
  #provisional = false
  #open = 0

  /** Something unfinished was looked at: what depends on it is not to be kept. */
  doubt(): void {
    this.#provisional = true
  }

  /** A search that may be met again before it is finished. Once it is, and nothing around it is open, its result stands. */
  search<Result>(find: () => Result): { readonly result: Result; readonly isFinal: boolean } {
    this.#open++
    return this.#track(find, () => --this.#open === 0)
  }

  /** A part of a search. */
  part<Result>(find: () => Result): { readonly result: Result; readonly isFinal: boolean } {
    return this.#track(find, () => false)
  }

  #track<Result>(find: () => Result, isOutermost: () => boolean) {
    const outer = this.#provisional
    this.#provisional = false
    const result = find()
    const isFinal = isOutermost() || !this.#provisional
    this.#provisional = outer || !isFinal
    return { result, isFinal }
  }
}
