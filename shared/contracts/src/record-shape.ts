/**
 * Reads records that other programs wrote to logs.
 *
 * The check of their shape is about the members that every record of a log has had since the first version,
 * and will have in every later one. An entry without them was written by none of our programs, so all readers
 * pass over it; this rule therefore never changes. The check says nothing about a record that has these
 * members: such a record was decided by somebody, even if its format is newer, and a reader that does not
 * understand it stops.
 */
import type { z } from 'zod'
import type { ExportedRecord } from './transfer.ts'

/**
 * The options that zod uses itself where it only finds out whether a value is valid. Its types know
 * `reportInput` only.
 */
const UNTIL_FIRST_ISSUE = { abortEarly: true, reportInput: false }

/**
 * Parses a record that another program wrote to a log, or a part of it, up to the first item or member that
 * is wrong: a record of 1 MiB may have half a million of them. Throws ZodError.
 */
export function parseRecord<Schema extends z.ZodType>(schema: Schema, record: unknown): z.output<Schema> {
  return schema.parse(record, UNTIL_FIRST_ISSUE)
}

/** Returns the reason why no version can have written the record; null if it may be one. */
export function reasonAgainstRecord(log: ExportedRecord['log'], record: unknown): string | null {
  if (typeof record !== 'object' || record === null || Array.isArray(record)) return 'not a JSON object'
  // Only these are looked at: a record may have a hundred thousand members.
  const member = (name: string): unknown =>
    Object.hasOwn(record, name) ? Reflect.get(record, name) : undefined
  const version = member('v')
  if (!isWholeNumber(version) || version < 1) return 'without the version that every record has as "v"'
  // A later format may name the rest in another way.
  if (version > 1) return null
  if (log !== 'registry') return isText(member('type')) ? null : 'without a "type"'
  if (!isText(member('commandId'))) return 'without a "commandId"'
  if (!isWholeNumber(member('after'))) return 'without the sequence that it was decided "after"'
  return Array.isArray(member('events')) ? null : 'without a list of "events"'
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

function isWholeNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}
