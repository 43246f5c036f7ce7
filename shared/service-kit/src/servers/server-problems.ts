import { logEvent } from '../logging/log-event.ts'
import type { Logger } from '../logging/logger.ts'
import type { ServerProblem } from './server-problem.ts'

const MOST_REMEMBERED = 200

const NATS = { fields: ['code'], services: 'all but `switchyard up`' } as const
const REDIS = { fields: ['code'], services: 'config-distribution, router' } as const

/** The log events of NATS. */
export const NATS_EVENTS = {
  problem: logEvent('nats.problem', {
    ...NATS,
    level: 'warn',
    says: 'NATS is not reached, or refuses something; the line says what. What is acknowledged is safe, routers serve on, and it is tried again.',
    advice: 'Act on the message, and on the remedy that [errors.md](errors.md) has for the code',
  }),
  recovered: logEvent('nats.recovered', {
    ...NATS,
    level: 'info',
    says: 'The problem with NATS of this `code` is over.',
  }),
  warning: logEvent('nats.warning', {
    ...NATS,
    level: 'warn',
    says: 'NATS refused something that is not needed at once.',
    advice: 'Act on the message of the line',
  }),
}

/** The log events of Redis. */
export const REDIS_EVENTS = {
  problem: logEvent('redis.problem', {
    ...REDIS,
    level: 'warn',
    says: 'Redis is not reached, or refuses something. Routers serve what they have; nothing newer reaches them.',
    advice: 'Act on the message, and on the remedy that [errors.md](errors.md) has for the code',
  }),
  recovered: logEvent('redis.recovered', {
    ...REDIS,
    level: 'info',
    says: 'The problem with Redis of this `code` is over.',
  }),
  warning: logEvent('redis.warning', {
    ...REDIS,
    level: 'warn',
    says: 'Redis refused something that is not needed at once.',
    advice: 'Act on the message of the line',
  }),
}

/** The present problem of a server. It is logged once, and readiness reports it for as long as it lasts. */
export class ServerProblems {
  readonly #logger: Logger
  readonly #events: typeof NATS_EVENTS
  readonly #warned = new Set<string>()
  #current: ServerProblem | null = null

  constructor(logger: Logger, server: 'nats' | 'redis') {
    this.#logger = logger
    this.#events = server === 'nats' ? NATS_EVENTS : REDIS_EVENTS
  }

  /** Null while nothing is known to be wrong. */
  get current(): string | null {
    return this.#current?.message ?? null
  }

  /** Reports the present problem, or null once it is solved. The same problem again is not logged. */
  readonly tell = (problem: ServerProblem | null): void => {
    const before = this.#current
    this.#current = problem
    if (problem === null) {
      this.#warned.clear()
      if (before !== null) this.#events.recovered.write(this.#logger, { code: before.code }, 'put right')
    } else if (problem.message !== before?.message && !this.#warned.has(problem.message)) {
      this.#events.problem.write(this.#logger, { code: problem.code }, problem.message)
    }
  }

  /** Warns of a problem that does not keep the service from its work. */
  readonly warn = (problem: ServerProblem): void => {
    if (problem.message === this.#current?.message || this.#warned.has(problem.message)) return
    if (this.#warned.size >= MOST_REMEMBERED) this.#warned.clear()
    this.#warned.add(problem.message)
    this.#events.warning.write(this.#logger, { code: problem.code }, problem.message)
  }
}
