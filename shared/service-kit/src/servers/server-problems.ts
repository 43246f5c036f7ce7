import type { Logger } from '../logging/logger.ts'
import type { ServerProblem } from './server-problem.ts'

const MOST_REMEMBERED = 200

const SERVER_EVENTS = {
  nats: { problem: 'nats.problem', recovered: 'nats.recovered', warning: 'nats.warning' },
  redis: { problem: 'redis.problem', recovered: 'redis.recovered', warning: 'redis.warning' },
} as const

/** The present problem of a server. It is logged once, and readiness reports it for as long as it lasts. */
export class ServerProblems {
  readonly #logger: Logger
  readonly #events: (typeof SERVER_EVENTS)[keyof typeof SERVER_EVENTS]
  readonly #warned = new Set<string>()
  #current: ServerProblem | null = null

  constructor(logger: Logger, server: keyof typeof SERVER_EVENTS) {
    this.#logger = logger
    this.#events = SERVER_EVENTS[server]
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
      if (before !== null)
        this.#logger.info({ event: this.#events.recovered, code: before.code }, 'put right')
    } else if (problem.message !== before?.message && !this.#warned.has(problem.message)) {
      this.#logger.warn({ event: this.#events.problem, code: problem.code }, problem.message)
    }
  }

  /** Warns of a problem that does not keep the service from its work. */
  readonly warn = (problem: ServerProblem): void => {
    if (problem.message === this.#current?.message || this.#warned.has(problem.message)) return
    if (this.#warned.size >= MOST_REMEMBERED) this.#warned.clear()
    this.#warned.add(problem.message)
    this.#logger.warn({ event: this.#events.warning, code: problem.code }, problem.message)
  }
}
