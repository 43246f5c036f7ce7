/**
 * Logs as JetStream streams, one each, shared by every service.
 *
 * An append is a plain request that carries the expected last sequence of its subject; the server checks and
 * stores in one step. The client library's own publish is not used, because it repeats a request by itself: a
 * repetition of an append that was stored would look like a conflict with somebody else. Message ids for
 * de-duplication are not used either, as they hold for a time window only while the expected sequence holds
 * for ever.
 *
 * On a single server the acknowledgement means that the record survives a killed process; that it survives a
 * power cut needs `sync_interval: always` (server 2.10) or replicas.
 */
import {
  jetstream,
  type JetStreamClient,
  type JetStreamManager,
  jetstreamManager,
  type StoredMsg,
} from '@nats-io/jetstream'
import { errors, headers } from '@nats-io/transport-node'
import { z } from 'zod'
import { messageOf } from '@switchyard/values'
import {
  AppendConflictError,
  AppendOutcomeUnknownError,
  EventLogUnavailableError,
  RecordTooLargeError,
  StorageError,
  StreamMissingError,
} from '../log/errors.ts'
import type { EventLog, LogEntry, LogFilter, LogName } from '../log/event-log.ts'
import { decodeRecord, encodeRecord } from '../log/record.ts'
import { LOG_NAMES, logOfFilter, logOfSubject, subjectPattern } from '../log/subjects.ts'
import { linkFor, type NatsAccess, type NatsLink, whileConnected } from './connect-nats.ts'
import { deliver, EXPECTED_LAST_HEADER, isStreamGone } from './ordered-delivery.ts'
import { createStream, type CreateOptions, verifyStream } from './streams.ts'
import { untilItWorks, type StartWait } from './until-it-works.ts'

const ANSWER_MS = 5_000
/** Codes of NATS for an append that expected another last sequence. */
export const WRONG_LAST_SEQUENCE = new Set([10_071, 10_164])

export type NatsEventLogOptions = NatsAccess &
  StartWait &
  CreateOptions & {
    /** Logs whose stream this service creates. */
    readonly owns: readonly LogName[]
    /** Logs of others that this service uses; their streams are waited for. All the rest by default. */
    readonly reads?: readonly LogName[]
  }

/**
 * Connects, creates the streams of the owned logs, waits for those of the others, and verifies all of them.
 * Throws StreamMismatchError, ReplicasUnsupportedError, EventLogUnavailableError (credentials), or the
 * signal's reason.
 */
export async function openNatsEventLog(options: NatsEventLogOptions): Promise<EventLog> {
  const { owns, reads = LOG_NAMES.filter((log) => !owns.includes(log)) } = options
  const { link, release } = await linkFor(options)
  try {
    const jsm = await untilItWorks(link, options, () =>
      jetstreamManager(link.connection, { timeout: ANSWER_MS, checkAPI: true }),
    )
    for (const log of owns) await untilItWorks(link, options, () => createStream(link, jsm, log, options))
    for (const log of reads) await untilItWorks(link, options, () => verifyStream(link, jsm, log))
    return new NatsEventLog(link, release, jsm, new Set([...owns, ...reads]))
  } catch (error) {
    await release()
    throw error
  }
}

class NatsEventLog implements EventLog {
  readonly #link: NatsLink
  readonly #release: () => Promise<void>
  readonly #js: JetStreamClient
  readonly #jsm: JetStreamManager
  readonly #logs: ReadonlySet<LogName>
  readonly #disposal = new AbortController()

  constructor(
    link: NatsLink,
    release: () => Promise<void>,
    jsm: JetStreamManager,
    logs: ReadonlySet<LogName>,
  ) {
    this.#link = link
    this.#release = release
    this.#js = jetstream(link.connection, { timeout: ANSWER_MS })
    this.#jsm = jsm
    this.#logs = logs
  }

