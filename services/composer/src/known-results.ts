/**
 * Results by input hash: what makes a toggled flag cost nothing. Filled from the composition log and from
 * what this instance computes; bounded, since forgetting one costs a composition only.
 */
import type { CompositionRecord, CompositionResult } from '@switchyard/contracts'

export type KnownResult =
  | Omit<Extract<CompositionResult, { status: 'composed' | 'reused' }>, 'status'>
  | Omit<Extract<CompositionResult, { status: 'failed' }>, 'status' | 'unchanged'>

/** About the moment rather than about the schemas: the next pass tries again. */
const PASSING_FAILURES: readonly string[] = ['COMPOSITION_CRASHED', 'COMPOSITION_TIMEOUT']
/**
 * About the limits of the composer that met them: remembered for an hour where they were met, or toggling a
 * flag would spend the budget again each time, but not taken from a record, which another composer with other
 * limits may have written.
 */
const FAILURES_OF_LIMITS: readonly string[] = ['COMPOSITION_BUDGET_EXCEEDED', 'COMPOSITION_OUT_OF_MEMORY']

const CAPACITY = 5000
/**
 * A result that no record holds names blobs that nobody else names; these are removed after a day. It is
 * computed again long before, which puts them again.
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
    for (const result of [record.base, ...record.featureFlags.map((flag) => flag.result)]) {
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
