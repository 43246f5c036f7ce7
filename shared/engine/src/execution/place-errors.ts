import type { Announced } from './announcements.ts'
import type { Path } from './client-paths.ts'
import type { IncrementalEntry, ResponseError } from './contract.ts'
import { MAX_COPIES } from './error-paths.ts'
import type { CompletedFragment } from './fragment-completion.ts'
import { pathKey } from './result-errors.ts'

export type PlacedErrors = {
  readonly incremental: readonly IncrementalEntry[]
  /** By the id that was announced: why it is not delivered in full. */
  readonly rest: ReadonlyMap<string, readonly ResponseError[]>
}

type Fragment = Pick<CompletedFragment, 'entries' | 'failures'>

const NOWHERE: PlacedErrors['rest'] = new Map()

/**
 * Gives each error to the entry whose object contains its path. One about a list that the fragment is in is about each of
 * the objects there; one about a field of an object that was announced, of which nothing else is delivered, has an entry
 * without data. The rest say why what was announced is not complete.
 */
export function placeErrors(
  announced: readonly Announced[],
  fragment: Fragment,
  errors: readonly ResponseError[],
): PlacedErrors {
  if (errors.length === 0) return { incremental: fragment.entries, rest: NOWHERE }
  const places = new Places(announced, fragment)
  for (const error of errors) places.put(error)
  return places.placed()
}

class Places {
  readonly #announced: readonly Announced[]
  readonly #fragment: Fragment
  /** Absolute, by entry. */
  readonly #paths: readonly Path[]
  /** By path of its object. */
  readonly #entries = new Map<string, number>()
  readonly #failed = new Map<string, Announced>()
  readonly #announcedAt = new Map<string, Announced>()
  /** By id: the first entry of what was announced. */
  readonly #firstEntry = new Map<string, number>()
  readonly #failedIds = new Map<string, Announced>()
  readonly #ofEntry = new Map<number, ResponseError[]>()
  /** By id: of the announced object itself, which has no entry. */
  readonly #ofObject = new Map<string, ResponseError[]>()
  readonly #rest = new Map<string, ResponseError[]>()

  constructor(announced: readonly Announced[], fragment: Fragment) {
    this.#announced = announced
    this.#fragment = fragment
    const byId = new Map(announced.map((one) => [one.id, one]))
    this.#paths = fragment.entries.map(({ id, subPath }, index) => {
      const base = byId.get(id)?.path ?? []
      const path = subPath === undefined ? base : [...base, ...subPath]
      this.#entries.set(keyOf(path), index)
      if (!this.#firstEntry.has(id)) this.#firstEntry.set(id, index)
      return path
    })
    for (const { path, announced } of fragment.failures) {
      this.#failed.set(keyOf(path), announced)
      this.#failedIds.set(announced.id, announced)
    }
    for (const one of announced) this.#announcedAt.set(keyOf(one.path), one)
  }

  put(error: ResponseError): void {
    const path = error.path ?? []
    for (let length = path.length; length >= 0; length--) {
      const key = pathKey(path, length)
      const entry = this.#entries.get(key)
      if (entry !== undefined) return add(this.#ofEntry, entry, error)
      const failed = this.#failed.get(key)
      if (failed !== undefined) return add(this.#rest, failed.id, error)
      const announced = this.#announcedAt.get(key)
      if (announced !== undefined) return this.#putWithin(announced, error)
    }
    this.#putAbove(error)
  }

  placed(): PlacedErrors {
    const incremental: IncrementalEntry[] = []
    for (const [index, entry] of this.#fragment.entries.entries()) {
      const { id } = entry
      const ofObject = this.#firstEntry.get(id) === index ? this.#ofObject.get(id) : undefined
      if (ofObject !== undefined) incremental.push({ data: {}, id, errors: ofObject })
      const own = this.#ofEntry.get(index)
      incremental.push(own === undefined ? entry : { ...entry, errors: own })
    }
    return { incremental, rest: this.#rest }
  }

  /** Of what was announced, but of no object that is delivered or failed. */
  #putWithin(announced: Announced, error: ResponseError): void {
    const { id, isObject } = announced
    const first = this.#firstEntry.get(id)
    // It tells why those failed that did.
    if (this.#failedIds.has(id) || first === undefined) return add(this.#rest, id, error)
    const outermost = this.#outermostWithin(error.path ?? [], first, id)
    for (const entry of outermost) this.#putCopy(entry, error)
    if (outermost.length === 0) add(isObject ? this.#ofObject : this.#rest, id, error)
  }

  /** Of no single thing that was announced. */
  #putAbove(error: ResponseError): void {
    const path = error.path ?? []
    const failed = [...this.#failedIds.values()]
    if (failed.length > 0) {
      const within = failed.filter((one) => isWithin(one.path, path))
      const told = within.length > 0 ? within : failed
      for (const { id } of told.slice(0, MAX_COPIES)) add(this.#rest, id, error)
      return
    }
    const outermost = this.#outermostWithin(path, 0)
    for (const entry of outermost) this.#putCopy(entry, error)
    const [first] = this.#announced
    if (outermost.length === 0 && first !== undefined) add(this.#rest, first.id, error)
  }

  #putCopy(entry: number, error: ResponseError): void {
    add(this.#ofEntry, entry, { ...error, path: this.#paths[entry] ?? [] })
  }

  /** The outermost objects at or below a path that are delivered, from this entry on, while they are of this id. */
  #outermostWithin(path: Path, from: number, id: string | null = null): readonly number[] {
    const { entries } = this.#fragment
    const found: number[] = []
    let last: Path | null = null
    for (let entry = from; entry < entries.length && found.length < MAX_COPIES; entry++) {
      const object = this.#paths[entry] ?? []
      if (id !== null && entries[entry]?.id !== id) break
      if (!isWithin(object, path) || (last !== null && isWithin(object, last))) continue
      found.push(entry)
      last = object
    }
    return found
  }
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
