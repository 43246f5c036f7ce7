/**
 * Reads one log from its beginning and for ever, and knows how far it got.
 *
 * A log that cannot be reached is tried again; a record that cannot be understood ends the reading for good, with its
 * sequence in `stopReason`.
 */
import {
  type EventLog,
  followLog,
  type LogEntry,
  type LogName,
  RecordNotUnderstoodError,
} from '@switchyard/event-log'
import { type Changes, reasonOf } from '@switchyard/service-kit'
import type { RegistryEvents } from './events.ts'

export type LogFollowerOptions = {
  readonly log: EventLog
  readonly name: LogName
  /** Throws for a record that it cannot understand. */
  readonly apply: (entry: LogEntry) => void
  readonly changes: Changes
  readonly events: RegistryEvents
}

export class LogFollower implements AsyncDisposable {
  readonly #options: LogFollowerOptions
  readonly #stop = new AbortController()
  readonly #run: Promise<void>
  /** Sequence of the last record that was applied. */
  position = 0
  stopReason: string | null = null

  constructor(options: LogFollowerOptions) {
    this.#options = options
    this.#run = this.#follow()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort()
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
    try {
      this.#options.apply(entry)
    } catch (error) {
      throw new RecordNotUnderstoodError(entry.subject, entry.sequence, error)
    }
    this.position = entry.sequence
    this.#options.changes.notify()
  }
}
