/** The codes of errors of logs and blobs, with their rows of docs/errors.md. */
export const EVENT_LOG_ERRORS = {
  APPEND_CONFLICT: {
    happened: 'Somebody else wrote to the subject first',
    remedy: 'This is part of normal work: the writer reads on and decides again.',
  },
  APPEND_OUTCOME_UNKNOWN: {
    happened: 'The log gave no answer to an append',
    remedy: 'The writer looks for its own record before it decides again.',
  },
  BLOB_CORRUPTED: {
    happened: 'A blob has another hash, or more than 64 MiB',
    remedy:
      'The blob was damaged in the store, or put there by a stranger. Delete it and put the original again.',
  },
  BLOB_MISSING: {
    happened: 'A blob that a record names is not there, after three retries',
    remedy: 'A replica lags, or the blob is lost: restore the blob store.',
  },
  BLOB_STORE_UNAVAILABLE: {
    happened: 'The blob store cannot be used at this moment',
    remedy: 'Putting a blob again is harmless.',
  },
  DATA_DIRECTORY_DAMAGED: {
    happened: 'The database of the data directory cannot be read or written',
    remedy: 'Stop, check the disk, and restore from a backup.',
  },
  DATA_DIRECTORY_FULL: {
    happened: 'No space is left for the data directory',
    remedy: 'Nothing was written. Free some space and repeat.',
  },
  DATA_DIRECTORY_IN_USE: {
    happened: 'Another process works on the data directory',
    remedy: 'Stop it, or choose another with `--data-dir`.',
  },
  DATA_DIRECTORY_UNUSABLE: {
    happened: 'The data directory cannot be made, or not be opened',
    remedy: 'The message says why: no permission, a file in its place, or a file system like `/proc`.',
  },
  DATA_DIRECTORY_VERSION: {
    happened: 'The data directory was written by a newer version',
    remedy: 'It was not touched. Start the newer version.',
  },
  EVENT_LOG_UNAVAILABLE: {
    happened: 'The log cannot be used at this moment',
    remedy: 'Nothing was written. Services wait and catch up. Look at NATS.',
  },
  INVALID_RECORD: {
    happened: 'A record cannot be written as JSON',
    remedy: 'A service has a defect: report it.',
  },
  INVALID_SUBJECT: {
    happened: 'A text is no subject of a log',
    remedy: 'A service has a defect: report it.',
  },
  LOG_LOST: {
    happened:
      'Records that were read from a log are not there any more: NATS has lost its data, or an older state was restored',
    remedy: '[Restore](restore.md) the log, then restart the service.',
  },
  RECORD_NOT_UNDERSTOOD: {
    happened: 'Registry, composer or config-distribution met a record of an unknown form',
    remedy:
      'It carries out nothing after it and is not ready. Upgrade this service: readers before writers. What is no record at all is [skipped](architecture.md#when-things-break) instead.',
  },
  RECORD_TOO_LARGE: {
    happened: 'A record is over 256 KiB',
    remedy: 'Shown to a client as `LIMIT_EXCEEDED`.',
  },
  REPLICAS_UNSUPPORTED: {
    happened: 'Replicas are asked for on a NATS server that is too old for them',
    remedy: 'Upgrade the server, or use one replica.',
  },
  STREAM_MISMATCH: {
    happened: 'A stream has settings that could lose or reorder records',
    remedy: 'It is not used. Correct it, or remove it after an export.',
  },
  STREAM_MISSING: {
    happened: 'A stream or the bucket does not exist yet, or not any more',
    remedy:
      'Its owner creates it at start: registry → `registry` and blobs, composer → `compositions`, config-distribution → `configs`.',
  },
}

/** A code of an error of this package. */
export type EventLogErrorCode = keyof typeof EVENT_LOG_ERRORS
