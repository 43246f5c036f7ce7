/**
 * A log as its services use it: without what is no record.
 *
 * Whoever may publish to a stream can put anything there, and a log cannot be cleaned: streams deny deletes,
 * and every reader counts on the sequences. So what none of our programs can have written is passed over,
 * here and nowhere else, and every reader sees the same records. Passing it over cannot change a state, since
 * it never was a decision. A record that one of our programs may have written is never passed over, however
 * little this version understands of it.
 */
import { logEvent, type Logger } from '@switchyard/service-kit'
import { AppendConflictError } from './errors.ts'
import type { EventLog, LogEntry, LogFilter, LogName } from './event-log.ts'
import { NotJson } from './record.ts'
import { logOfFilter, logOfSubject } from './subjects.ts'

/**
 * Most quarantined entries that are logged one by one in each log. Beyond that somebody floods it, and one
 * more line helps nobody.
 */
const MOST_TOLD_PER_LOG = 1000
/** Most entries that the health page names. */
const MOST_NAMED = 3
/** How many subjects that end in something unreadable are remembered with the record before it. */
const MOST_REMEMBERED = 1000
/** How far back the last record is looked for at first; four times as far with each attempt. */
const FIRST_REACH = 64

export type QuarantineOptions = {
  readonly log: EventLog
  readonly logger: Pick<Logger, 'error'>
  /**
   * Why none of our programs can have written it; null for a record. The same answer in every version and
   * every reader.
   */
  readonly reasonAgainst: (log: LogName, record: unknown) => string | null
}

/** The log events of this file. */
export const LOGGED = {
  quarantineFlooded: logEvent('log.quarantine-flooded', {
    level: 'error',
    fields: ['log', 'told'],
    services: 'registry, composer, config-distribution',
    says: 'A log has too many entries that are no records. The service logs no more of them.',
    advice: 'Find out at once who may publish to the stream, and take that permission away',
  }),
  recordQuarantined: logEvent('log.record-quarantined', {
    level: 'error',
    fields: ['log', 'subject', 'sequence', 'reason'],
    services: 'registry, composer, config-distribution',
    says: 'An entry of a log is no record. Every reader skips it.',
    advice: 'Find out who may publish to the stream, and take that permission away',
  }),
}

export class Quarantine {
  readonly #reasonAgainst: QuarantineOptions['reasonAgainst']
  readonly #logger: Pick<Logger, 'error'>
  readonly #found = new Map<LogName, Map<number, string>>()
  #isFlooded = false
  /** The log without quarantined entries. The caller disposes of the log that it was made of. */
  readonly log: EventLog

