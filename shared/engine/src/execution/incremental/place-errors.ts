import { NEXT_TURN, type Pace, type Task } from '../../work/slices.ts'
import type { PendingEntry } from './delivery-plan.ts'
import { type Path, pathKey } from '../errors/client-paths.ts'
import type { IncrementalEntry } from '../contract/incremental-response.ts'
import type { ResponseError } from '../contract/response.ts'
import { MAX_COPIES } from '../errors/candidate-paths.ts'
import type { CompletedGroup } from './group-completion.ts'
import { MAX_COPIED, errorSize } from '../errors/result-errors.ts'

/** The entries of a subsequent result, each with its errors. */
export type PlacedErrors = {
  readonly incremental: readonly IncrementalEntry[]
  /** The errors that stand with `completed`, by the id of their entry of `pending`. */
  readonly rest: ReadonlyMap<string, readonly ResponseError[]>
}

type Completed = Pick<CompletedGroup, 'entries' | 'failures'>

/** The indices of the outermost entries, or failures, at a path or below it, by path. */
type Within = ReadonlyMap<string, readonly number[]>

const NO_ERRORS: PlacedErrors['rest'] = new Map()

/**
 * Gives each error to the entry of `incremental` whose object contains the path of the error.
 *
 * An error about a list above the deferred fragment is given to each entry in that list. An error about a
 * field of an announced object without an entry gets an entry with empty data. All other errors stand with
 * `completed`.
 */
export function* placeErrors(
  announced: readonly PendingEntry[],
  group: Completed,
  errors: readonly ResponseError[],
  pace: Pace,
): Task<PlacedErrors> {
  if (errors.length === 0) return { incremental: group.entries, rest: NO_ERRORS }
  const placing = new ErrorPlacing(announced, group, pace)
  yield* placing.prepare()
  for (const error of errors) yield* placing.put(error)
  return yield* placing.placed()
}

/**
 * The errors that stand with `completed`, each with a path at the announced one or below it. A fetch that
 * failed for the objects of a whole list is an error of that list, and says of each fragment in it why the
 * fragment is not there.
 */
export function* errorsWithin(
  announced: Path,
  errors: readonly ResponseError[],
  pace: Pace,
): Task<readonly ResponseError[]> {
  const within: ResponseError[] = []
  for (const error of errors) {
    within.push(isWithin(error.path ?? [], announced) ? error : { ...error, path: announced })
    if (pace.isSpent(1 + announced.length)) yield NEXT_TURN
  }
  return within
}

class ErrorPlacing {
  readonly #announced: readonly PendingEntry[]
  readonly #group: Completed
  readonly #pace: Pace
  /** The response path of each entry. */
  readonly #paths: Path[] = []
  /** The entry at each response path. */
  readonly #entries = new Map<string, number>()
  readonly #failed = new Map<string, PendingEntry>()
  readonly #announcedAt = new Map<string, PendingEntry>()
  /** The first entry with each id. */
  readonly #firstEntry = new Map<string, number>()
  readonly #failedIds = new Set<string>()
  readonly #ofEntry = new Map<number, ResponseError[]>()
  /** Errors about the announced object itself, which has no entry, by id. */
  readonly #ofObject = new Map<string, ResponseError[]>()
  readonly #rest = new Map<string, ResponseError[]>()
  /** Computed when the first error is about several entries, or failures. */
  #entriesWithin: Within | null = null
  #failedWithin: Within | null = null
  /** Characters of the copies of errors so far. */
  #copied = 0

  constructor(announced: readonly PendingEntry[], group: Completed, pace: Pace) {
    this.#announced = announced
    this.#group = group
    this.#pace = pace
  }

