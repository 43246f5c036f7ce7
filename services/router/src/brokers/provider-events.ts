/** The providers of events in the settings, as far as something is wrong with them. */
import { logEvent, type Logger } from '@switchyard/service-kit'

/** Names in one log line. */
const MAX_LISTED = 20

/** The log events of this file. */
export const LOGGED = {
  missing: logEvent('events.provider-missing', {
    level: 'warn',
    fields: ['provider', 'fields', 'count'],
    says: 'The graph has fields whose events come from a provider that `events.providers` does not have: they are answered with `EVENT_PROVIDER_MISSING`. Once for each provider, and again if a later graph has more such fields; at most 20 providers of a composition',
    advice: 'Set `events.providers.<provider>.url`, see [events.md](events.md#providers)',
  }),
  sharesAccount: logEvent('events.provider-shares-account', {
    level: 'warn',
    fields: ['provider', 'account'],
    says: 'NATS says that the provider is in the account in which the services of Switchyard talk. As far as the rights of its user go, schemas could have routers read and write what the services tell each other. Its events are served all the same',
    advice: 'Give events [an account of their own](nats-and-redis.md#accounts)',
  }),
}

/** Logs what is wrong with providers. */
export class ProviderEvents {
  readonly #log: Logger

  constructor(logger: Logger) {
    this.#log = logger
  }

  /** `account`: the name that NATS has for it. */
  sharesAccount(provider: string, account: string): void {
    LOGGED.sharesAccount.write(
      this.#log,
      { provider, account },
      `events.providers.${provider} is in the account of SWITCHYARD_NATS_URL ("${account}"), by another user or address: as far as the rights of its user go, schemas could read and write what the services of Switchyard tell each other. Expected: an account of its own`,
    )
  }

  /** `fields`: those of the graph that name the provider, as `Subscription.orderChanged`. */
  missing(provider: string, fields: readonly string[]): void {
    const [first = '', ...others] = fields
    const more = others.length === 0 ? '' : ` and ${others.length} more`
    LOGGED.missing.write(
      this.#log,
      { provider, fields: fields.slice(0, MAX_LISTED), count: fields.length },
      `The settings have no provider of events "${provider}", which ${first}${more} of the graph need: these fields are answered with EVENT_PROVIDER_MISSING. Expected: events.providers.${provider}.url, such as nats://events@host:4222`,
    )
  }
}
