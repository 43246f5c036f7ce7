/**
 * Keeps the fetches that wait for one call: the one that began it, and those that joined it. They leave one
 * by one, and each is told the result of the call once, unless it has left.
 */
import { inTurns } from '@switchyard/service-kit/in-turns'
import type { SubgraphBody } from './answer-body.ts'

/**
 * The largest number of fetches that one call answers. They are told in turns, but that must not take for
 * ever.
 */
export const MAX_RECEIVERS = 1000

/** The result of a call. */
export type CallOutcome =
  | { readonly kind: 'answer'; readonly status: number; readonly body: SubgraphBody }
  | { readonly kind: 'too-large' }
  /** `status` is 0 if no answer had begun. */
  | { readonly kind: 'error'; readonly status: number; readonly error: Error }

/** A fetch that waits for a call. */
export interface Receiver {
  /** So many more bytes are held for the fetch. It may leave because of that. */
  hold(bytes: number): void
  /**
   * The call is over. Called once, unless the fetch has left. Never throws, because others are told after it.
   */
  over(outcome: CallOutcome): void
}

/** The fetches that wait for one call. */
export class Receivers {
  readonly #all = new Set<Receiver>()
  /** The fetch that the bytes of the answer count for until it is complete. */
  #holder: Receiver | null = null

  get areFull(): boolean {
    return this.#all.size >= MAX_RECEIVERS
  }

  add(receiver: Receiver): void {
    this.#holder ??= receiver
    this.#all.add(receiver)
  }

  /**
   * Removes a fetch and returns whether it was the last one. `length` is the number of bytes that have
   * arrived, which another fetch holds from now on. It is null if the call is over.
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

  /** Lets a fetch hold so many more bytes, which have arrived. */
  hold(bytes: number): void {
    this.#holder?.hold(bytes)
  }

  /** Tells all fetches that the call is over. `length` is the number of bytes of the answer. */
  over(outcome: CallOutcome, length: number): void {
    const [only] = this.#all
    if (only !== undefined && this.#all.size === 1) this.#tell(only, outcome, length)
    else void this.#tellAll(outcome, length)
  }

  /**
   * Tells fetches in turns: each does some work with its answer, and clients choose how many fetches wait.
   */
  #tellAll(outcome: CallOutcome, length: number): Promise<void> {
    return inTurns(this.#all, (receiver) => {
      // The fetch may have left in between.
      if (this.#all.has(receiver)) this.#tell(receiver, outcome, length)
    })
  }

  #tell(receiver: Receiver, outcome: CallOutcome, length: number): void {
    // From now on each fetch holds the value that it reads from the answer.
    if (outcome.kind === 'answer' && receiver !== this.#holder) receiver.hold(length)
    if (this.#all.has(receiver)) receiver.over(outcome)
  }
}