  /** Indexes entries, failures and announced objects by their paths. */
  *prepare(): Task {
    const byId = new Map<string, PendingEntry>()
    for (const one of this.#announced) {
      byId.set(one.id, one)
      this.#announcedAt.set(keyOf(one.path), one)
      if (this.#pace.isSpent(1 + one.path.length)) yield NEXT_TURN
    }
    for (const { id, subPath } of this.#group.entries) {
      const base = byId.get(id)?.path ?? []
      const path = subPath === undefined ? base : [...base, ...subPath]
      const index = this.#paths.push(path) - 1
      this.#entries.set(keyOf(path), index)
      if (!this.#firstEntry.has(id)) this.#firstEntry.set(id, index)
      if (this.#pace.isSpent(1 + path.length)) yield NEXT_TURN
    }
    for (const { path, announced } of this.#group.failures) {
      this.#failed.set(keyOf(path), announced)
      this.#failedIds.add(announced.id)
      if (this.#pace.isSpent(1 + path.length)) yield NEXT_TURN
    }
  }

  *put(error: ResponseError): Task {
    const path = error.path ?? []
    if (this.#pace.isSpent(1 + path.length)) yield NEXT_TURN
    for (let length = path.length; length >= 0; length--) {
      const key = pathKey(path, length)
      const entry = this.#entries.get(key)
      const failed = this.#failed.get(key)
      const announced = this.#announcedAt.get(key)
      if (entry !== undefined) add(this.#ofEntry, entry, error)
      else if (failed !== undefined) add(this.#rest, failed.id, error)
      else if (announced !== undefined) yield* this.#putWithin(announced, error)
      else continue
      return
    }
    yield* this.#putAbove(error)
  }

  *placed(): Task<PlacedErrors> {
    const incremental: IncrementalEntry[] = []
    for (const [index, entry] of this.#group.entries.entries()) {
      const { id } = entry
      const ofObject = this.#firstEntry.get(id) === index ? this.#ofObject.get(id) : undefined
      if (ofObject !== undefined) incremental.push({ data: {}, id, errors: ofObject })
      const own = this.#ofEntry.get(index)
      incremental.push(own === undefined ? entry : { ...entry, errors: own })
      if (this.#pace.isSpent(1)) yield NEXT_TURN
    }
    return { incremental, rest: this.#rest }
  }

  /** Places an error below an announced path, but in no object that was delivered or that failed. */
  *#putWithin(announced: PendingEntry, error: ResponseError): Task {
    const { id, isObject } = announced
    // If an object failed, the error says why.
    if (this.#failedIds.has(id) || !this.#firstEntry.has(id)) add(this.#rest, id, error)
    else if (!(yield* this.#putCopies(error))) add(isObject ? this.#ofObject : this.#rest, id, error)
  }

  /** Places an error above all announced paths. */
  *#putAbove(error: ResponseError): Task {
    const { failures } = this.#group
    if (failures.length > 0) {
      this.#failedWithin ??= yield* outermostByPrefix(
        failures.map(({ path }) => path),
        this.#pace,
      )
      const within = this.#failedWithin.get(keyOf(error.path ?? [])) ?? [
        ...failures.slice(0, MAX_COPIES).keys(),
      ]
      const ids = new Set(within.flatMap((index) => failures[index]?.announced.id ?? []))
      for (const id of this.#affordable([...ids], error)) add(this.#rest, id, error)
      return
    }
    const [first] = this.#announced
    if (!(yield* this.#putCopies(error)) && first !== undefined) add(this.#rest, first.id, error)
  }

  /** Gives an error to the outermost entries at or below its path. Returns false if there is none. */
  *#putCopies(error: ResponseError): Task<boolean> {
    this.#entriesWithin ??= yield* outermostByPrefix(this.#paths, this.#pace)
    const entries = this.#entriesWithin.get(keyOf(error.path ?? [])) ?? []
    for (const entry of this.#affordable(entries, error))
      add(this.#ofEntry, entry, { ...error, path: this.#paths[entry] ?? [] })
    return entries.length > 0
  }

  /** All indices or ids, as long as the copies of errors are not too large; otherwise the first one only. */
  #affordable<Target>(targets: readonly Target[], error: ResponseError): readonly Target[] {
    if (targets.length < 2) return targets
    if (this.#copied <= MAX_COPIED) this.#copied += (targets.length - 1) * errorSize(error)
    return this.#copied > MAX_COPIED ? targets.slice(0, 1) : targets
  }
}

/**
 * Finds the outermost of the paths at or below each path, for every path and every path above it. A path is
 * outermost if it lies below no other of them.
 */
function* outermostByPrefix(paths: readonly Path[], pace: Pace): Task<Within> {
  const found = new Map<string, number[]>()
  for (const [index, path] of paths.entries()) {
    for (let length = 0; length <= path.length; length++) {
      const key = pathKey(path, length)
      const known = found.get(key)
      if (known === undefined) found.set(key, [index])
      else if (known.length < MAX_COPIES && !isWithin(path, paths[known.at(-1) ?? -1] ?? []))
        known.push(index)
    }
    if (pace.isSpent(1 + path.length)) yield NEXT_TURN
  }
  return found
}

function add<Key>(errors: Map<Key, ResponseError[]>, key: Key, error: ResponseError): void {
  const others = errors.get(key)
  if (others === undefined) errors.set(key, [error])
  else others.push(error)
}

function keyOf(path: Path): string {
  return pathKey(path, path.length)
}

function isWithin(path: Path, outer: Path): boolean {
  return outer.every((segment, index) => segment === path[index])
}
