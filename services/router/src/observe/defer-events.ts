/** Deferred answers, as far as an operator should know of them. */
import type { Logger } from '@switchyard/service-kit'

/** Logs that a client may misread how deferred fragments are announced. */
export class DeferEvents {
  readonly #log: Logger
  #isTold = false

  constructor(logger: Logger) {
    this.#log = logger
  }

  /** Apollo Client got a deferred answer that announces fragments. Told once by a process. */
  fragmentsForApollo(client: string): void {
    if (this.#isTold) return
    this.#isTold = true
    this.#log.info(
      { event: 'defer.fragments-for-apollo', client },
      'Apollo Client got a deferred answer that announces fragments. With its cache it ends nested deferred fragments in a list with an empty list: set engine.defer_pending_by_client for this client to item',
    )
  }
}
