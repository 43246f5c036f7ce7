import type { Logger } from './logger.ts'
import type { ServerProblem } from './server-problem.ts'

const MOST_REMEMBERED = 200

/** What is wrong with a server at this moment, said once in the log and for as long as it lasts where readiness is asked for. */
export class ServerProblems {
  readonly #logger: Logger
  readonly #server: string
  readonly #warned = new Set<string>()
  #current: ServerProblem | null = null

  /** `server`: `nats` or `redis`, the beginning of the events' names. */
  constructor(logger: Logger, server: string) {
    this.#logger = logger
    this.#server = server
  }

  /** Null while nothing is known to be wrong. */
  get current(): string | null {
    return this.#current?.message ?? null
  }

  /** Null: it was put right. The same problem again says nothing. */
  readonly tell = (problem: ServerProblem | null): void => {
    const before = this.#current
    this.#current = problem
    if (problem === null) {
      this.#warned.clear()
      if (before !== null)
        this.#logger.info({ event: `${this.#server}.recovered`, code: before.code }, 'put right')
    } else if (problem.message !== before?.message && !this.#warned.has(problem.message)) {
      this.#logger.warn({ event: `${this.#server}.problem`, code: problem.code }, problem.message)
    }
  }

  /** For what does not keep the service from its work. */
  readonly warn = (problem: ServerProblem): void => {
    if (problem.message === this.#current?.message || this.#warned.has(problem.message)) return
    if (this.#warned.size >= MOST_REMEMBERED) this.#warned.clear()
    this.#warned.add(problem.message)
    this.#logger.warn({ event: `${this.#server}.warning`, code: problem.code }, problem.message)
  }
}
