/**
 * Tells which revisions of a graph reflect a record of the registry's log: the other direction of
 * `sequencesBehind`.
 */
import type { AuditGraph } from '@switchyard/contracts'

/** The number of revisions that are known at least, of those that carry out something of their own. */
const KEPT = 500

type Reflecting = {
  readonly epoch: number
  readonly revision: number
  readonly registrySequence: number
}

export class ReflectedSequences {
  // One list of numbers for each member: they take a third of the memory of objects.
  readonly #registrySequences: number[] = []
  readonly #epochs: number[] = []
  readonly #revisions: number[] = []
  #cause = 0
  /** Whether no revision was forgotten. */
  #isWhole = true

  /**
   * Notes a revision. It has to be called in the order of the log. `cause` is the record that it carries out:
   * that of a composition, or the one that changed rollouts.
   */
  note({ epoch, revision, registrySequence }: Reflecting, cause: number): void {
    // Without a newer cause, no command is behind it: keys changed, or the log was set back.
    if (cause === this.#cause) return
    this.#cause = cause
    const last = this.#registrySequences.at(-1) ?? 0
    // The registry's log was set back, so that its sequences are given again to other commands.
    if (registrySequence < last) this.#forget(this.#registrySequences.length)
    if (this.#registrySequences.length === 2 * KEPT) this.#forget(KEPT)
    this.#registrySequences.push(registrySequence)
    this.#epochs.push(epoch)
    this.#revisions.push(revision)
  }

  /**
   * The first revision that reflects the record, and those that followed it with flags that were still being
   * composed. Null if it is not known any more.
   */
  of(sequence: number): AuditGraph['revisions'] {
    const first = firstFrom(this.#registrySequences, sequence)
    if (first === 0 && !this.#isWhole) return null
    const found: { readonly epoch: number; readonly revision: number }[] = []
    for (let index = first; index < this.#registrySequences.length; index += 1) {
      if (index > first && this.#registrySequences[index] !== sequence) break
      found.push({ epoch: this.#epochs[index] ?? 0, revision: this.#revisions[index] ?? 0 })
    }
    return found
  }

  #forget(count: number): void {
    for (const list of [this.#registrySequences, this.#epochs, this.#revisions]) list.splice(0, count)
    this.#isWhole = false
  }
}

/** Returns the index of the first number that is not smaller than `least`, by halving. */
export function firstFrom(ascending: readonly number[], least: number): number {
  let low = 0
  let high = ascending.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((ascending[middle] ?? 0) < least) low = middle + 1
    else high = middle
  }
  return low
}
