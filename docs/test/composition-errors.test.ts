/** Every example of docs/composition-errors.md fails as it says, and composes once it is mended. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import {
  composeExample,
  printExample,
  readExamples,
  withPrintedErrors,
} from '../src/composition-errors-page.ts'

const page = readFileSync(fileURLToPath(new URL('../composition-errors.md', import.meta.url)), 'utf8')
const examples = readExamples(page)

describe('docs/composition-errors.md', () => {
  it('explains fifteen errors', () => {
    expect(new Set(examples.map(({ code }) => code)).size).toBe(15)
  })

  it('has what is printed (`node docs/src/write-pages.ts`)', () => {
    expect(page).toBe(withPrintedErrors(page))
  })

  it.each(examples)('shows $code as it is printed', ({ code, printed, bad }) => {
    const result = composeExample(bad)
    const errors = result.kind === 'failed' ? result.errors : []
    expect(new Set(errors.map((error) => error.code))).toEqual(new Set([code]))
    expect(printExample(bad)).toBe(printed)
  })

  it.each(examples)('mends $code', ({ bad, mended }) => {
    expect(mended.size).toBeGreaterThan(0)
    expect(composeExample(new Map([...bad, ...mended]))).toMatchObject({ kind: 'composed' })
  })
})
