import { NEXT_TURN, type Pace, type Task } from '../../work/slices.ts'
import type { Completion } from '../completion/completion.ts'
import type { CompletionErrors } from '../completion/value-errors.ts'
import type { ResponseError } from '../contract/response.ts'
import { type Path, pathKey } from '../errors/client-paths.ts'
import { MAX_COPIES } from '../errors/candidate-paths.ts'
import { MAX_FOUND } from '../errors/result-errors.ts'
import type { UndeliveredObject, FailedObject } from './group-completion.ts'

/**
 * Why delivery groups could not be delivered into objects, as `completed` tells clients.
 *
 * Clients read each deferred fragment by itself. Where a group shares the field that failed with another
 * group, both fail, and the error was reported with the other one: it is repeated here.
 */
export class FailureReasons {
  readonly #newCompletion: (errors: CompletionErrors) => Completion
  readonly #pace: Pace
  /** The reasons that results gave so far. */
  readonly #given = new ErrorsByPath()
  /** How often each of them was repeated. */
  readonly #copies = new Map<ResponseError, number>()
  /** How many failures took a reason that another result had given, or one that nobody had. */
  #searched = 0

  constructor(newCompletion: (errors: CompletionErrors) => Completion, pace: Pace) {
    this.#newCompletion = newCompletion
    this.#pace = pace
  }

  /**
   * Returns the reasons for the failures of a group. `own` are the errors that its result reports for them in
   * any case.
   */
  *for(
    failures: readonly UndeliveredObject[],
    own: readonly ResponseError[],
  ): Task<readonly ResponseError[]> {
    if (failures.length === 0) return own
    const pace = this.#pace
    const explained = new ErrorsByPath()
    yield* explained.add(own, pace)
    const reasons = new Set(own)
    for (const { path, at } of failures) {
      if (pace.isSpent(1 + path.length)) yield NEXT_TURN
      if (explained.of(path).length > 0) continue
      if (this.#searched >= MAX_FOUND && reasons.size > 0) break
      for (const violation of yield* this.#violations(at)) {
        const given = this.#given.of(violation.path ?? [])
        if (pace.isSpent(1 + given.length)) yield NEXT_TURN
        const repeated = this.#repeatable(given)
        for (const reason of repeated.length > 0 ? repeated : [violation]) reasons.add(reason)
        this.#searched++
      }
    }
    yield* this.#given.add(reasons, pace)
    return [...reasons]
  }

  /** Errors that were not repeated too often: subgraphs may send messages as long as they like. */
  #repeatable(given: readonly ResponseError[]): readonly ResponseError[] {
    return given.filter((reason) => {
      const copies = (this.#copies.get(reason) ?? 0) + 1
      this.#copies.set(reason, copies)
      return copies <= MAX_COPIES
    })
  }

  /**
   * Returns the errors that keep an object from being completed: those of completing it as if none had been
   * reported before.
   */
  *#violations({ shape, occurrence, path }: FailedObject): Task<readonly ResponseError[]> {
    const errors: ResponseError[] = []
    const add = (error: ResponseError): void => {
      if (errors.length === 0 || this.#searched + errors.length < MAX_FOUND) errors.push(error)
    }
    const completion = this.#newCompletion({ add, explains: () => false })
    completion.beginObject(shape, occurrence, path)
    if (!completion.proceed(this.#pace.slice)) yield completion
    return errors
  }
}

/** Finds errors by their response paths. */
class ErrorsByPath {
  /** The errors at each path and below it. */
  readonly #within = new Map<string, ResponseError[]>()
  readonly #at = new Map<string, ResponseError[]>()

  /**
   * The errors at the path or below it; if there are none, the errors at the nearest path above that has
   * some.
   */
  of(path: Path): readonly ResponseError[] {
    const within = this.#within.get(pathKey(path, path.length))
    if (within !== undefined) return within
    for (let length = path.length - 1; length >= 0; length--) {
      const above = this.#at.get(pathKey(path, length))
      if (above !== undefined) return above
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
