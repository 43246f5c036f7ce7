/**
 * Reads one log from its beginning and for ever, and knows how far it got.
 *
 * A log that cannot be reached is tried again; a record that cannot be understood ends the reading for good, with its
 * sequence in `stopReason`.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { type EventLog, type LogEntry, type LogName, StorageUnavailableError } from '@switchyard/event-log'
import type { Changes } from './changes.ts'
import { RecordUnreadableError } from './errors.ts'
import type { RegistryEvents } from './events.ts'

const FIRST_PAUSE_MS = 50
const LONGEST_PAUSE_MS = 2000

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
    const { log, name, events } = this.#options
    const { signal } = this.#stop
    let pause = FIRST_PAUSE_MS
    while (!signal.aborted) {
      try {
        for await (const entry of log.follow({ kind: 'log', log: name }, this.position + 1, signal)) {
          this.#apply(entry)
          pause = FIRST_PAUSE_MS
        }
      } catch (error) {
        if (signal.aborted) return
        if (!(error instanceof StorageUnavailableError)) return this.#stopFor(error)
        events.logInterrupted(name, error)
      }
      await sleep(pause, undefined, { signal }).catch(() => {})
      pause = Math.min(pause * 2, LONGEST_PAUSE_MS)
    }
  }

  #apply(entry: LogEntry): void {
    try {
      this.#options.apply(entry)
    } catch (error) {
      throw new RecordUnreadableError(entry.subject, entry.sequence, error)
    }
    this.position = entry.sequence
    this.#options.changes.notify()
  }

  #stopFor(error: unknown): void {
    this.stopReason = error instanceof Error ? error.message : String(error)
    this.#options.events.readerStopped(this.#options.name, error)
    this.#options.changes.notify()
  }
}
