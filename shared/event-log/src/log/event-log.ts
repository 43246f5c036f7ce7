/**
 * Append-only logs, one record per append, ordered per log.
 *
 * The event is the write: whoever appended a record owns the truth, everything else is a fold. Consumers are
 * level-triggered, so there are no acknowledgements, no redelivery and no dead letters here: a reader starts
 * at a sequence it chose and gets every record from there on, in order, once.
 *
 * A *log* is named by the first token(s) of its subjects (see `LogName`); a *subject* is a dot-separated path
 * of tokens made by `encodeToken`. Sequences are positive integers, strictly increasing over the whole log
 * (not per subject), never reused.
 */
export type LogName = 'registry' | 'compositions' | 'configs'

export type LogEntry = {
  readonly subject: string
  /** Position in the log: unique and increasing, with gaps from the view of one subject. */
  readonly sequence: number
  /** Parsed JSON, not yet checked against a schema: the reader does that. NotJson when it is none. */
  readonly record: unknown
}

/** Selects what a reader sees: one subject, or every subject of a log. */
export type LogFilter =
  | { readonly kind: 'subject'; readonly subject: string }
  | { readonly kind: 'log'; readonly log: LogName }

export interface EventLog extends AsyncDisposable {
  /**
   * Appends one record (JSON, at most 256 KiB) if the last sequence on `subject` is `expectedLast` (0 = no
   * record yet). Durable when the promise resolves. Throws AppendConflictError when somebody else wrote
   * first, AppendOutcomeUnknownError when no answer came (the record may or may not be there: look it up by
   * its command id), RecordTooLargeError, InvalidRecordError, InvalidSubjectError, EventLogUnavailableError
   * (all: certainly not written).
   */
  append(subject: string, record: unknown, expectedLast: number): Promise<number>
  /**
   * The records with sequence >= `from` that exist now, in order. Ends. Throws EventLogUnavailableError when
   * the storage cannot be read to the end.
   */
  read(filter: LogFilter, from: number): AsyncIterable<LogEntry>
  /**
   * Everything from `from` on, then whatever comes, in order and gap-free, across reconnects. Ends when
   * `signal` aborts. Throws LogLostError when records that should be there are gone, StreamMissingError when
   * the whole log is, EventLogUnavailableError when the log is closed.
   */
  follow(filter: LogFilter, from: number, signal: AbortSignal): AsyncIterable<LogEntry>
  /**
   * The newest record matching the filter, or null. Linearizable: sees every append acknowledged before the
   * call.
   */
  last(filter: LogFilter): Promise<LogEntry | null>
  /** Subjects of a log that hold at least one record, sorted. */
  subjects(log: LogName): Promise<readonly string[]>
}

/**
 * Immutable bytes by their sha256 (lower-case hex). Every method throws StorageUnavailableError when the
 * storage cannot be used.
 */
export interface BlobStore extends AsyncDisposable {
  /**
   * Stores the bytes unless they are there already; then it makes sure that they count as stored within the
   * last hour, so that nobody who removes old blobs takes them before a record names them. Resolves when
   * durable. Returns the hash.
   */
  put(bytes: Uint8Array): Promise<string>
  /**
   * Puts many blobs, in fewer steps than one by one. If it fails, some may be stored. Returns their hashes in
   * the same order.
   */
  putAll(blobs: readonly Uint8Array[]): Promise<readonly string[]>
  /**
   * The bytes, checked against the hash: BlobCorruptedError when they do not have it. Retries 3 times while
   * the blob is missing, then throws BlobMissingError.
   */
  get(sha256: string): Promise<Uint8Array>
  has(sha256: string): Promise<boolean>
  list(): AsyncIterable<{
    readonly sha256: string
    readonly storedAt: number /* Unix ms */
    readonly size: number
  }>
  /**
   * Deletes a blob. With `storedBefore` (Unix ms) only if the blob was neither stored nor put again since
   * then: check and removal are one step. Returns false if there was nothing to remove.
   */
  delete(sha256: string, storedBefore?: number): Promise<boolean>
}

export type KeyValue = { readonly bytes: Uint8Array; readonly revision: number }

/**
 * Values that several processes change: a write succeeds only on the revision that its writer has read. Keys
 * are tokens of `encodeToken`, separated by dots. A value has at most `MAX_VALUE_BYTES`. Every method throws
 * StorageUnavailableError when the storage cannot be used.
 */
export interface KeyValueStore {
  get(key: string): Promise<KeyValue | null>
  /** Stores a value if the key has this revision; 0 = no value. Returns false if it has another one. */
  set(key: string, bytes: Uint8Array, revision: number): Promise<boolean>
  /** The keys that begin with these tokens, in no order. */
  keys(prefix: string): Promise<readonly string[]>
  delete(key: string): Promise<void>
}

/** Most bytes of a value: a message of NATS has 1 MiB unless the server is told otherwise. */
export const MAX_VALUE_BYTES = 900 * 1024

/** Fire-and-forget notices, at most once. A lost one costs latency only: every receiver polls too. */
export interface Announcer extends AsyncDisposable {
  /** Never throws for a broken connection; the notice is then lost. `message` is JSON. */
  announce(subject: string, message: unknown): void
  /**
   * `subject` may end in `.>` (everything below). Messages arrive as parsed JSON; a handler that throws is
   * reported to `onError` of the implementation and does not end the subscription. Survives reconnects.
   */
  subscribe(subject: string, handler: (message: unknown, subject: string) => void): Disposable
}
