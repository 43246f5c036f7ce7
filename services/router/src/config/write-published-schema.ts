/**
 * `node services/router/src/config/write-published-schema.ts`: writes what follows from the declarations of
 * settings: the schema that "router config-schema" prints, and the table in docs/configuration.md.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { publishedSchema } from './published-schema.ts'
import { withSettingsTable } from './settings-table.ts'

const page = new URL('../../../../docs/configuration.md', import.meta.url)
writeFileSync(page, withSettingsTable(readFileSync(page, 'utf8')))
writeFileSync(new URL('router-settings.schema.json', import.meta.url), publishedSchema())
