/** Writes docs/trace.schema.json. */
import { writeFileSync } from 'node:fs'
import { printTraceJsonSchema } from './json-schema.ts'

writeFileSync(new URL('../../../docs/trace.schema.json', import.meta.url), printTraceJsonSchema())
