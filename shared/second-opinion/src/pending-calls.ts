/**
 * Knows whether a stitched gateway still waits for a subgraph.
 *
 * Where inputs of fields need each other by detours, its delegations can wait in a circle: nothing is asked
 * any more and no promise ever settles. Seen from outside, that is an execution without calls under way that
 * has not ended although everything that was due has run.
 */
import { SecondOpinionError } from './second-opinion-error.ts'

/**
 * Rounds of the event loop without a call. The library passes work on within one or two (it batches per
 * tick).
 */
const IDLE_ROUNDS = 50

export class PendingCalls {
  #pending = 0
  /** Resolves when no call is pending any more. */
  #answered = Promise.withResolvers<void>()

  async follow<Value>(call: Promise<Value>): Promise<Value> {
    this.#pending++
    try {
      return await call
    } finally {
      this.#pending--
      if (this.#pending === 0) {
        this.#answered.resolve()
        this.#answered = Promise.withResolvers()
      }
    }
  }

  /** Rejects once `execution` can no longer end. */
  async unlessStalled<Value>(execution: Value | PromiseLike<Value>): Promise<Value> {
    const watch = new AbortController()
    const ended = Promise.resolve(execution).finally(() => watch.abort())
    return await Promise.race([ended, this.#stall(watch.signal)])
  }

  async #stall(ended: AbortSignal): Promise<never> {
    let idle = 0
    while (idle < IDLE_ROUNDS && !ended.aborted) {
      await (this.#pending === 0 ? new Promise((resolve) => setImmediate(resolve)) : this.#answered.promise)
      idle = this.#pending === 0 ? idle + 1 : 0
    }
    throw new SecondOpinionError('OPINION_STALLED', 'it waits for itself, no subgraph is being asked')
  }
}
