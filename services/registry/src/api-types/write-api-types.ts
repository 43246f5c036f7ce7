/** Writes the types of the API that Studio's sources use: `make written` runs it. */
import { writeFile } from 'node:fs/promises'
import { API_TYPES } from '@switchyard/studio/api-types'
import { currentApiTypes } from './current-api-types.ts'

await writeFile(API_TYPES, await currentApiTypes())
