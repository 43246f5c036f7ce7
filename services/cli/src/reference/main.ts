/** Writes docs/cli.md. */
import { writeFileSync } from 'node:fs'
import { printReference } from './print-reference.ts'

writeFileSync(new URL('../../../../docs/cli.md', import.meta.url), await printReference())
