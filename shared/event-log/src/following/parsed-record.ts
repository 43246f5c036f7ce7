import type { z } from 'zod'
import { RecordNotUnderstoodError } from '../errors.ts'
import type { LogEntry } from '../event-log.ts'

/** The record of an entry, checked. Throws RecordNotUnderstoodError, at which its reader stops. */
export function parsedRecord<Schema extends z.ZodType>(entry: LogEntry, schema: Schema): z.output<Schema> {
  const parsed = schema.safeParse(entry.record)
  if (!parsed.success) throw new RecordNotUnderstoodError(entry.subject, entry.sequence, parsed.error)
  return parsed.data
}
