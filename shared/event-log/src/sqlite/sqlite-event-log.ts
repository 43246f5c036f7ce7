import { EventLogUnavailableError } from '../log/errors.ts'
import type { EventLog, LogEntry, LogFilter, LogName } from '../log/event-log.ts'
import { decodeRecord, encodeRecord } from '../log/record.ts'
import { logOfFilter, logOfSubject } from '../log/subjects.ts'
import type { Growth } from './growth.ts'
import type { RecordRow, RecordSelection } from './protocol.ts'
import type { WorkerClient } from './worker-client.ts'

export class SqliteEventLog implements EventLog {
  readonly #client: WorkerClient
  readonly #growth: Growth
  #disposed = false

  constructor(client: WorkerClient, growth: Growth) {
    this.#client = client
    this.#growth = growth
  }

  async append(subject: string, record: unknown, expectedLast: number): Promise<number> {
    this.#checkOpen()
    const log = logOfSubject(subject)
    const text = encodeRecord(subject, record)
    const sequence = await this.#client.request('append', { log, subject, text, expectedLast })
    this.#growth.advance(log, sequence)
    return sequence
  }

  async *read(filter: LogFilter, from: number): AsyncIterable<LogEntry> {
    this.#checkOpen()
    const selection = selectionOf(filter)
    const newest = await this.#client.request('last', selection)
    const through = newest?.sequence ?? 0
    let next = from
    while (next <= through) {
      const page = await this.#client.request('page', { ...selection, from: next, through })
      for (const row of page.rows) yield entryOf(row)
      next = page.scannedThrough + 1
    }
  }

  async *follow(filter: LogFilter, from: number, signal: AbortSignal): AsyncIterable<LogEntry> {
    const selection = selectionOf(filter)
    let next = from
    while (!signal.aborted) {
      this.#checkOpen()
      const through = this.#growth.head(selection.log)
      if (next > through) {
        await this.#growth.changed(signal)
        continue
      }
      const page = await this.#client.request('page', { ...selection, from: next, through })
      for (const row of page.rows) {
        if (signal.aborted) return
        yield entryOf(row)
      }
      next = page.scannedThrough + 1
    }
  }

  async last(filter: LogFilter): Promise<LogEntry | null> {
    this.#checkOpen()
    const row = await this.#client.request('last', selectionOf(filter))
    return row === null ? null : entryOf(row)
  }

  async subjects(log: LogName): Promise<readonly string[]> {
    this.#checkOpen()
    return this.#client.request('subjects', { log })
  }

  /** Ends the followers with an error; the database belongs to the storage and stays open. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#disposed = true
    this.#growth.wakeAll()
  }

  #checkOpen(): void {
    if (this.#disposed) throw new EventLogUnavailableError('it was closed')
  }
}

function selectionOf(filter: LogFilter): RecordSelection {
  return { log: logOfFilter(filter), subject: filter.kind === 'subject' ? filter.subject : null }
}

function entryOf({ sequence, subject, text }: RecordRow): LogEntry {
  return { subject, sequence, record: decodeRecord(text) }
}
