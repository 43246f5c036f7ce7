/**
 * Notices a provider of events that is in the account in which the services of Switchyard talk, although its
 * address or its credentials are others. NATS is asked in the background, as often as it takes to reach it.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { NatsSettings } from '@switchyard/event-log/nats-settings'
import type { NatsAccount } from '@switchyard/event-log/nats-account'
import type { ProviderEvents } from '../provider-events.ts'
import type { BrokersConfig } from '../settings.ts'

/** The row of routers in the table of permissions, which says where answers come to. */
const NAME = 'router'
const FIRST_RETRY_MS = 1_000
const LONGEST_RETRY_MS = 60_000

/** Says which providers are in that account. Disposing gives up. */
export class SharedAccounts implements Disposable {
  readonly #controlPlane: NatsSettings | null
  readonly #events: Pick<ProviderEvents, 'sharesAccount'>
  #looking = new AbortController()
  #providers: BrokersConfig = new Map()

  /** `controlPlane`: how services reach their NATS; null if there is none that could be shared. */
  constructor(controlPlane: NatsSettings | null, events: Pick<ProviderEvents, 'sharesAccount'>) {
    this.#controlPlane = controlPlane
    this.#events = events
  }

  /** Looks at the providers in force, unless they are those of before. */
  look(providers: BrokersConfig): void {
    if (isDeepStrictEqual(providers, this.#providers)) return
    this.#providers = providers
    this.#looking.abort()
    this.#looking = new AbortController()
    // Given up.
    this.#lookAt(providers, this.#looking.signal).catch(() => undefined)
  }

  [Symbol.dispose](): void {
    this.#looking.abort()
  }

  async #lookAt(providers: BrokersConfig, signal: AbortSignal): Promise<void> {
    if (this.#controlPlane === null || providers.size === 0) return
    const { isSameAccount } = await import('@switchyard/event-log/nats-account')
    const own = await accountOf(this.#controlPlane, signal)
    if (own === null) return
    const looks = [...providers].map(async ([id, settings]) => {
      const account = await accountOf(settings, signal)
      if (account !== null && !signal.aborted && isSameAccount(own, account))
        this.#events.sharesAccount(id, account.account)
    })
    await Promise.all(looks)
  }
}

/** Null if NATS does not tell. Rejects when it is given up. */
async function accountOf(settings: NatsSettings, signal: AbortSignal): Promise<NatsAccount | null> {
  const { natsAccountOf } = await import('@switchyard/event-log/nats-account')
  for (let delay = FIRST_RETRY_MS; ; delay = Math.min(delay * 2, LONGEST_RETRY_MS)) {
    signal.throwIfAborted()
    try {
      return await natsAccountOf(settings, NAME)
    } catch {
      // The connections of the provider and of the router say why there is none.
    }
    await sleep(delay, undefined, { signal, ref: false })
  }
}
