/**
 * The shell of a service that keeps something of every graph at what the logs say.
 *
 * At start the logs are read to their ends, then followed. For each graph that they name there is one worker,
 * which looks for its work by itself whenever it is told of a record. Nothing is kept here that a restart
 * would miss.
 */
import { type GraphName, reasonAgainstRecord } from '@switchyard/contracts'
import { Changes, healthOf, type HealthState, type Logger, Outage } from '@switchyard/service-kit'
import { messageOf } from '@switchyard/values'
import type { EventLog, LogEntry, LogFilter, LogName } from '../log/event-log.ts'
import { Quarantine } from '../log/quarantine.ts'
import { whenAvailable } from './follow-log.ts'
import { LogFollower } from './log-follower.ts'
import { tellLogLost } from './tell-log-lost.ts'

/** Keeps one graph up to date. */
export type GraphWorker = {
  readonly graph: GraphName
  /** Whether there is nothing to do for now. */
  readonly settled: boolean
  /** Why the graph is not up to date, or null. */
  readonly problem: string | null
  /** Resolves when the worker has ended, after the signal of the shell. */
  stopped(): Promise<void>
}

export type GraphsOfLogsOptions = {
  /** The service, as metrics name it. */
  readonly reader: string
  readonly log: EventLog
  readonly logger: Logger
  readonly events: {
    /** Called once per outage. */
    logUnavailable(error: unknown): void
    readerStopped(error: unknown): void
  }
}

export class GraphsOfLogs<Worker extends GraphWorker> implements AsyncDisposable {
  readonly #options: GraphsOfLogsOptions
  readonly #stop = new AbortController()
  readonly #outage: Outage
  readonly #quarantine: Quarantine
  readonly #workers = new Map<string, Worker>()
  readonly #followers: LogFollower[] = []
  #run: Promise<void> = Promise.resolve()
  #isCaughtUp = false
  #catchUpStopped: string | null = null
  /** Notified of every record, and to be notified of whatever else `ready` or `idle` depend on. */
  readonly changes = new Changes()

  constructor(options: GraphsOfLogsOptions) {
    const { log, logger, events } = options
    this.#options = options
    this.#outage = new Outage((error) => events.logUnavailable(error))
    this.#quarantine = new Quarantine({ log, logger, reasonAgainst: reasonAgainstRecord })
  }

  /** The log without quarantined records. */
  get log(): EventLog {
    return this.#quarantine.log
  }

  /** Aborted when the service stops. */
  get signal(): AbortSignal {
    return this.#stop.signal
  }

  get workers(): Iterable<Worker> {
    return this.#workers.values()
  }

  worker({ namespace, graph }: GraphName): Worker | undefined {
    return this.#workers.get(`${namespace}/${graph}`)
  }

  add(worker: Worker): void {
    const { namespace, graph } = worker.graph
    this.#workers.set(`${namespace}/${graph}`, worker)
  }

  /** A follower that begins when everything was read that is there at the start. */
  follower(filter: LogFilter, apply: (entry: LogEntry) => void): LogFollower {
    const follower = new LogFollower({
      reader: this.#options.reader,
      log: this.log,
      filter,
      apply,
      changes: this.changes,
      signal: this.signal,
      events: {
        logInterrupted: (_, error) => this.#outage.noticed(error),
        readerStopped: (_, error) => this.#options.events.readerStopped(error),
        logLost: (loss) => tellLogLost(this.#options.logger, loss),
      },
    })
    this.#followers.push(follower)
    return follower
  }

  /**
   * Starts the service. `catchUp` reads the existing records, and is repeated until the storage was available
   * for all of them.
   */
  start(catchUp: () => Promise<void>): void {
    this.#run = this.#begin(catchUp)
  }

  /** Asks whether the log is there, since following it waits silently for a connection that broke. */
  async ping(log: LogName): Promise<void> {
    try {
      await this.log.last({ kind: 'log', log })
      this.#outage.over()
    } catch (error) {
      if (!this.signal.aborted) this.#outage.noticed(error)
    }
  }

  /**
   * Returns the health of the service. `problem` and `warning` are those that the service knows beyond logs
   * and graphs.
   */
  ready(problem: string | null = null, warning: string | null = null): HealthState {
    const stopReasons = [this.#catchUpStopped, ...this.#followers.map(({ stopReason }) => stopReason)]
    const stopReason = stopReasons.find((reason) => reason !== null) ?? null
    const problems = [stopReason, this.#outage.problem, problem].filter((text) => text !== null)
    if (problems.length === 0 && !this.#isCaughtUp) problems.push('the logs are being read')
    for (const worker of this.#workers.values()) {
      const { namespace, graph } = worker.graph
      if (worker.problem !== null) problems.push(`${namespace}/${graph}: ${worker.problem}`)
    }
    const warnings = [this.#quarantine.warning, warning].filter((text) => text !== null)
    return healthOf(problems, warnings.length === 0 ? null : warnings.join('; '))
  }

  /**
   * Resolves when everything is done that the follower's log asks for now, or nothing will be done any more.
   */
  async idle(...followers: readonly LogFollower[]): Promise<void> {
    const newest = await Promise.all(followers.map((follower) => follower.newest()))
    while (!this.signal.aborted && this.#catchUpStopped === null) {
      if (this.#followers.some(({ stopReason }) => stopReason !== null)) return
      const changed = this.changes.next
      const hasRead =
        this.#isCaughtUp && followers.every(({ position }, index) => position >= (newest[index] ?? 0))
      if (hasRead && [...this.#workers.values()].every(({ settled }) => settled)) return
      await changed
    }
  }

  /**
   * Tells workers and followers to end, so that the things they wait for can be disposed of before this is.
   */
  stop(): void {
    this.#stop.abort()
    this.changes.notify()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.stop()
    await Promise.all(this.#followers.map((follower) => follower[Symbol.asyncDispose]()))
    await this.#run
    await Promise.all(Array.from(this.#workers.values(), (worker) => worker.stopped()))
  }

  async #begin(catchUp: () => Promise<void>): Promise<void> {
    const patience = {
      signal: this.signal,
      onUnavailable: (error: unknown) => this.#outage.noticed(error),
    }
    try {
      await whenAvailable(patience, catchUp)
      if (this.signal.aborted) return
      this.#outage.over()
      this.#isCaughtUp = true
      for (const follower of this.#followers) follower.follow()
    } catch (error) {
      if (this.signal.aborted) return
      this.#catchUpStopped = messageOf(error)
      this.#options.events.readerStopped(error)
    }
    this.changes.notify()
  }
}
