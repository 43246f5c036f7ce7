/** Deferred answers, as far as an operator should know of them. */
import { logEvent, type Logger } from '@switchyard/service-kit'

/** The log events of this file. */
export const LOGGED = {
  fragmentsForApollo: logEvent('defer.fragments-for-apollo', {
    level: 'info',
    fields: ['client'],
    says: 'Apollo Client got a deferred answer whose announcements are of [fragments](defer.md#apollo-client). With its cache it ends nested deferred fragments in a list with an empty list. Logged once by a process. `client`: the name that it calls itself.',
    advice:
      'Set `engine.defer_pending_by_client` for this client to `item`, or `engine.defer_pending` for all.',
  }),
}

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
    LOGGED.fragmentsForApollo.write(
      this.#log,
      { client },
      'Apollo Client got a deferred answer that announces fragments. With its cache it ends nested deferred fragments in a list with an empty list: set engine.defer_pending_by_client for this client to item',
    )
  }
}
