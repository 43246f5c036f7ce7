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
}

/** Logs what is wrong with providers. */
export class ProviderEvents {
  readonly #log: Logger

  constructor(logger: Logger) {
    this.#log = logger
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
