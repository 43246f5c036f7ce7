/**
 * Ends a subscription over HTTP when its token is not valid any more: it has expired, or its issuer has taken
 * back the key that signed it. WebSockets watch theirs by themselves.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { checkToken, type Identifying, untilNextCheck } from './token-check.ts'
import type { ClientLookup } from '../../fairness/client.ts'
import type { Identity } from '../../identity/identity.ts'
import type { EndReason } from '../events/subscription.ts'

/** The token of a subscription, as its request brought it. */
export type WatchedToken = {
  readonly identity: Identity
  readonly headers: IncomingHttpHeaders
  readonly lookUpClient: ClientLookup
}

export class TokenWatch {
  readonly #token: WatchedToken
  readonly #authentication: Identifying
  /** The time of the next check, by `performance.now()`; infinite while one is made. */
  #next: number

  constructor(token: WatchedToken, authentication: Identifying) {
    this.#token = token
    this.#authentication = authentication
    const { exp } = token.identity.claims
    // `exp` is in seconds (RFC 7519, section 4.1.4).
    this.#next = performance.now() + untilNextCheck(typeof exp === 'number' ? exp * 1000 : null)
  }

  /** Returns the reason why the subscription must end; null if it may go on, or no check is due. */
  look(): null | Promise<EndReason | null> {
    if (performance.now() < this.#next) return null
    this.#next = Number.POSITIVE_INFINITY
    return this.#check()
  }

  async #check(): Promise<EndReason | null> {
    let expires: number | null = null
    try {
      const { headers, lookUpClient } = this.#token
      const check = await checkToken(this.#authentication, headers, lookUpClient)
      if (check.kind === 'bad') return { code: 'TOKEN_INVALID', message: `${check.detail} ${AGAIN}` }
      // Keys that cannot be read at the moment end nothing.
      if (check.kind === 'good') ({ expires } = check)
      return null
    } finally {
      this.#next = performance.now() + untilNextCheck(expires)
    }
  }
}

const AGAIN = 'Subscribe again with a new one.'
