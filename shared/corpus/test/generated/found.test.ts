import { describe, expect, it } from 'vitest'
import type { SuiteOperation } from '../../src/harness/suite.ts'
import { checkClientSchema, checkOperation, openWorld } from '../../src/generated/check.ts'
import { FOUND } from './found/index.ts'

/** What random worlds have shown to be wrong, made small, and mended since. */
describe('a world that was answered wrongly once', () => {
  it.each(FOUND)('is right now: $name', async ({ world, operations }) => {
    const opened = openWorld(world)
    if (opened.kind === 'refused') expect.fail(`${opened.code}: ${opened.message}`)
    expect(checkClientSchema(opened.bench)).toBeNull()
    for (const query of operations) {
      const operation: SuiteOperation = { name: query, query }
      expect(await checkOperation(opened.bench, operation), query).toEqual([])
    }
  })
})
