import { readFile } from 'node:fs/promises'
import { API_TYPES } from '@switchyard/studio/api-types'
import { expect, it } from 'vitest'
import { currentApiTypes } from '../../src/api-types/current-api-types.ts'

it('the types that Studio is written with are those of the API (make written)', async () => {
  expect(await readFile(API_TYPES, 'utf8')).toBe(await currentApiTypes())
})
