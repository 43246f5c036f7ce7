import type { z } from 'zod'

/**
 * What zod does itself where it only tells whether a value is valid; `reportInput` is what its types know of.
 */
const UNTIL_FIRST_ISSUE = { abortEarly: true, reportInput: false }

/**
 * What somebody else wrote to a log, or a part of it, checked up to the first item or member that is wrong: a
 * record of 1 MiB may have half a million of them. Throws ZodError.
 */
export function parseRecord<Schema extends z.ZodType>(schema: Schema, record: unknown): z.output<Schema> {
  return schema.parse(record, UNTIL_FIRST_ISSUE)
}
