/** The events of authentication: the results of verifying tokens, and the keys that do it. */
import { createCheapCounter, declareCounter, logEvent, type Logger } from '@switchyard/service-kit'
import { METER } from '../../observe/meter.ts'
import { Repeated } from '../../observe/repeated.ts'

/**
 * The result for the token of a request: it was verified, or had been before (`known`); there was none, and
 * none is needed (`none`) or one is (`missing`); it is not valid; its keys are not there; too many tokens
 * wait.
 */
export type AuthenticationOutcome =
  | 'verified'
  | 'known'
  | 'none'
  | 'missing'
  | 'invalid'
  | 'unavailable'
  | 'overloaded'

/** The events of the tokens and the keys of one provider. `source` is a URL without its query, or a path. */
export interface ProviderEvents {
  authenticated(outcome: AuthenticationOutcome): void
  /** A key set was read, or could not be. */
  refreshed(isRead: boolean): void
  /** A key set has other keys than before, or was read for the first time. */
  keysRead(source: string, keys: number, unusable: number): void
  /**
   * A key set could not be read. `hasKeys` is true if there are keys that were read before, which are used.
   */
  keysNotRead(source: string, reason: string, hasKeys: boolean): void
}

export const AUTHENTICATIONS = declareCounter('switchyard.router.authentications', {
  description: 'Requests of clients by the result of verifying their tokens',
  labels: {
    provider: 'empty where it is not known',
    outcome: ['verified', 'known', 'none', 'missing', 'invalid', 'unavailable', 'overloaded'],
  },
})

export const KEY_REFRESHES = declareCounter('switchyard.router.key_refreshes', {
  description: 'Fetches of the key sets that verify tokens, by whether they succeeded',
  labels: { provider: '', outcome: ['read', 'failed'] },
})

/** The log events of this file. */
export const LOGGED = {
  keysRead: logEvent('authentication.keys-read', {
    level: 'info',
    fields: ['provider', 'source', 'keys', 'unusable'],
    says: 'The key set of a provider was fetched for the first time, or has changed. `keys` can verify tokens; `unusable` keys fit no algorithm in the settings.',
  }),
  keysNotRead: logEvent('authentication.keys-not-read', {
    level: 'warn',
    fields: ['provider', 'source', 'reason', 'count'],
    says: 'A key set could not be fetched again; the keys from before are [still used](authentication.md#keys). At most one line in ten seconds; `count`: failures since the last line.',
    advice: 'Act on the reason: the provider, the network, or `authentication.jwt.allowed_networks`',
  }),
  keysMissing: logEvent('authentication.keys-missing', {
    level: 'error',
    fields: ['provider', 'source', 'reason', 'count'],
    says: 'A key set could never be fetched: tokens of the provider get 503 `AUTHENTICATION_UNAVAILABLE`. At most one line in ten seconds.',
    advice: 'Act on the reason: the provider, the network, or `authentication.jwt.allowed_networks`',
  }),
}

/** Counts requests by the results for their tokens, and logs the events of keys. */
export class AuthenticationEvents {
  readonly #log: Logger
  readonly #requests = createCheapCounter(METER, AUTHENTICATIONS)
  readonly #refreshes = createCheapCounter(METER, KEY_REFRESHES)

  constructor(logger: Logger) {
    this.#log = logger
  }

  /** Returns the events of one provider. `provider` is empty for requests whose provider is not known. */
  of(provider: string): ProviderEvents {
    const failed = new Repeated()
    return {
      authenticated: (outcome) => this.#requests.of(provider, outcome).record(1),
      refreshed: (isRead) => this.#refreshes.of(provider, isRead ? 'read' : 'failed').record(1),
      keysRead: (source, keys, unusable) =>
        LOGGED.keysRead.write(
          this.#log,
          { provider, source, keys, unusable },
          `The keys of "${provider}" were read: ${keys} can verify tokens, ${unusable} cannot`,
        ),
      keysNotRead: (source, reason, hasKeys) => {
        const count = failed.count()
        if (count === null) return
        if (hasKeys) {
          LOGGED.keysNotRead.write(
            this.#log,
            { provider, source, reason, count },
            `The keys of "${provider}" could not be read again: those read before are used`,
          )
        } else {
          LOGGED.keysMissing.write(
            this.#log,
            { provider, source, reason, count },
            `The keys of "${provider}" could not be read yet: its tokens are answered with 503`,
          )
        }
      },
    }
  }
}
