/** Every example of docs/composition-errors.md fails as it says, and composes once it is mended. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { CATALOGUE } from '../../shared/composition/src/catalogue/index.ts'
import {
  composeExample,
  printExample,
  readExamples,
  withPrintedErrors,
} from '../src/composition-errors-page.ts'

const page = readFileSync(fileURLToPath(new URL('../composition-errors.md', import.meta.url)), 'utf8')
const examples = readExamples(page)
/** Errors that take more than a page can show: hundreds of alternatives, millions of steps. */
const WITHOUT_EXAMPLE = new Set(['AUTHORIZATION_TOO_COMPLEX', 'SATISFIABILITY_UNDECIDED'])

describe('docs/composition-errors.md', () => {
  it('explains fifteen errors, and has an example of every other error and hint', () => {
    expect(examples.filter(({ isShort }) => !isShort)).toHaveLength(15)
    const codes = Object.keys(CATALOGUE).filter((code) => !WITHOUT_EXAMPLE.has(code))
    expect(examples.map(({ code }) => code).sort()).toEqual(codes.sort())
  })

  it('has what is printed (`node docs/src/write-pages.ts`)', () => {
    expect(page).toBe(withPrintedErrors(page))
  })

  it.each(examples)('shows $code as it is printed', (example) => {
    const { code, printed, bad, isHint } = example
    const result = composeExample(bad, example)
    expect(result.kind).toBe(isHint ? 'composed' : 'failed')
    const found = isHint ? result.hints : result.kind === 'failed' ? result.errors : []
    expect(new Set(found.map((one) => one.code))).toEqual(new Set([code]))
    expect(printExample(example)).toBe(printed)
  })

  it.each(examples.filter(({ isShort }) => !isShort))('mends $code', ({ bad, mended }) => {
    expect(mended.size).toBeGreaterThan(0)
    expect(composeExample(new Map([...bad, ...mended]))).toMatchObject({ kind: 'composed' })
  })
})
