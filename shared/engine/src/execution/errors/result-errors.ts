import type { FetchId, PositionId } from '../../ids/ids.ts'
import type { Fetch } from '../../plan/contract/plan.ts'
import { NEXT_TURN, type Pace, type Task } from '../../work/slices.ts'
import type { ResponseError } from '../contract/response.ts'
import { type Path, pathKey } from './client-paths.ts'
import type { ErrorPaths } from './error-paths.ts'
import type { Occurrences } from '../joining/occurrences.ts'
import type { PreparedPlan } from '../joining/prepared-plan.ts'
import type { ResponseStore } from '../joining/response-store.ts'

/**
 * Characters of the copies of errors. An error about an entity is shown at each of the places where the
 * entity stands, so a few large ones would make a response that is many times as large as the answers.
 */
export const MAX_COPIED = 1024 * 1024

/** Most errors that completion finds: an invalid value of seven bytes makes an error of two hundred. */
export const MAX_FOUND = 20_000

/**
 * Steps for an error that a subgraph reported, and for each place of the response that it may be about: a
 * hundred errors with one place each are a turn of the event loop, or two with fifty.
 */
export const STEPS_PER_ERROR = 25
const STEPS_PER_PLACE = 25

type Reported = { readonly exact: Set<string>; readonly prefixes: Set<string> }

/**
 * The errors of a response. First come those the subgraphs caused, in the order of the plan's fetches; then
 * what completion adds. Knows which nulls an error has explained already, so that one cause is reported once.
 */
export class ResultErrors {
  readonly list: ResponseError[] = []
  readonly #plan: PreparedPlan
  readonly #store: ResponseStore
  /**
   * The paths that each fetch reported errors at. Only fetches that reported something with a path have an
   * entry.
   */
  readonly #reported = new Map<FetchId, Reported>()
  /**
   * The failed fetches before each fetch. They are computed when completion first asks: by then all fetches
   * are settled, and their errors are noted.
   */
  readonly #failures = new Map<FetchId, readonly FetchId[]>()
  readonly #lost = new Map<FetchId, boolean>()
  readonly #mismatched = new Set<PositionId>()
  #copied = 0
  #found = 0
  /** Every path at which something was reported. */
  readonly #paths = new Set<string>()

  constructor(plan: PreparedPlan, store: ResponseStore) {
    this.#plan = plan
    this.#store = store
  }

