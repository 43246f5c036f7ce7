/** docs/trace.schema.json: the shape for those who check traces in another language. */
import { z } from 'zod'
import { TraceSchema } from './schema.ts'

export function traceJsonSchema(): z.core.JSONSchema.BaseSchema {
  return z.toJSONSchema(TraceSchema, { target: 'draft-2020-12' })
}

/** Prints the JSON schema as its file holds it. */
export function printTraceJsonSchema(): string {
  return `${JSON.stringify(traceJsonSchema(), null, 2)}\n`
}
