import type { z } from 'zod'

/**
 * Path, query or body of a request whose route has this schema: the server checked it and put the result in
 * its place.
 */
export function checked<Schema extends z.ZodType>(_schema: Schema, value: unknown): z.output<Schema> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the validator of the server has parsed it by this schema
  return value as z.output<Schema>
}
