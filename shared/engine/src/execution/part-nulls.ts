import type { FetchId } from '../plan/plan.ts'
import type { Path } from './client-paths.ts'
import { pathKey } from './result-errors.ts'

/** What one fetch left null. */
type Missed = {
  /** The nulls and all that is above them. */
  readonly above: Set<string>
  /** The same of those nulls for which the fetch did not even give the object. */
  readonly lostAbove: Set<string>
  /** The objects that the fetch did not give. */
  readonly lost: Set<string>
}

/** Where one part of the response has null, and which fetch should have given what is not there. */
export class PartNulls {
  readonly #places = new Set<string>()
  readonly #missed = new Map<FetchId, Missed>()

  add(fetch: FetchId, path: Path, objectMissing: boolean): void {
    this.#places.add(pathKey(path, path.length))
    let missed = this.#missed.get(fetch)
    if (missed === undefined) {
      missed = { above: new Set(), lostAbove: new Set(), lost: new Set() }
      this.#missed.set(fetch, missed)
    }
    if (objectMissing) missed.lost.add(pathKey(path, path.length - 1))
    for (let length = path.length; length >= 0; length--) {
      const key = pathKey(path, length)
      missed.above.add(key)
      if (objectMissing) missed.lostAbove.add(key)
    }
  }

  /** Fetches that left something null. */
  get fetches(): Iterable<FetchId> {
    return this.#missed.keys()
  }

  /** There is a null at the path, or on the way to it. */
  isOnTheWay(path: Path): boolean {
    for (let length = path.length; length >= 0; length--)
      if (this.#places.has(pathKey(path, length))) return true
    return false
  }

  /** The fetch left something null below the path, or in an object of which the path names another field. */
  isNear(fetch: FetchId, path: Path): boolean {
    const missed = this.#missed.get(fetch)
    return missed !== undefined && (missed.above.has(pathKey(path, path.length)) || isIn(missed.lost, path))
  }

  /** The same, as far as the fetch did not give the object: then it may not have been called for it. */
  isNearLost(fetch: FetchId, path: Path): boolean {
    const missed = this.#missed.get(fetch)
    if (missed === undefined) return false
    return missed.lostAbove.has(pathKey(path, path.length)) || isIn(missed.lost, path)
  }

  /** Whether the fetch did not give some object at all. */
  hasLost(fetch: FetchId): boolean {
    return (this.#missed.get(fetch)?.lost.size ?? 0) > 0
  }
}

/** Whether the path names something in one of the objects, but not the object itself. */
function isIn(objects: ReadonlySet<string>, path: Path): boolean {
  for (let length = path.length - 1; length >= 0; length--)
    if (objects.has(pathKey(path, length))) return true
  return false
}
