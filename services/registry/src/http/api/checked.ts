import type { z } from 'zod'

/** Gives the path, query or body of a request the type of its schema, by which the server has checked it. */
export function checked<Schema extends z.ZodType>(_schema: Schema, value: unknown): z.output<Schema> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the validator of the server has parsed it by this schema
  return value as z.output<Schema>
}
