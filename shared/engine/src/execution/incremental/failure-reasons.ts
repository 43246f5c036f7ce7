import { NEXT_TURN, type Pace, type Task } from '../../work/slices.ts'
import type { Path } from '../errors/client-paths.ts'
import type { ResponseError } from '../contract/response.ts'
import { pathKey } from '../errors/result-errors.ts'

/**
 * What clients were told of objects of fragments that could not be delivered. A fragment that shares the failing field with
 * another one fails with it, and tells why, too: clients read each fragment by itself.
 */
export class FailureReasons {
  /** By the path of each error, and by every path that contains it. */
  readonly #within = new Map<string, ResponseError[]>()
  readonly #at = new Map<string, ResponseError[]>()

  /** What is wrong at the path or below it; where nothing is, what is wrong with the innermost thing that contains it. */
  of(path: Path): readonly ResponseError[] {
    const within = this.#within.get(pathKey(path, path.length))
    if (within !== undefined) return within
    for (let length = path.length - 1; length >= 0; length--) {
      const around = this.#at.get(pathKey(path, length))
      if (around !== undefined) return around
    }
    return []
  }

  *add(errors: Iterable<ResponseError>, pace: Pace): Task {
    for (const error of errors) {
      const path = error.path ?? []
      for (let length = 0; length <= path.length; length++) put(this.#within, pathKey(path, length), error)
      put(this.#at, pathKey(path, path.length), error)
      if (pace.isSpent(1 + path.length)) yield NEXT_TURN
    }
  }
}

function put(index: Map<string, ResponseError[]>, key: string, error: ResponseError): void {
  const others = index.get(key)
  if (others === undefined) index.set(key, [error])
  else others.push(error)
}
