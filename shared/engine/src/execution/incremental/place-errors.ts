import { NEXT_TURN, type Pace, type Task } from '../../work/slices.ts'
import type { PendingEntry } from './delivery-plan.ts'
import type { Path } from '../errors/client-paths.ts'
import type { IncrementalEntry } from '../contract/incremental-response.ts'
import type { ResponseError } from '../contract/response.ts'
import { MAX_COPIES } from '../errors/candidate-paths.ts'
import type { CompletedGroup } from './group-completion.ts'
import { MAX_COPIED, pathKey, sizeOf } from '../errors/result-errors.ts'

export type PlacedErrors = {
  readonly incremental: readonly IncrementalEntry[]
  /** By the id that was announced: why it is not delivered in full. */
  readonly rest: ReadonlyMap<string, readonly ResponseError[]>
}

type Fragment = Pick<CompletedGroup, 'entries' | 'failures'>

/** By path: entries, or failures, at the path or below it. */
type Within = ReadonlyMap<string, readonly number[]>

const NOWHERE: PlacedErrors['rest'] = new Map()

/**
 * Gives each error to the entry whose object contains its path. One about a list that the fragment is in is about each of
 * the objects there; one about a field of an object that was announced, of which nothing else is delivered, has an entry
 * without data. The rest say why what was announced is not complete.
 */
export function* placeErrors(
  announced: readonly PendingEntry[],
  fragment: Fragment,
  errors: readonly ResponseError[],
  pace: Pace,
): Task<PlacedErrors> {
  if (errors.length === 0) return { incremental: fragment.entries, rest: NOWHERE }
  const places = new Places(announced, fragment, pace)
  yield* places.prepare()
  for (const error of errors) yield* places.put(error)
  return yield* places.placed()
}

class Places {
  readonly #announced: readonly PendingEntry[]
  readonly #fragment: Fragment
  readonly #pace: Pace
  /** Absolute, by entry. */
  readonly #paths: Path[] = []
  /** By path of its object. */
  readonly #entries = new Map<string, number>()
  readonly #failed = new Map<string, PendingEntry>()
  readonly #announcedAt = new Map<string, PendingEntry>()
  /** By id: the first entry of what was announced. */
  readonly #firstEntry = new Map<string, number>()
  readonly #failedIds = new Set<string>()
  readonly #ofEntry = new Map<number, ResponseError[]>()
  /** By id: of the announced object itself, which has no entry. */
  readonly #ofObject = new Map<string, ResponseError[]>()
  readonly #rest = new Map<string, ResponseError[]>()
  /** Of entries, and of what failed; made when an error is about several of them. */
  #entriesWithin: Within | null = null
  #failedWithin: Within | null = null
  /** Characters of messages that are told more than once. */
  #copied = 0

  constructor(announced: readonly PendingEntry[], fragment: Fragment, pace: Pace) {
    this.#announced = announced
    this.#fragment = fragment
    this.#pace = pace
  }

  /** Makes it possible to find entries, failures and what was announced by their paths. */
  *prepare(): Task {
    const byId = new Map<string, PendingEntry>()
    for (const one of this.#announced) {
      byId.set(one.id, one)
      this.#announcedAt.set(keyOf(one.path), one)
      if (this.#pace.isSpent(1 + one.path.length)) yield NEXT_TURN
    }
    for (const { id, subPath } of this.#fragment.entries) {
      const base = byId.get(id)?.path ?? []
      const path = subPath === undefined ? base : [...base, ...subPath]
      const index = this.#paths.push(path) - 1
      this.#entries.set(keyOf(path), index)
      if (!this.#firstEntry.has(id)) this.#firstEntry.set(id, index)
      if (this.#pace.isSpent(1 + path.length)) yield NEXT_TURN
    }
    for (const { path, announced } of this.#fragment.failures) {
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
    for (const [index, entry] of this.#fragment.entries.entries()) {
      const { id } = entry
      const ofObject = this.#firstEntry.get(id) === index ? this.#ofObject.get(id) : undefined
      if (ofObject !== undefined) incremental.push({ data: {}, id, errors: ofObject })
      const own = this.#ofEntry.get(index)
      incremental.push(own === undefined ? entry : { ...entry, errors: own })
      if (this.#pace.isSpent(1)) yield NEXT_TURN
    }
    return { incremental, rest: this.#rest }
  }

  /** Of what was announced, but of no object that is delivered or failed. */
  *#putWithin(announced: PendingEntry, error: ResponseError): Task {
    const { id, isObject } = announced
    // It tells why those failed that did.
    if (this.#failedIds.has(id) || !this.#firstEntry.has(id)) add(this.#rest, id, error)
    else if (!(yield* this.#putCopies(error))) add(isObject ? this.#ofObject : this.#rest, id, error)
  }

  /** Of no single thing that was announced. */
  *#putAbove(error: ResponseError): Task {
    const { failures } = this.#fragment
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

  /** Gives it to the outermost objects that are delivered at or below its path. false: there is none. */
  *#putCopies(error: ResponseError): Task<boolean> {
    this.#entriesWithin ??= yield* outermostByPrefix(this.#paths, this.#pace)
    const entries = this.#entriesWithin.get(keyOf(error.path ?? [])) ?? []
    for (const entry of this.#affordable(entries, error))
      add(this.#ofEntry, entry, { ...error, path: this.#paths[entry] ?? [] })
    return entries.length > 0
  }

  /** All of the places, until there are too many copies: then an error is told at the first of them. */
  #affordable<Place>(places: readonly Place[], error: ResponseError): readonly Place[] {
    if (places.length < 2) return places
    if (this.#copied <= MAX_COPIED) this.#copied += (places.length - 1) * sizeOf(error)
    return this.#copied > MAX_COPIED ? places.slice(0, 1) : places
  }
}

/** By the path, and by all that leads to it: which of the paths are there that are in none of the others. */
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
