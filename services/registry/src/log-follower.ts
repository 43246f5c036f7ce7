/**
 * Reads one log from its beginning and for ever, and knows how far it got.
 *
 * A log that cannot be reached is tried again; a record that cannot be understood ends the reading for good,
 * with its sequence in `stopReason`.
 */
import {
  type EventLog,
  EventLogUnavailableError,
  followLog,
  type LogEntry,
  type LogFilter,
  type LogName,
  observeFollower,
  understood,
} from '@switchyard/event-log'
import { type Changes, reasonOf } from '@switchyard/service-kit'
import type { RegistryEvents } from './events.ts'

const CATCH_UP_LIMIT_MS = 5000

export type LogFollowerOptions = {
  readonly log: EventLog
  readonly name: LogName
  /** Throws for a record that it cannot understand. */
  readonly apply: (entry: LogEntry) => void
  readonly changes: Changes
  readonly events: RegistryEvents
  /** Ends waiting for records. */
  readonly signal: AbortSignal
}

export class LogFollower implements AsyncDisposable {
  readonly #options: LogFollowerOptions
  readonly #stop = new AbortController()
  readonly #observed: Disposable
  readonly #run: Promise<void>
  /** Sequence of the last record that was applied. */
  position = 0
  stopReason: string | null = null

  constructor(options: LogFollowerOptions) {
    this.#options = options
    this.#observed = observeFollower({
      reader: 'registry',
      log: options.log,
      filter: { kind: 'log', log: options.name },
      position: () => this.position,
    })
    this.#run = this.#follow()
  }

  /** Resolves when every record was applied that was acknowledged before the call. */
  async caughtUp(filter: LogFilter = { kind: 'log', log: this.#options.name }): Promise<void> {
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
    const { log, name, events, changes } = this.#options
    const { signal } = this.#stop
    try {
      await followLog({
        log,
        filter: { kind: 'log', log: name },
        from: 1,
        signal,
        onEntry: (entry) => this.#take(entry),
        onUnavailable: (error) => events.logInterrupted(name, error),
      })
    } catch (error) {
      if (signal.aborted) return
      this.stopReason = reasonOf(error)
      events.readerStopped(name, error)
      changes.notify()
    }
  }

  #take(entry: LogEntry): void {
    understood(entry, () => this.#options.apply(entry))
    this.position = entry.sequence
    this.#options.changes.notify()
  }
}
