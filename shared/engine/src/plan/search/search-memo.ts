/**
 * The results that searches remember for the life of a graph, and the rule by which a search knows that a
 * result may be remembered.
 *
 * A search may come back to a question that it is still working on: the key of B is found through C, and the
 * key of C through B. The inner search then goes on with what is known so far. Its result may be too
 * pessimistic, so the result is used once, but not remembered.
 */
import type { Graph } from '../../graph/graph.ts'
import { KeyGoals } from './key-goals.ts'
import { KnownSolutions } from './known-solutions.ts'
import type { EntryPoint } from './solution.ts'

/** The results that searches have found about a graph. */
export type SearchMemo = {
  /** The goals of keys and `@requires`: known solutions are found again by them. */
  readonly keyGoals: KeyGoals
  /** The entry points of a source, by the ids of its node and of the object type. */
  readonly entryPoints: Map<string, readonly EntryPoint[]>
  /**
   * Calls that are made for single fields, as those with `@requires`; by the entries they can start from,
   * then by node and field. Only finished lists of entries are keys.
   */
  readonly entriesForFields: WeakMap<readonly EntryPoint[], Map<string, EntryPoint | null>>
  readonly selections: KnownSolutions
  /** How many calls were made so far: the id of the next one. */
  callCount: number
}

/** An empty memo for searches in a graph. */
export function emptySearchMemo(graph: Graph): SearchMemo {
  return {
    keyGoals: new KeyGoals(graph),
    entryPoints: new Map(),
    entriesForFields: new WeakMap(),
    selections: new KnownSolutions(),
    callCount: 0,
  }
}

/** A result, and how long it holds. */
export type TrackedResult<Result> = {
  readonly result: Result
  /** It depends on nothing that is still being searched, so it holds for ever. */
  readonly isFinal: boolean
  /** The number of the outermost unfinished search that the result depends on. */
  readonly until: number
  /** The result cannot change before that search is finished. */
  readonly isStable: boolean
}

/**
 * Keeps track of the unfinished searches that a result depends on. They are numbered from the outermost one,
 * which is 0.
 */
export class UnfinishedSearches {
  #open = 0
  #until = Number.POSITIVE_INFINITY
  #isStable = true

  /** The number of the search that would be opened next. */
  get next(): number {
    return this.#open
  }

  /** Notes that the current result depends on an unfinished search. Not stable: it may still find more. */
  doubt(search: number, isStable: boolean): void {
    this.#until = Math.min(this.#until, search)
    this.#isStable &&= isStable
  }

  /** Runs a search that may meet itself. Once it is finished, its result no longer depends on itself. */
  search<Result>(find: () => Result): TrackedResult<Result> {
    const own = this.#open++
    const found = this.#track(find, own)
    this.#open--
    return found
  }

  /** Runs a part of a search that cannot meet itself. */
  part<Result>(find: () => Result): TrackedResult<Result> {
    return this.#track(find, Number.POSITIVE_INFINITY)
  }

  #track<Result>(find: () => Result, own: number): TrackedResult<Result> {
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
