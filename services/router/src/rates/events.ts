/** Requests that are too many, and the store in which they are counted. */
import { createCheapCounter, type Logger } from '@switchyard/service-kit'
import { METER } from '../observe/meter.ts'

/** Counts what limits refuse, and logs when the limits cannot be looked up. */
export class RateEvents {
  readonly #log: Logger
  readonly #limited
  readonly #away

  constructor(logger: Logger) {
    this.#log = logger
    this.#limited = createCheapCounter(METER, 'switchyard.router.rate_limited', {
      description: 'Requests that a rate limit refused, or would refuse if it were enforced, by its name',
      labels: ['limit', 'enforced'],
    })
    this.#away = createCheapCounter(METER, 'switchyard.router.rate_limits_away', {
      description: 'Times that the Redis for rate limits could not be reached any more',
      labels: [],
    })
  }

  limited(rule: string, isEnforced: boolean): void {
    this.#limited.of(rule, String(isEnforced)).record(1)
  }

  /** `instead`: the setting that says what becomes of requests. */
  away(reason: string, instead: 'allow' | 'deny' | 'memory'): void {
    this.#away.of().record(1)
    this.#log.error(
      { event: 'rate-limits.away', reason, instead },
      `The Redis of rate_limits does not answer: ${MEANINGS[instead]} until it does`,
    )
  }

  back(): void {
    this.#log.info({ event: 'rate-limits.back' }, 'The Redis of rate_limits answers again')
  }
}

const MEANINGS = {
  allow: 'nobody is limited',
  deny: 'every request is refused',
  memory: 'each process counts for itself',
} as const
