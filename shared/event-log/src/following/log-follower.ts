/**
 * Reads a log for as long as a service lives, and knows how far it got.
 *
 * A log that cannot be reached is tried again; a record that cannot be understood ends the reading for good,
 * with its sequence in `stopReason`. Position and lag are metrics.
 */
import { type Changes } from '@switchyard/service-kit'
import { messageOf } from '@switchyard/values'
import { EventLogUnavailableError, type LogLoss, LogLostError, StreamMissingError } from '../log/errors.ts'
import type { EventLog, LogEntry, LogFilter, LogName } from '../log/event-log.ts'
import { logOfFilter } from '../log/subjects.ts'
import { followLog } from './follow-log.ts'
import { observeFollower } from './observe-follower.ts'
import { understood } from './parsed-record.ts'

const CATCH_UP_LIMIT_MS = 5000
/** A cluster may call a stream missing for a moment while it finds a leader. */
const MISSING_BEFORE_LOST = 4
/** The number of attempts, two seconds apart, after which a lost log is reported again. */
const ATTEMPTS_BEFORE_TOLD_AGAIN = 150

export type FollowerEvents = {
  /** Called with each attempt to reach the log that failed. */
  logInterrupted(log: LogName, error: unknown): void
  /** A record was not understood, or cannot be read at all. */
  readerStopped(log: LogName, error: unknown): void
  /** Records that were read are not there any more. Said again from time to time while it lasts. */
  logLost(loss: LogLoss): void
}

export type LogFollowerOptions = {
  /** The service that reads, as metrics name it. */
  readonly reader: string
  readonly log: EventLog
  readonly filter: LogFilter
  /** Throws for a record that it cannot understand. */
  readonly apply: (entry: LogEntry) => void
  readonly changes: Changes
  readonly events: FollowerEvents
  /** Ends waiting for records. */
  readonly signal: AbortSignal
}

export class LogFollower implements AsyncDisposable {
  readonly #options: LogFollowerOptions
  readonly #stop = new AbortController()
  readonly #observed: Disposable
  #run: Promise<void> | null = null
  /** How often in a row there was no such log. */
  #missing = 0
  /** Sequence of the last record that was applied, or behind which reading begins. */
  position = 0
  stopReason: string | null = null

  constructor(options: LogFollowerOptions) {
    this.#options = options
    const { reader, log, filter } = options
    this.#observed = observeFollower({ reader, log, filter, position: () => this.position })
  }

  /** A follower that begins at once. */
  static following(options: LogFollowerOptions): LogFollower {
    const follower = new LogFollower(options)
    follower.follow()
    return follower
  }

  /** Applies the records that are there now. Throws EventLogUnavailableError, or RecordNotUnderstoodError. */
  async readExisting(): Promise<void> {
    const { log, filter } = this.#options
    for await (const entry of log.read(filter, this.position + 1)) this.#take(entry)
  }

  /** Applies the records behind `position`, from now on until this is disposed of. */
  follow(): void {
    this.#run ??= this.#follow()
  }

  /** Sequence of the last record of the log; 0 when there is none. */
  async newest(): Promise<number> {
    return (await this.#options.log.last(this.#options.filter))?.sequence ?? 0
  }

  /** Resolves when every record was applied that was acknowledged before the call. */
  async caughtUp(filter: LogFilter = this.#options.filter): Promise<void> {
    const last = await this.#options.log.last(filter)
    if (last !== null) await this.reaches(last.sequence)
  }

  /** Resolves when the record of that sequence was applied. */
  async reaches(sequence: number): Promise<void> {
    const { changes, signal } = this.#options
    const isThere = () => this.position >= sequence
    await changes.until(() => isThere() || this.stopReason !== null, CATCH_UP_LIMIT_MS, signal)
    if (isThere()) return
    throw new EventLogUnavailableError(
      this.stopReason ?? `sequence ${sequence} did not arrive within ${CATCH_UP_LIMIT_MS / 1000} s`,
    )
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort()
    this.#observed[Symbol.dispose]()
    await this.#run
  }

  async #follow(): Promise<void> {
    const { log, filter, events, changes } = this.#options
    const name = logOfFilter(filter)
    const { signal } = this.#stop
    try {
      await followLog({
        log,
        filter,
        from: this.position + 1,
        signal,
        onEntry: (entry) => this.#take(entry),
        onUnavailable: (error) => this.#noticeMissing(name, error),
      })
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof LogLostError) events.logLost(error.loss)
      this.stopReason = messageOf(error)
      events.readerStopped(name, error)
      changes.notify()
    }
  }

  #noticeMissing(log: LogName, error: unknown): void {
    const { events } = this.#options
    events.logInterrupted(log, error)
    this.#missing = error instanceof StreamMissingError ? this.#missing + 1 : 0
    if (this.#missing % ATTEMPTS_BEFORE_TOLD_AGAIN === MISSING_BEFORE_LOST) {
      events.logLost({ log, readUpTo: this.position, end: null })
    }
  }

  #take(entry: LogEntry): void {
    understood(entry, this.#options.apply)
    this.position = entry.sequence
    this.#missing = 0
    this.#options.changes.notify()
  }
}
