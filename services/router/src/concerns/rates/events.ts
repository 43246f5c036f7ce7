/** Requests that are too many, and the store in which they are counted. */
import { createCheapCounter, declareCounter, type Logger } from '@switchyard/service-kit'
import { METER } from '../../observe/meter.ts'

export const RATE_LIMITED = declareCounter('switchyard.router.rate_limited', {
  description: 'Requests that a rate limit refused, or would refuse if it were enforced, by its name',
  labels: { limit: 'the name of the rule', enforced: ['true', 'false'] },
})

export const RATE_LIMITS_AWAY = declareCounter('switchyard.router.rate_limits_away', {
  description: 'Times that the Redis for rate limits could not be reached any more',
})

/** Counts what limits refuse, and logs when the limits cannot be looked up. */
export class RateEvents {
  readonly #log: Logger
  readonly #limited = createCheapCounter(METER, RATE_LIMITED)
  readonly #away = createCheapCounter(METER, RATE_LIMITS_AWAY)

  constructor(logger: Logger) {
    this.#log = logger
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
