import { parseRecord } from '@switchyard/contracts'
import type { z } from 'zod'
import { RecordNotUnderstoodError } from '../log/errors.ts'
import type { LogEntry } from '../log/event-log.ts'

/** The record of an entry, checked. Throws RecordNotUnderstoodError, at which its reader stops. */
export function parsedRecord<Schema extends z.ZodType>(entry: LogEntry, schema: Schema): z.output<Schema> {
  return understood(entry, ({ record }) => parseRecord(schema, record))
}

/** Reads an entry with `read`. Throws RecordNotUnderstoodError if `read` throws. */
export function understood<Value>(entry: LogEntry, read: (entry: LogEntry) => Value): Value {
  try {
    return read(entry)
  } catch (error) {
    if (error instanceof RecordNotUnderstoodError) throw error
    throw new RecordNotUnderstoodError(entry.subject, entry.sequence, error)
  }
}
