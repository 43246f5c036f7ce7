/**
 * The fetches that wait for one call: the one that began it, and those that joined it. They leave one by one,
 * and each is told once what came of the call, unless it has left.
 */
import { inTurns } from '@switchyard/service-kit/in-turns'
import type { AnswerBody } from './answer-body.ts'

/** Fetches that one call answers at most. What is done for each takes turns, but must not take for ever. */
export const MAX_RECEIVERS = 1000

/** What came of a call. */
export type CallOutcome =
  | { readonly kind: 'answer'; readonly status: number; readonly body: AnswerBody }
  | { readonly kind: 'too-large' }
  /** `status`: 0 if no answer had begun. */
  | { readonly kind: 'error'; readonly status: number; readonly error: Error }

/** A fetch that waits for a call. */
export interface Receiver {
  /** So many bytes more are held for it. It may leave because of that. */
  hold(bytes: number): void
  /** The call is over. Called once, unless it has left. Never throws: others are told after it. */
  over(outcome: CallOutcome): void
}

/** Those of one call. */
export class Receivers {
  readonly #all = new Set<Receiver>()
  /** For whom the bytes of the answer count until it is complete. */
  #holder: Receiver | null = null

  get areFull(): boolean {
    return this.#all.size >= MAX_RECEIVERS
  }

  add(receiver: Receiver): void {
    this.#holder ??= receiver
    this.#all.add(receiver)
  }

  /**
   * One waits no longer; returns whether it was the last one. `length`: bytes that have arrived, which
   * another one holds from now on; null: the call is over.
   */
  leave(receiver: Receiver, length: number | null): boolean {
    if (!this.#all.delete(receiver)) return false
    const [next] = this.#all
    if (next === undefined) return true
    if (length !== null && receiver === this.#holder) {
      this.#holder = next
      next.hold(length)
    }
    return false
  }

  /** So many bytes more have arrived. */
  hold(bytes: number): void {
    this.#holder?.hold(bytes)
  }

  /** The call is over. `length`: bytes of the answer. */
  over(outcome: CallOutcome, length: number): void {
    const [only] = this.#all
    if (only !== undefined && this.#all.size === 1) this.#tell(only, outcome, length)
    else void this.#tellAll(outcome, length)
  }

  /** In turns: what a fetch does with its answer is not nothing, and clients choose how many fetches wait. */
  #tellAll(outcome: CallOutcome, length: number): Promise<void> {
    return inTurns(this.#all, (receiver) => {
      // It may have left in between.
      if (this.#all.has(receiver)) this.#tell(receiver, outcome, length)
    })
  }

  #tell(receiver: Receiver, outcome: CallOutcome, length: number): void {
    // From now on each of them holds what it makes of the answer.
    if (outcome.kind === 'answer' && receiver !== this.#holder) receiver.hold(length)
    if (this.#all.has(receiver)) receiver.over(outcome)
  }
}
