import type { z } from 'zod'

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
