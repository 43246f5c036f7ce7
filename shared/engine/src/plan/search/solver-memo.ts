/** What searches share: facts about the graph, kept for its life; and how a search knows that what it found is a fact. */
import { KnownSolutions } from './known-solutions.ts'
import type { EntryPoint } from './solution.ts'

export type SolverMemo = {
  /** By source node and object type. */
  readonly reached: Map<string, readonly EntryPoint[]>
  /** Calls for fields with `@requires`, by what is open. Holds finished lists only. */
  readonly required: WeakMap<readonly EntryPoint[], Map<string, EntryPoint | null>>
  readonly selections: KnownSolutions
  visits: number
}

export function solverMemo(): SolverMemo {
  return { reached: new Map(), required: new WeakMap(), selections: new KnownSolutions(), visits: 0 }
}

export type Found<Result> = {
  readonly result: Result
  /** It depends on nothing that is still being searched, so it holds for ever. */
  readonly isFinal: boolean
  /** The outermost unfinished search it depends on, and whether it changes only when that one is finished. */
  readonly until: number
  readonly isStable: boolean
}

/**
 * Searches meet themselves: keys need keys, requires need requires. What was found while an enclosing search was still
 * incomplete is not kept as a fact, else a "no" of the moment would stay for ever.
 */
export class Progress {
  #open = 0
  #until = Number.POSITIVE_INFINITY
  #isStable = true

  /** The number of the search that would be opened next. */
  get next(): number {
    return this.#open
  }

  /** An unfinished search was looked at. Not stable: what was seen of it may change before it is finished. */
  doubt(search: number, isStable: boolean): void {
    this.#until = Math.min(this.#until, search)
    this.#isStable &&= isStable
  }

  /** A search that may be met again before it is finished. What it saw of itself no longer counts afterwards. */
  search<Result>(find: () => Result): Found<Result> {
    const own = this.#open++
    const found = this.#track(find, own)
    this.#open--
    return found
  }

  /** A part of a search. */
  part<Result>(find: () => Result): Found<Result> {
    return this.#track(find, Number.POSITIVE_INFINITY)
  }

  #track<Result>(find: () => Result, own: number): Found<Result> {
    const outer = { until: this.#until, isStable: this.#isStable }
    this.#until = Number.POSITIVE_INFINITY
    this.#isStable = true
    const result = find()
    const isFinal = this.#until >= own
    const found = { result, isFinal, until: this.#until, isStable: this.#isStable }
    this.#until = isFinal ? outer.until : Math.min(outer.until, found.until)
    this.#isStable = outer.isStable && (isFinal || found.isStable)
    return found
  }
}
