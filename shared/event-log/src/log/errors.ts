import type { EventLogErrorCode } from './error-codes.ts'

/** Every error of this package. `code` is stable; messages are for people. */
export abstract class StorageError extends Error {
  abstract readonly code: EventLogErrorCode

  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = new.target.name
  }
}

/** Nothing was written, nothing is lost: the storage cannot be used at this moment. */
export abstract class StorageUnavailableError extends StorageError {}

/** The texts before and behind the reason in messages about a store that is not available. */
const EVENT_LOG = ['The event log is not available: ', '. Nothing was written by this call.'] as const
const BLOB_STORE = [
  'The blob store is not available: ',
  '. The blob may be stored or not; put it again.',
] as const

/** The reason may be the whole message of such an error, which would say the same twice, or a sentence. */
function unavailable([before, behind]: readonly [string, string], reason: string): string {
  let inner = reason
  for (const [start, end] of [EVENT_LOG, BLOB_STORE, EVENT_LOG])
    if (inner.startsWith(start) && inner.endsWith(end)) inner = inner.slice(start.length, -end.length)
  return `${before}${inner.replace(/\.$/, '')}${behind}`
}

export class EventLogUnavailableError extends StorageUnavailableError {
  override readonly code: EventLogErrorCode = 'EVENT_LOG_UNAVAILABLE'

  constructor(reason: string, cause?: unknown) {
    super(unavailable(EVENT_LOG, reason), { cause })
  }
}

export class BlobStoreUnavailableError extends StorageUnavailableError {
  override readonly code: EventLogErrorCode = 'BLOB_STORE_UNAVAILABLE'

  constructor(reason: string, cause?: unknown) {
    super(unavailable(BLOB_STORE, reason), { cause })
  }
}

export class AppendConflictError extends StorageError {
  override readonly code = 'APPEND_CONFLICT'
  readonly subject: string
  readonly expectedLast: number
  /** The last sequence that the log reported instead; null if it did not. */
  readonly actualLast: number | null

  constructor(subject: string, expectedLast: number, actualLast: number | null) {
    super(
      `Somebody else wrote to ${subject} first: expected its last sequence to be ${expectedLast}, ` +
        `found ${actualLast ?? 'another one'}. Nothing was written; read on and decide again.`,
    )
    this.subject = subject
    this.expectedLast = expectedLast
    this.actualLast = actualLast
  }
}

export class AppendOutcomeUnknownError extends StorageError {
  override readonly code = 'APPEND_OUTCOME_UNKNOWN'
  readonly subject: string

  constructor(subject: string, reason: string, cause?: unknown) {
    super(
      `No answer to an append on ${subject} (${reason}): the record may or may not be in the log, or may still ` +
        'arrive. Look it up by its command id before deciding again.',
      { cause },
    )
    this.subject = subject
  }
}

export class RecordTooLargeError extends StorageError {
  override readonly code = 'RECORD_TOO_LARGE'
  readonly size: number
  readonly limit: number

  constructor(subject: string, size: number, limit: number) {
    super(
      `A record for ${subject} has ${size} bytes; the limit is ${limit}. Nothing was written. ` +
        'Store large content as a blob and let the record name its hash.',
    )
    this.size = size
    this.limit = limit
  }
}

export class InvalidRecordError extends StorageError {
  override readonly code = 'INVALID_RECORD'

  constructor(subject: string, cause?: unknown) {
    super(`A record for ${subject} cannot be written as JSON. Nothing was written. Expected: a JSON value.`, {
      cause,
    })
  }
}

/** Characters of what is wrong with a record that somebody else wrote. */
const MAX_REASON = 1000

/**
 * A record was written by something newer, or damaged. Skipping it would give a state that nobody decided.
 */
export class RecordNotUnderstoodError extends StorageError {
  override readonly code = 'RECORD_NOT_UNDERSTOOD'
  readonly subject: string
  readonly sequence: number

  constructor(subject: string, sequence: number, cause: unknown) {
    const reason = (cause instanceof Error ? cause.message : String(cause)).slice(0, MAX_REASON)
    super(
      `The record at sequence ${sequence} of ${subject} cannot be understood: ${reason}. It has the form of a record, so that it may be a decision ` +
        'of a newer version and is not skipped: nothing after it is carried out. Expected: a record of this or an older version; upgrade this service.',
      { cause },
    )
    this.subject = subject
    this.sequence = sequence
  }
}

export class InvalidSubjectError extends StorageError {
  override readonly code = 'INVALID_SUBJECT'
  readonly subject: string

  constructor(subject: string, expected: string) {
    super(`"${subject}" is not a subject that can be used here. Expected: ${expected}.`)
    this.subject = subject
  }
}

