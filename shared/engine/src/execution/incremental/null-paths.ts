import type { FetchId } from '../../ids.ts'
import type { Path } from '../errors/client-paths.ts'
import type { Lack } from '../joining/occurrences.ts'
import { pathKey } from '../errors/result-errors.ts'

/** Some nulls, by the places that have to do with them. */
class Nulls {
  /** Where they are, and all that is above them. */
  readonly #above = new Set<string>()
  /** The objects they are in, of those that are in an object that was not given. */
  readonly #objects = new Set<string>()

  add(path: Path, isObjectMissing: boolean): void {
    for (let length = path.length; length >= 0; length--) this.#above.add(pathKey(path, length))
    if (isObjectMissing) this.#objects.add(pathKey(path, path.length - 1))
  }

  /** Whether one is below the path, or in an object that was not given, and in which the path names something. */
  isNear(path: Path): boolean {
    if (this.#above.has(pathKey(path, path.length))) return true
    return isAnyPrefix(path.slice(0, -1), this.#objects)
  }
}

/** Where one part of the response has null, and which fetch should have given what is not there. */
export class NullPaths {
  readonly #places = new Set<string>()
  readonly #missed = new Map<FetchId, Nulls>()
  /** Of those, where the fetch was not even asked for the object; and the first such object. */
  readonly #unasked = new Map<FetchId, { readonly nulls: Nulls; readonly first: Path }>()

  add(fetch: FetchId, path: Path, lack: Lack): void {
    this.#places.add(pathKey(path, path.length))
    let missed = this.#missed.get(fetch)
    if (missed === undefined) this.#missed.set(fetch, (missed = new Nulls()))
    missed.add(path, lack !== 'value')
    if (lack !== 'unasked') return
    let unasked = this.#unasked.get(fetch)
    if (unasked === undefined) {
      unasked = { nulls: new Nulls(), first: path.slice(0, -1) }
      this.#unasked.set(fetch, unasked)
    }
    unasked.nulls.add(path, true)
  }

  /** There is a null at the path, or on the way to it. */
  isOnTheWay(path: Path): boolean {
    return isAnyPrefix(path, this.#places)
  }

  /** The fetch left something null below the path, or did not give an object in which the path names something. */
  isNear(fetch: FetchId, path: Path): boolean {
    return this.#missed.get(fetch)?.isNear(path) === true
  }

  /** The same of what a fetch was not asked for. */
  isUnaskedNear(fetch: FetchId, path: Path): boolean {
    return this.#unasked.get(fetch)?.nulls.isNear(path) === true
  }

  /** Fetches that were not asked for an object that they should have added to, each with the first such object. */
  unasked(): readonly (readonly [FetchId, Path])[] {
    return [...this.#unasked].map(([fetch, { first }]) => [fetch, first])
  }
}

/** Whether one of the keys is of the path, or of the start of it. */
function isAnyPrefix(path: Path, keys: ReadonlySet<string>): boolean {
  for (let length = path.length; length >= 0; length--) if (keys.has(pathKey(path, length))) return true
  return false
}
