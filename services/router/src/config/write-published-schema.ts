/**
 * `node services/router/src/config/write-published-schema.ts`: writes what follows from the declarations of
 * settings: the schema that "router config-schema" prints, and what docs/configuration.md says of each.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { publishedSchema } from './published-schema.ts'
import { withDeclarations } from './settings-table.ts'

const page = new URL('../../../../docs/configuration.md', import.meta.url)
writeFileSync(page, withDeclarations(readFileSync(page, 'utf8')))
writeFileSync(new URL('router-settings.schema.json', import.meta.url), publishedSchema())