export class StreamMismatchError extends StorageError {
  override readonly code = 'STREAM_MISMATCH'
  readonly stream: string
  readonly differences: readonly string[]

  constructor(stream: string, differences: readonly string[]) {
    super(
      `Stream ${stream} has settings that could lose or reorder records: ${differences.join('; ')}. ` +
        'It is not used. Correct the stream, or remove it after an export, and start again.',
    )
    this.stream = stream
    this.differences = differences
  }
}

export class ReplicasUnsupportedError extends StorageError {
  override readonly code = 'REPLICAS_UNSUPPORTED'

  constructor(replicas: number, serverVersion: string, minimum: string) {
    super(
      `${replicas} replicas were asked for on NATS server ${serverVersion}. Before ${minimum} a replicated stream can let two ` +
        `writers both pass the check of the expected sequence, so this is refused. Use server ${minimum} or newer, or 1 replica.`,
    )
  }
}

export class BlobMissingError extends StorageError {
  override readonly code = 'BLOB_MISSING'
  readonly sha256: string

  constructor(sha256: string) {
    super(
      `Blob ${sha256} is not in the blob store, also after 3 retries. Whoever named it should have stored it first.`,
    )
    this.sha256 = sha256
  }
}

export class BlobCorruptedError extends StorageError {
  override readonly code = 'BLOB_CORRUPTED'
  readonly sha256: string

  constructor(sha256: string, found: string) {
    super(
      `Blob ${sha256} was damaged in the store: ${found}. It is not returned. Delete it and put the original again.`,
    )
    this.sha256 = sha256
  }
}

export class DataDirectoryInUseError extends StorageError {
  override readonly code = 'DATA_DIRECTORY_IN_USE'
  readonly directory: string

  constructor(directory: string, cause?: unknown) {
    super(
      `The data directory ${directory} is in use by another process. One process at a time can work on it: ` +
        'stop the other one, or choose another directory.',
      { cause },
    )
    this.directory = directory
  }
}

export class DataDirectoryVersionError extends StorageError {
  override readonly code = 'DATA_DIRECTORY_VERSION'
  readonly directory: string

  constructor(directory: string, found: number, known: number) {
    super(
      `The data directory ${directory} was written by a newer version (format ${found}; this one knows up to ${known}). ` +
        'It was not touched. Start the newer version, or choose another directory.',
    )
    this.directory = directory
  }
}

export class DataDirectoryFullError extends EventLogUnavailableError {
  override readonly code = 'DATA_DIRECTORY_FULL'
  readonly directory: string

  constructor(directory: string, cause?: unknown) {
    super(`no space is left for the data directory ${directory}; free some and repeat the call`, cause)
    this.directory = directory
  }
}

export class DataDirectoryDamagedError extends EventLogUnavailableError {
  override readonly code = 'DATA_DIRECTORY_DAMAGED'
  readonly directory: string

  constructor(directory: string, detail: string, cause?: unknown) {
    super(
      `the database in the data directory ${directory} cannot be read or written (${detail}); ` +
        'stop, check the disk, and restore the directory from a backup or an export',
      cause,
    )
    this.directory = directory
  }
}

export class DataDirectoryUnusableError extends EventLogUnavailableError {
  override readonly code = 'DATA_DIRECTORY_UNUSABLE'
  readonly directory: string

  constructor(directory: string, cause: unknown) {
    super(
      `the data directory ${directory} cannot be used (${cause instanceof Error ? cause.message : String(cause)}); ` +
        'name a folder on a disk that can be written to',
      cause,
    )
    this.directory = directory
  }
}

/** The facts that a service knows about a log whose records are gone. */
export type LogLoss = {
  readonly log: string
  /** Sequence of the last record that was read from it. */
  readonly readUpTo: number
  /** The sequence where the log ends now; null if there is no such log any more. */
  readonly end: number | null
}

/** Records that were read, or that others count on, are not in the log any more. */
export class LogLostError extends StorageError {
  override readonly code = 'LOG_LOST'
  readonly loss: LogLoss

  constructor(loss: LogLoss, found: string) {
    super(
      `The log ${loss.log} has lost records: ${found}. NATS has lost its data, or an older state was restored. ` +
        'Nothing more is read from it: restore it (docs/restore.md), then restart the service.',
    )
    this.loss = loss
  }
}

export class StreamMissingError extends EventLogUnavailableError {
  override readonly code = 'STREAM_MISSING'
  /** Or `blobs`. */
  readonly log: string

  constructor(log: string) {
    super(`the stream of "${log}" does not exist; the service that owns it creates it when it starts`)
    this.log = log
  }
}
