/**
 * Counts the results of one rollout's shadows, by operation, path and cause. The table is bounded: what comes
 * when it is full is only counted as left out.
 *
 * A difference counts only where base agrees with itself. So each sample that finds a difference at a place
 * where none is known yet runs base once more, as every tenth sample does; `needsBase` says which. Where base
 * then differs from itself, the path is noise: nothing at or below it counts from then on, nor what counted
 * before.
 */
import {
  type ComparedOperation,
  type DifferenceCause,
  type DifferenceRow,
  isAtOrBelow,
  type RolloutResults,
} from '@switchyard/contracts'
import type { AnswerComparison, AnswerDifference } from '../comparing/difference.ts'

const MAX_OPERATIONS = 200
const MAX_ROWS = 500
const MAX_NOISE = 500
/** Samples that run base once more. */
const ONE_IN = 10
/** A difference is known once base agreed with itself so many times where it was found. */
const CONFIRMATIONS = 3

/** Describes one side of a difference as it may be told. */
export type DescribeValue = (side: AnswerDifference['base']) => DifferenceRow['base']

/** A sample that was compared. */
export type ComparedSample = {
  readonly operation: string
  readonly comparison: AnswerComparison
  /** Base compared with a second run of itself; null if there was none. */
  readonly itself: AnswerComparison | null
  readonly baseMs: number
  readonly flagMs: number
  /** Unix milliseconds. */
  readonly at: number
}

type CountedOperation = { -readonly [Member in keyof ComparedOperation]: ComparedOperation[Member] }
type CountedRow = { -readonly [Member in keyof DifferenceRow]: DifferenceRow[Member] } & { confirmed: number }
type CountedNoise = { readonly operation: string; readonly path: string }

/** The results of one rollout in one process. */
export class ResultTable {
  readonly #since: number
  readonly #describe: DescribeValue
  readonly #operations = new Map<string, CountedOperation>()
  readonly #rows = new Map<string, CountedRow>()
  readonly #noise = new Map<string, CountedNoise>()
  #samples = 0
  #leftOut = 0
  #dropped = 0
  #changes = 0

  /** `since`: Unix milliseconds. */
  constructor(since: number, describe: DescribeValue) {
    this.#since = since
    this.#describe = describe
  }

  /** Increases with each result. */
  get changes(): number {
    return this.#changes
  }

  /** Counts a sample that was not taken. */
  dropped(): void {
    this.#dropped++
    this.#changes++
  }

