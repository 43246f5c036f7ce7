import type { FetchId } from '../../ids/ids.ts'
import { type Path, pathKey } from '../errors/client-paths.ts'
import type { Lack } from '../joining/occurrences.ts'

/**
 * Finds out whether a path lies at or above one of some nulls, or leads into an object that was not given.
 */
class Nulls {
  /** The paths of the nulls, and all paths above them. */
  readonly #above = new Set<string>()
  /** The paths of objects that were not given. */
  readonly #objects = new Set<string>()

  add(path: Path, isObjectMissing: boolean): void {
    for (let length = path.length; length >= 0; length--) this.#above.add(pathKey(path, length))
    if (isObjectMissing) this.#objects.add(pathKey(path, path.length - 1))
  }

  /** True if a null was added at or below `path`, or if `path` leads into an object that was not given. */
  isNear(path: Path): boolean {
    if (this.#above.has(pathKey(path, path.length))) return true
    return isAnyPrefix(path.slice(0, -1), this.#objects)
  }
}

/**
 * The paths at which the result of one delivery group has null, and the fetches that should have given a
 * value there.
 */
export class NullPaths {
  readonly #paths = new Set<string>()
  readonly #missed = new Map<FetchId, Nulls>()
  /** The nulls in objects for which a fetch was not asked, and the path of the first of them, by fetch. */
  readonly #unasked = new Map<FetchId, { readonly nulls: Nulls; readonly first: Path }>()

  add(fetch: FetchId, path: Path, lack: Lack): void {
    this.#paths.add(pathKey(path, path.length))
    let missed = this.#missed.get(fetch)
    if (missed === undefined) this.#missed.set(fetch, (missed = new Nulls()))
    missed.add(path, lack !== 'value')
    if (lack !== 'unasked') return
    let unasked = this.#unasked.get(fetch)
    if (unasked === undefined) {
      unasked = { nulls: new Nulls(), first: path }
      this.#unasked.set(fetch, unasked)
    }
    unasked.nulls.add(path, true)
  }

  /** Whether there is a null at the path or above it. */
  isOnTheWay(path: Path): boolean {
    return isAnyPrefix(path, this.#paths)
  }

  /**
   * Whether a fetch left something null at or below the path, or did not give the object that the path leads
   * into.
   */
  isNear(fetch: FetchId, path: Path): boolean {
    return this.#missed.get(fetch)?.isNear(path) === true
  }

  /** The same for objects for which the fetch was not asked. */
  isUnaskedNear(fetch: FetchId, path: Path): boolean {
    return this.#unasked.get(fetch)?.nulls.isNear(path) === true
  }

  /**
   * Fetches that were not asked for an object to which they add fields, each with the path of the first field
   * that is null because of that.
   */
  unasked(): readonly (readonly [FetchId, Path])[] {
    return [...this.#unasked].map(([fetch, { first }]) => [fetch, first])
  }
}

/** Whether one of the keys is that of the path or of a path above it. */
function isAnyPrefix(path: Path, keys: ReadonlySet<string>): boolean {
  for (let length = path.length; length >= 0; length--) if (keys.has(pathKey(path, length))) return true
  return false
}
