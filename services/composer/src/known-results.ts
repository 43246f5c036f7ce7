/**
 * Results by input hash: what makes a toggled flag cost nothing. Filled from the composition log and from what this
 * instance computes; bounded, since forgetting one costs a composition only.
 */
import type { CompositionRecord, CompositionResult } from '@switchyard/contracts'

export type KnownResult =
  | Omit<Extract<CompositionResult, { status: 'composed' | 'reused' }>, 'status'>
  | Omit<Extract<CompositionResult, { status: 'failed' }>, 'status' | 'unchanged'>

/** About the machine or the moment rather than about the schemas: the next pass tries again. */
const PASSING_FAILURES: readonly string[] = ['COMPOSITION_CRASHED', 'COMPOSITION_TIMEOUT']

const CAPACITY = 5000

export class KnownResults {
  readonly #results = new Map<string, KnownResult>()

  get(inputHash: string): KnownResult | undefined {
    const known = this.#results.get(inputHash)
    if (known === undefined) return undefined
    this.#results.delete(inputHash)
    this.#results.set(inputHash, known)
    return known
  }

  forget(inputHash: string): void {
    this.#results.delete(inputHash)
  }

  add(known: KnownResult): void {
    if ('errors' in known && known.errors.some(({ code }) => PASSING_FAILURES.includes(code))) return
    this.#results.delete(known.inputHash)
    this.#results.set(known.inputHash, known)
    if (this.#results.size <= CAPACITY) return
    for (const oldest of this.#results.keys()) {
      this.#results.delete(oldest)
      return
    }
  }

  addRecord(record: CompositionRecord): void {
    if (record.type !== 'composition.completed') return
    for (const result of [record.base, ...record.featureFlags.map((flag) => flag.result)]) {
      if (result.status === 'failed') {
        const { status: _status, unchanged: _unchanged, ...known } = result
        this.add(known)
      } else if (result.status !== 'empty') {
        const { status: _status, ...known } = result
        this.add(known)
      }
    }
  }
}