  constructor({ log, logger, reasonAgainst }: QuarantineOptions) {
    this.#reasonAgainst = reasonAgainst
    this.#logger = logger
    this.log = new LogOfRecords(log, (entry, name) => this.#isQuarantined(entry, name))
  }

  /** How many were met since this program started. */
  get count(): number {
    return [...this.#found.values()].reduce((sum, { size }) => sum + size, 0)
  }

  /** A warning for the health page that names the skipped records; null if there are none. */
  get warning(): string | null {
    const { count } = this
    if (count === 0) return null
    const named = [...this.#found.values()]
      .flatMap((places) => [...places].toSorted(([a], [b]) => a - b).map(([, place]) => place))
      .slice(0, MOST_NAMED)
    const more = count > named.length ? ` and ${count - named.length} more` : ''
    const atLeast = this.#isFlooded ? 'at least ' : ''
    const what = count === 1 ? 'record is quarantined' : 'records are quarantined'
    return `${atLeast}${count} ${what}, which means skipped by every reader: ${named.join('; ')}${more}`
  }

  #isQuarantined({ subject, sequence, record }: LogEntry, log: LogName): boolean {
    const reason = record instanceof NotJson ? 'not JSON' : this.#reasonAgainst(log, record)
    if (reason === null) return false
    const places = this.#found.get(log) ?? new Map<number, string>()
    this.#found.set(log, places)
    if (places.has(sequence)) return true
    if (places.size >= MOST_TOLD_PER_LOG) {
      if (!this.#isFlooded) {
        LOGGED.quarantineFlooded.write(
          this.#logger,
          { log, told: MOST_TOLD_PER_LOG },
          `the log "${log}" holds more than ${MOST_TOLD_PER_LOG} entries that are no records; the others are skipped without a word. Find out who publishes to its stream, and take that permission away`,
        )
      }
      this.#isFlooded = true
      return true
    }
    places.set(sequence, `sequence ${sequence} of the log "${log}" (${subject.slice(0, 200)}: ${reason})`)
    LOGGED.recordQuarantined.write(
      this.#logger,
      { log, subject, sequence, reason },
      `sequence ${sequence} of the log "${log}" is no record of any version (${reason}); it is skipped by every reader, and nothing that was decided is lost. ` +
        'Find out who publishes to this stream besides the service that owns it, and take that permission away; the entry itself may stay',
    )
    return true
  }
}

/** The records of another log. Appends expect the last *record* of their subject. */
class LogOfRecords implements EventLog {
  readonly #log: EventLog
  readonly #isQuarantined: (entry: LogEntry, log: LogName) => boolean
  /**
   * The sequence and the last record before it, for each log or subject that ended in a quarantined entry.
   */
  readonly #recordsBefore = new Map<string, { readonly end: number; readonly record: LogEntry | null }>()

  constructor(log: EventLog, isQuarantined: (entry: LogEntry, log: LogName) => boolean) {
    this.#log = log
    this.#isQuarantined = isQuarantined
  }

  async append(subject: string, record: unknown, expectedLast: number): Promise<number> {
    try {
      return await this.#log.append(subject, record, expectedLast)
    } catch (error) {
      if (!(error instanceof AppendConflictError)) throw error
      const end = await this.#endBehind(subject, expectedLast)
      if (end === null) throw error
      // Checked by the log again: whatever comes in between is a conflict.
      return this.#log.append(subject, record, end)
    }
  }

  async *read(filter: LogFilter, from: number): AsyncIterable<LogEntry> {
    yield* this.#recordsOf(filter, this.#log.read(filter, from))
  }

  async *follow(filter: LogFilter, from: number, signal: AbortSignal): AsyncIterable<LogEntry> {
    yield* this.#recordsOf(filter, this.#log.follow(filter, from, signal))
  }

  async last(filter: LogFilter): Promise<LogEntry | null> {
    const last = await this.#log.last(filter)
    if (last === null || !this.#isQuarantined(last, logOfFilter(filter))) return last
    return this.#recordBefore(filter, last.sequence)
  }

  async subjects(log: LogName): Promise<readonly string[]> {
    return this.#log.subjects(log)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#log[Symbol.asyncDispose]()
  }

  async *#recordsOf(filter: LogFilter, entries: AsyncIterable<LogEntry>): AsyncIterable<LogEntry> {
    const log = logOfFilter(filter)
    for await (const entry of entries) if (!this.#isQuarantined(entry, log)) yield entry
  }

  /**
   * Returns where the subject ends, if only quarantined entries follow the one that was expected to be the
   * last; else null.
   */
  async #endBehind(subject: string, expectedLast: number): Promise<number | null> {
    const filter = { kind: 'subject', subject } as const
    const last = await this.#log.last(filter)
    if (last === null || last.sequence <= expectedLast) return null
    if (!this.#isQuarantined(last, logOfSubject(subject))) return null
    const record = await this.#recordBefore(filter, last.sequence)
    return (record?.sequence ?? 0) <= expectedLast ? last.sequence : null
  }

  async #recordBefore(filter: LogFilter, end: number): Promise<LogEntry | null> {
    const key = filter.kind === 'log' ? filter.log : filter.subject
    const known = this.#recordsBefore.get(key)
    if (known?.end === end) return known.record
    const record =
      known !== undefined && known.end < end
        ? ((await this.#lastBetween(filter, known.end + 1, end)) ?? known.record)
        : await this.#lastFarBefore(filter, end)
    this.#recordsBefore.delete(key)
    this.#recordsBefore.set(key, { end, record })
    const [oldest] = this.#recordsBefore.keys()
    if (this.#recordsBefore.size > MOST_REMEMBERED && oldest !== undefined) this.#recordsBefore.delete(oldest)
    return record
  }

  async #lastFarBefore(filter: LogFilter, end: number): Promise<LogEntry | null> {
    for (let reach = FIRST_REACH; ; reach *= 4) {
      const from = Math.max(1, end - reach)
      const record = await this.#lastBetween(filter, from, end)
      if (record !== null || from === 1) return record
    }
  }

  async #lastBetween(filter: LogFilter, from: number, end: number): Promise<LogEntry | null> {
    let last: LogEntry | null = null
    for await (const entry of this.read(filter, from)) {
      if (entry.sequence >= end) break
      last = entry
    }
    return last
  }
}