  /**
   * Takes over everything that a subgraph reported in answer to a fetch, however much that is: one error
   * after the other, in as many turns as that takes.
   */
  *addReported(fetch: Fetch, paths: ErrorPaths, serviceName: string, pace: Pace): Task {
    const answer = this.#store.answer(fetch.id)
    if (answer === undefined || !paths.isReached(fetch)) return
    const add = (
      message: string,
      path: Path | null,
      extensions: Readonly<Record<string, unknown>>,
      isCopy = false,
    ) => {
      // Of a lost fetch every null is explained anyway.
      if (isCopy && this.#copied > MAX_COPIED && answer.data === null) return
      this.#note(fetch.id, path ?? [])
      const error = {
        message,
        ...(path === null ? {} : { path }),
        extensions: { ...extensions, serviceName },
      }
      if (isCopy) this.#addCopy(error)
      else this.list.push(error)
    }
    if (answer.failure !== null) {
      const { message, code } = answer.failure
      const missing = paths.ofMissing(fetch, () => true)
      for (const [copy, path] of missing.paths.entries())
        add(endingWith(message, missing, copy), path, { code }, copy > 0)
    }
    for (const error of answer.errors) {
      const before = paths.examined
      const places = paths.ofError(fetch, error.path)
      for (const [copy, path] of places.entries()) add(error.message, path, error.extensions, copy > 0)
      const examined = Math.max(places.length, paths.examined - before)
      if (pace.isSpent(STEPS_PER_ERROR + STEPS_PER_PLACE * examined)) yield NEXT_TURN
    }
    addCountMismatches(this.#store, fetch, paths, serviceName, add)
  }

  /** Adds a copy of an error. One further error stands for all copies beyond `MAX_COPIED`. */
  #addCopy(error: ResponseError): void {
    if (this.#copied > MAX_COPIED) return
    this.#copied += errorSize(error)
    if (this.#copied <= MAX_COPIED) this.list.push(error)
    else
      this.list.push({
        message: `Errors of subgraphs belong to many places of the response: their copies would be more than ${MAX_COPIED} characters, so the rest of them is left out.`,
        extensions: { code: 'SUBGRAPH_ERRORS_OMITTED' },
      })
  }

  /**
   * Reports lists of different lengths, which are only found when both are read: call it after completion.
   */
  addShapeMismatches(paths: ErrorPaths, occurrences: Occurrences): void {
    for (const position of occurrences.mismatched) {
      if (this.#mismatched.has(position)) continue
      this.#mismatched.add(position)
      const path = paths.client.ofPosition(position)
      this.list.push({
        message:
          'Two subgraphs sent lists of different lengths for this field; what one of them lacks is null.',
        ...(path.length === 0 ? {} : { path }),
        extensions: { code: 'SHAPE_MISMATCH' },
      })
    }
  }

  /** Adds an error that completion found. One further error stands for all beyond `MAX_FOUND`. */
  add(error: ResponseError): void {
    if (this.#found > MAX_FOUND) return
    if (++this.#found <= MAX_FOUND) this.list.push(error)
    else
      this.list.push({
        message: `More than ${MAX_FOUND} values of subgraphs do not fit the schema: the rest of them is left out.`,
        extensions: { code: 'SUBGRAPH_ERRORS_OMITTED' },
      })
  }

  /**
   * True if an error accounts for the missing value at `path`: any at that very place, or one of this fetch
   * below it, at an object above it, or, when the whole object is missing from that fetch, one about any
   * other field of the object, also from a fetch whose data it waited for.
   */
  explains(fetch: FetchId, path: Path, objectMissing: boolean): boolean {
    if (this.#paths.has(pathKey(path, path.length))) return true
    if (this.#isExplainedBy(fetch, path, objectMissing)) return true
    return objectMissing && this.#failedBefore(fetch).some((id) => this.#isExplainedBy(id, path, true))
  }

  #isExplainedBy(fetch: FetchId, path: Path, objectMissing: boolean): boolean {
    if (this.#isLost(fetch)) return true
    const reported = this.#reported.get(fetch)
    if (reported === undefined) return false
    if (reported.prefixes.has(pathKey(path, path.length))) return true
    if (objectMissing && reported.prefixes.has(pathKey(path, path.length - 1))) return true
    for (let length = path.length; length >= 0; length--)
      if (reported.exact.has(pathKey(path, length))) return true
    return false
  }

  /**
   * Returns the fetches that a fetch waited for, directly or not, and that were lost or reported errors. Each
   * fetch is looked at once: going from fetch to fetch for every missing value is exponential in the length
   * of the chain.
   */
  #failedBefore(fetch: FetchId): readonly FetchId[] {
    const known = this.#failures.get(fetch)
    if (known !== undefined) return known
    const before = new Set(this.#plan.plan.fetches[fetch]?.after)
    for (const id of before) for (const other of this.#plan.plan.fetches[id]?.after ?? []) before.add(other)
    const failed = [...before].filter((id) => this.#isLost(id) || this.#reported.has(id))
    this.#failures.set(fetch, failed)
    return failed
  }

  #isLost(fetch: FetchId): boolean {
    let lost = this.#lost.get(fetch)
    if (lost === undefined) {
      const described = this.#plan.plan.fetches[fetch]
      lost = described !== undefined && this.#store.isLost(described)
      this.#lost.set(fetch, lost)
    }
    return lost
  }

  #note(fetch: FetchId, path: Path): void {
    let reported = this.#reported.get(fetch)
    if (reported === undefined) {
      reported = { exact: new Set(), prefixes: new Set() }
      this.#reported.set(fetch, reported)
    }
    reported.exact.add(pathKey(path, path.length))
    this.#paths.add(pathKey(path, path.length))
    // Not the empty prefix: an error somewhere in the response does not explain a null at its root.
    for (let length = path.length; length > 0; length--) reported.prefixes.add(pathKey(path, length))
  }
}

function addCountMismatches(
  store: ResponseStore,
  fetch: Fetch,
  paths: ErrorPaths,
  serviceName: string,
  add: (
    message: string,
    path: Path | null,
    extensions: Readonly<Record<string, unknown>>,
    isCopy: boolean,
  ) => void,
): void {
  if (store.root(fetch.id) === null) return
  // Parts that add to the same list may each lack the same number of entities: to the client that is one
  // error.
  const told = new Set<string>()
  for (const [index, part] of fetch.parts.entries()) {
    if (part.kind !== 'entities') continue
    const sent = store.sentFor(fetch.id, index)
    if (sent === 0) continue
    const received = store.entities(fetch.id, index)
    if (received?.length === sent) continue
    const answered = received === null ? 'no list of entities' : `${received.length} entities`
    const message = `Subgraph "${serviceName}" was asked for ${sent} entities and sent ${answered}; what is missing is null.`
    const length = received?.length ?? 0
    const missing =
      length < sent
        ? paths.ofMissing(fetch, (other, entity) => other === index && entity >= length)
        : { paths: paths.ofPart(fetch, part), hasMore: false }
    for (const [copy, path] of missing.paths.entries()) {
      const key = `${message} ${path === null ? '' : pathKey(path, path.length)}`
      if (told.has(key)) continue
      told.add(key)
      add(endingWith(message, missing, copy), path, { code: 'ENTITY_COUNT_MISMATCH' }, copy > 0)
    }
  }
}

/** The message for one of the places; that for the last one says if there are more. */
function endingWith(
  message: string,
  { paths, hasMore }: { readonly paths: readonly unknown[]; readonly hasMore: boolean },
  index: number,
): string {
  return hasMore && index === paths.length - 1
    ? `${message} More is null because of it than has an error of its own.`
    : message
}

/** Characters of an error as JSON; infinite if it nests too deeply to be printed. */
export function errorSize(error: ResponseError): number {
  try {
    return JSON.stringify(error).length
  } catch (cause) {
    // The error nests too deeply to be printed.
    if (cause instanceof RangeError) return Number.POSITIVE_INFINITY
    throw cause
  }
}