  /** Whether base is to run once more for a sample that found this. Called once for each sample. */
  needsBase(operation: string, { differences }: AnswerComparison): boolean {
    const isDue = this.#samples++ % ONE_IN === 0
    return isDue || differences.some((difference) => this.#isUnknown(operation, difference))
  }

  /** Counts a sample of which the answers were compared. Returns whether they differ. */
  compared({ operation, comparison, itself, baseMs, flagMs, at }: ComparedSample): boolean {
    this.#changes++
    for (const { path } of itself?.differences ?? []) this.#addNoise(operation, path)
    const differences = comparison.differences.filter(({ path }) => !this.#isNoise(operation, path))
    const isDifferent = differences.length > 0
    const counted = this.#countedOperation(operation)
    if (counted === null) return isDifferent
    counted.compared++
    counted.baseMs += baseMs
    counted.flagMs += flagMs
    if (isSlower(baseMs, flagMs)) counted.slower++
    if (isDifferent) counted.different++
    else if (comparison.isReordered) counted.reordered++
    else counted.equal++
    for (const difference of differences) this.#add(operation, difference, itself !== null, at)
    return isDifferent
  }

  /** Counts a sample that the flag's composition cannot answer at all. */
  unanswerable(operation: string): void {
    this.#changes++
    const counted = this.#countedOperation(operation)
    if (counted !== null) counted.unanswerable++
  }

  /** Counts a sample that could not be compared. `reason` is one of few. */
  notComparable(operation: string, reason: string): void {
    this.#changes++
    const counted = this.#countedOperation(operation)
    if (counted === null) return
    counted.notComparable = {
      ...counted.notComparable,
      [reason]: (counted.notComparable[reason] ?? 0) + 1,
    }
  }

  /** Returns the results: the operations and differences that were seen most first. */
  results(rollout: string, flag: string): RolloutResults {
    const rows = [...this.#rows.values()].sort((left, right) => right.count - left.count)
    const operations = [...this.#operations.values()].sort((left, right) => right.compared - left.compared)
    return {
      rollout,
      flag,
      since: this.#since,
      operations: operations.map((operation) => ({ ...operation })),
      differences: rows.map(({ confirmed: _confirmed, ...row }) => row),
      noise: [...this.#noise.values()],
      dropped: this.#dropped,
      leftOut: this.#leftOut,
    }
  }

  #countedOperation(operation: string): CountedOperation | null {
    const known = this.#operations.get(operation)
    if (known !== undefined) return known
    if (this.#operations.size >= MAX_OPERATIONS) {
      this.#leftOut++
      return null
    }
    const fresh: CountedOperation = {
      operation,
      compared: 0,
      equal: 0,
      reordered: 0,
      different: 0,
      slower: 0,
      unanswerable: 0,
      notComparable: {},
      baseMs: 0,
      flagMs: 0,
    }
    this.#operations.set(operation, fresh)
    return fresh
  }

  #add(operation: string, difference: AnswerDifference, isConfirmed: boolean, at: number): void {
    const { path, cause, code, base, flag } = difference
    const key = rowKey(operation, path, cause, code)
    const seen = { last: at, base: this.#describe(base), flag: this.#describe(flag) }
    const known = this.#rows.get(key)
    if (known !== undefined) {
      Object.assign(known, seen)
      known.count++
      if (isConfirmed) known.confirmed++
    } else if (this.#rows.size >= MAX_ROWS) this.#leftOut++
    else
      this.#rows.set(key, {
        operation,
        path,
        cause,
        code,
        count: 1,
        first: at,
        ...seen,
        confirmed: isConfirmed ? 1 : 0,
      })
  }

  #isUnknown(operation: string, { path, cause, code }: AnswerDifference): boolean {
    if (this.#isNoise(operation, path)) return false
    const row = this.#rows.get(rowKey(operation, path, cause, code))
    return row === undefined ? this.#rows.size < MAX_ROWS : row.confirmed < CONFIRMATIONS
  }

  #isNoise(operation: string, path: string): boolean {
    if (this.#noise.size === 0) return false
    if (this.#noise.has(noiseKey(operation, ''))) return true
    for (let end = path.indexOf('.'); end >= 0; end = path.indexOf('.', end + 1)) {
      if (this.#noise.has(noiseKey(operation, path.slice(0, end)))) return true
    }
    return this.#noise.has(noiseKey(operation, path))
  }

  #addNoise(operation: string, path: string): void {
    if (this.#isNoise(operation, path)) return
    if (this.#noise.size >= MAX_NOISE) {
      this.#leftOut++
      return
    }
    this.#noise.set(noiseKey(operation, path), { operation, path })
    const isOver = (row: { readonly operation: string; readonly path: string }) =>
      row.operation === operation && isAtOrBelow(row.path, path)
    for (const [key, row] of this.#rows) if (isOver(row)) this.#rows.delete(key)
  }
}

/** Times of single answers vary: only what takes half as long again, and 20 ms at least, is slower. */
function isSlower(baseMs: number, flagMs: number): boolean {
  return flagMs > baseMs * 1.5 && flagMs - baseMs > 20
}

function rowKey(operation: string, path: string, cause: DifferenceCause, code: string | null): string {
  return JSON.stringify([operation, path, cause, code])
}

function noiseKey(operation: string, path: string): string {
  return JSON.stringify([operation, path])
}
