/**
 * Counts how many calls that change something have ended, of all requests of this process. A query shares
 * only with queries that began at the same count. So a client that has the answer to a mutation sees its
 * effects, and never an answer that was on its way before.
 */
export class MutationCount {
  #ended = 0

  get ended(): number {
    return this.#ended
  }

  /** A call that may have changed something was answered, failed, or was given up. */
  callEnded(): void {
    this.#ended++
  }
}
