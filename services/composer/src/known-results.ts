/**
 * Remembers results by input hash, so that toggling a flag computes nothing. Filled from the composition log
 * and from what this instance computes. The number is bounded: a forgotten result is only computed again.
 */
import {
  COMPOSITION_PENDING,
  type CompositionRecord,
  type RecordedResult,
  variantsOf,
} from '@switchyard/contracts'

export type KnownResult =
  | Omit<Extract<RecordedResult, { status: 'composed' | 'reused' }>, 'status'>
  | Omit<Extract<RecordedResult, { status: 'failed' }>, 'status' | 'unchanged'>

/** Failures that depend on the moment and not on the schemas: the next pass tries again. */
const PASSING_FAILURES: readonly string[] = [
  'COMPOSITION_CRASHED',
  'COMPOSITION_TIMEOUT',
  COMPOSITION_PENDING,
]
/**
 * Failures that depend on the limits of this composer. They are remembered for an hour, or else every toggle
 * of a flag would spend the budget again, and they are not taken from records, which a composer with other
 * limits may have written.
 */
const FAILURES_OF_LIMITS: readonly string[] = ['COMPOSITION_BUDGET_EXCEEDED', 'COMPOSITION_OUT_OF_MEMORY']

const CAPACITY = 5000
/**
 * Milliseconds for which a result that is in no record is remembered. Nothing refers to its blobs, so the
 * sweep removes them after a day; computing the result again, long before, stores them again.
 */
const UNRECORDED_FOR_MS = 60 * 60 * 1000

/** `computedAt` is null for a result that a record holds. */
type RememberedResult = { readonly known: KnownResult; readonly computedAt: number | null }

export class KnownResults {
  readonly #monotonicNow: () => number
  readonly #results = new Map<string, RememberedResult>()

  constructor(monotonicNow: () => number = () => performance.now()) {
    this.#monotonicNow = monotonicNow
  }

  get(inputHash: string): KnownResult | undefined {
    const entry = this.#results.get(inputHash)
    if (entry === undefined) return undefined
    this.#results.delete(inputHash)
    if (entry.computedAt !== null && this.#monotonicNow() - entry.computedAt > UNRECORDED_FOR_MS)
      return undefined
    this.#results.set(inputHash, entry)
    return entry.known
  }

  forget(inputHash: string): void {
    this.#results.delete(inputHash)
  }

  /** A result that was computed just now. */
  add(known: KnownResult): void {
    this.#add(known, this.#monotonicNow())
  }

  addRecord(record: CompositionRecord): void {
    if (record.type !== 'composition.completed') return
    for (const result of [record.base, ...variantsOf(record).map(({ result }) => result)]) {
      if (result.status === 'failed') {
        const { status: _status, unchanged: _unchanged, ...known } = result
        if (!hasFailedBy(known, FAILURES_OF_LIMITS)) this.#add(known, null)
      } else if (result.status !== 'empty') {
        const { status: _status, ...known } = result
        this.#add(known, null)
      }
    }
  }

  #add(known: KnownResult, computedAt: number | null): void {
    if (hasFailedBy(known, PASSING_FAILURES)) return
    this.#results.delete(known.inputHash)
    this.#results.set(known.inputHash, { known, computedAt })
    if (this.#results.size <= CAPACITY) return
    for (const oldest of this.#results.keys()) {
      this.#results.delete(oldest)
      return
    }
  }
}

function hasFailedBy(known: KnownResult, codes: readonly string[]): boolean {
  return 'errors' in known && known.errors.some(({ code }) => codes.includes(code))
}
