/** Requests that are too many, and the store in which they are counted. */
import { createCheapCounter, declareCounter, logEvent, type Logger } from '@switchyard/service-kit'
import { METER } from '../../observe/meter.ts'

export const RATE_LIMITED = declareCounter('switchyard.router.rate_limited', {
  description: 'Requests that a rate limit refused, or would refuse if it were enforced, by its name',
  labels: { limit: 'the name of the rule', enforced: ['true', 'false'] },
})

export const RATE_LIMITS_AWAY = declareCounter('switchyard.router.rate_limits_away', {
  description: 'Times that the Redis for rate limits could not be reached any more',
})

/** The log events of this file. */
export const LOGGED = {
  away: logEvent('rate-limits.away', {
    level: 'error',
    fields: ['reason', 'instead'],
    says: 'The Redis of [`rate_limits`](rate-limits.md) does not answer. `instead`: what happens to requests (`rate_limits.on_failure`).',
    advice: 'Find out why Redis cannot be reached; each router tries again once per second',
  }),
  back: logEvent('rate-limits.back', {
    level: 'info',
    says: 'The Redis of `rate_limits` answers again',
  }),
}

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
    LOGGED.away.write(
      this.#log,
      { reason, instead },
      `The Redis of rate_limits does not answer: ${MEANINGS[instead]} until it does`,
    )
  }

  back(): void {
    LOGGED.back.write(this.#log, {})
  }
}

const MEANINGS = {
  allow: 'nobody is limited',
  deny: 'every request is refused',
  memory: 'each process counts for itself',
} as const
