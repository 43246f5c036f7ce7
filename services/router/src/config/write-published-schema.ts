/** `node services/router/src/config/write-published-schema.ts`: writes what "router config-schema" prints. */
import { readFileSync, writeFileSync } from 'node:fs'
import { publishedSchema } from './published-schema.ts'

const page = readFileSync(new URL('../../../../docs/configuration.md', import.meta.url), 'utf8')
writeFileSync(new URL('router-settings.schema.json', import.meta.url), publishedSchema(page))