  async append(subject: string, record: unknown, expectedLast: number): Promise<number> {
    const log = this.#opened(logOfSubject(subject))
    const text = encodeRecord(subject, record)
    const header = headers()
    header.set(EXPECTED_LAST_HEADER, String(expectedLast))
    if (!this.#link.connected) throw this.#disconnected()
    const answer = await this.#request(subject, text, header)
    if (answer.error !== undefined) {
      const { err_code: code, description } = answer.error
      if (WRONG_LAST_SEQUENCE.has(code))
        throw new AppendConflictError(subject, expectedLast, sequenceIn(description))
      throw new EventLogUnavailableError(`NATS refused the record: ${description}`)
    }
    if (answer.stream !== log || answer.seq === undefined) {
      throw new AppendOutcomeUnknownError(
        subject,
        `answered by stream ${answer.stream ?? 'none'}, expected ${log}`,
      )
    }
    return answer.seq
  }

  async *read(filter: LogFilter, from: number): AsyncIterable<LogEntry> {
    const newest = await this.#newest(filter)
    if (newest < from) return
    // A follower outlives a broken connection, a read reports it: its caller decides whether to wait.
    const { session } = this.#link
    const done = new AbortController()
    try {
      for await (const entry of this.#deliver(filter, from, AbortSignal.any([done.signal, session]))) {
        yield entry
        if (entry.sequence >= newest) return
      }
    } finally {
      done.abort()
    }
    throw session.aborted ? session.reason : this.#disconnected()
  }

  async *follow(filter: LogFilter, from: number, signal: AbortSignal): AsyncIterable<LogEntry> {
    yield* this.#deliver(filter, from, signal)
  }

  async last(filter: LogFilter): Promise<LogEntry | null> {
    const message = await this.#lastMessage(filter)
    return message === null
      ? null
      : {
          subject: message.subject,
          sequence: message.seq,
          record: decodeRecord(Buffer.from(message.data).toString('utf8')),
        }
  }

  async subjects(log: LogName): Promise<readonly string[]> {
    const stream = this.#opened(log)
    const info = await this.#ask(stream, () =>
      this.#jsm.streams.info(stream, { subjects_filter: subjectPattern(log) }),
    )
    return Object.keys(info.state.subjects ?? {}).toSorted()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#disposal.abort(new EventLogUnavailableError('it was closed'))
    await this.#release()
  }

  async #request(subject: string, text: string, header: ReturnType<typeof headers>): Promise<PublishReply> {
    try {
      const request = this.#link.connection.request(subject, text, { timeout: ANSWER_MS, headers: header })
      const reply = await whileConnected(this.#link, request)
      return PublishReply.parse(JSON.parse(reply.string()))
    } catch (error) {
      if (isNoResponders(error))
        throw new EventLogUnavailableError('NATS has no stream for it at this moment', error)
      if (error instanceof errors.InvalidArgumentError) {
        throw new RecordTooLargeError(subject, text.length, this.#link.connection.info?.max_payload ?? 0)
      }
      if (error instanceof errors.PermissionViolationError) {
        throw new EventLogUnavailableError(this.#link.problemOf(error).message, error)
      }
      throw new AppendOutcomeUnknownError(subject, messageOf(error), error)
    }
  }

  async *#deliver(filter: LogFilter, from: number, signal: AbortSignal): AsyncIterable<LogEntry> {
    this.#disposal.signal.throwIfAborted()
    yield* deliver({
      link: this.#link,
      js: this.#js,
      jsm: this.#jsm,
      stream: this.#opened(logOfFilter(filter)),
      subject: filter.kind === 'subject' ? filter.subject : null,
      from,
      signal: AbortSignal.any([signal, this.#disposal.signal]),
      newest: () => this.#newest(filter),
    })
    if (!signal.aborted) this.#disposal.signal.throwIfAborted()
  }

  async #newest(filter: LogFilter): Promise<number> {
    if (filter.kind === 'subject') return (await this.#lastMessage(filter))?.seq ?? 0
    const stream = this.#opened(filter.log)
    return (await this.#ask(stream, () => this.#jsm.streams.info(stream))).state.last_seq
  }

  /** Both questions go to the stream's leader, which is what makes `last` see every acknowledged append. */
  async #lastMessage(filter: LogFilter): Promise<StoredMsg | null> {
    const stream = this.#opened(logOfFilter(filter))
    if (filter.kind === 'subject') {
      return this.#ask(stream, () => this.#jsm.streams.getMessage(stream, { last_by_subj: filter.subject }))
    }
    const newest = await this.#newest(filter)
    return newest === 0
      ? null
      : this.#ask(stream, () => this.#jsm.streams.getMessage(stream, { seq: newest }))
  }

  async #ask<Value>(log: string, question: () => Promise<Value>): Promise<Value> {
    this.#disposal.signal.throwIfAborted()
    if (!this.#link.connected) throw this.#disconnected()
    try {
      return await whileConnected(this.#link, question())
    } catch (error) {
      if (error instanceof StorageError) throw error
      if (isStreamGone(error)) throw new StreamMissingError(log)
      throw new EventLogUnavailableError(messageOf(error), error)
    }
  }

  #opened(log: LogName): LogName {
    this.#disposal.signal.throwIfAborted()
    if (this.#logs.has(log)) return log
    throw new EventLogUnavailableError(`this service did not open the log "${log}"`)
  }

  #disconnected(): EventLogUnavailableError {
    return new EventLogUnavailableError(`not connected to NATS at ${this.#link.servers}, reconnecting`)
  }
}

const PublishReply = z.object({
  stream: z.string().optional(),
  seq: z.int().min(0).optional(),
  error: z.object({ err_code: z.int().default(0), description: z.string().default('') }).optional(),
})
type PublishReply = z.infer<typeof PublishReply>

function sequenceIn(description: string): number | null {
  const digits = /(\d+)\s*$/.exec(description)?.[1]
  return digits === undefined ? null : Number.parseInt(digits, 10)
}

function isNoResponders(error: unknown): boolean {
  return (
    error instanceof errors.NoRespondersError ||
    (error instanceof errors.RequestError && error.isNoResponders())
  )
}
