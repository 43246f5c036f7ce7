import type { FetchId, GroupId } from '../../ids/ids.ts'
import { NEXT_TURN, type Task } from '../../work/slices.ts'
import type { Completion } from '../completion/completion.ts'
import type { CompletionErrors } from '../completion/value-errors.ts'
import type { ResponseError } from '../contract/response.ts'
import type { ErrorPaths } from '../errors/error-paths.ts'
import { ResultErrors, STEPS_PER_ERROR } from '../errors/result-errors.ts'
import type { Fetching } from '../fetching/fetching.ts'
import type { GroupErrors } from './group-errors.ts'
import { NullPaths } from './null-paths.ts'

/**
 * The completion of one delivery group, with the data that finding the errors of its result needs afterwards.
 */
export type GroupInCompletion = {
  readonly group: GroupId
  readonly completion: Completion
  /** Where the result has null; not collected while no error waits for a result. */
  readonly nulls: NullPaths | null
  /** How many errors there were before. */
  readonly errorsBefore: number
}

/** Collects the errors of each result: those that subgraphs reported and those that completion finds. */
export class ErrorCollection {
  readonly #fetching: Fetching
  readonly #paths: ErrorPaths
  readonly #groupErrors: GroupErrors
  readonly #newCompletion: (errors: CompletionErrors) => Completion
  readonly #errors: ResultErrors
  /** Fetches whose reported errors were taken over. */
  readonly #collected = new Set<FetchId>()

  constructor(
    fetching: Fetching,
    paths: ErrorPaths,
    groupErrors: GroupErrors,
    newCompletion: (errors: CompletionErrors) => Completion,
  ) {
    this.#fetching = fetching
    this.#paths = paths
    this.#groupErrors = groupErrors
    this.#newCompletion = newCompletion
    this.#errors = new ResultErrors(fetching.prepared, fetching.store)
  }

  /**
   * Takes over the errors that were reported in answer to the fetches of a group, and makes the completion of
   * the group.
   */
  *begin(group: GroupId, fetches: readonly FetchId[]): Task<GroupInCompletion> {
    for (const id of fetches) yield* this.#collect(id)
    const nulls = this.#groupErrors.isWaiting ? new NullPaths() : null
    const errors: CompletionErrors = {
      add: (error) => this.#errors.add(error),
      explains: (fetch, path, objectMissing) => this.#errors.explains(fetch, path, objectMissing),
    }
    if (nulls !== null) errors.noteNull = (fetch, path, lack) => nulls.add(fetch, path, lack)
    const errorsBefore = this.#errors.list.length
    return { group, nulls, errorsBefore, completion: this.#newCompletion(errors) }
  }

  /** The errors that the result of a group reports, after the group was completed. */
  *end({ group, nulls, errorsBefore }: GroupInCompletion): Task<readonly ResponseError[]> {
    this.#errors.addShapeMismatches(this.#paths, this.#fetching.occurrences)
    const found = this.#errors.list.slice(errorsBefore)
    return nulls === null
      ? found
      : [...(yield* this.#groupErrors.take(group, nulls, this.#fetching)), ...found]
  }

  /** Takes over what the answer to a fetch reported, for whichever group that is. */
  *#collect(id: FetchId): Task {
    const fetching = this.#fetching
    const fetch = fetching.plan.fetches[id]
    if (fetch === undefined || this.#collected.has(id)) return
    this.#collected.add(id)
    const before = this.#errors.list.length
    yield* this.#errors.addReported(fetch, this.#paths, fetching.subgraphName(fetch), fetching)
    const reported = this.#errors.list.slice(before)
    const isLost = fetching.store.isLost(fetch)
    for (const error of reported) {
      this.#groupErrors.add(error, fetch, isLost)
      if (fetching.isSpent(STEPS_PER_ERROR)) yield NEXT_TURN
    }
  }
}
