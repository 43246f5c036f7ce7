import { describe, expect, it } from 'vitest'
import { SUITES } from '@switchyard/corpus'
import { unexplained, verifySuite } from './verify-suite.ts'

/** One for each kind of trouble; `corpus.full.test.ts` takes them all. */
const SAMPLE = new Set([
  'the classic four subgraphs',
  'interface objects',
  'provides',
  'requirements in circles',
  'values below entities',
  'all kinds of keys at once',
])

describe('router verify on supergraphs of the corpus', () => {
  it.each(SUITES.filter(({ name }) => SAMPLE.has(name)))(
    'finds $name equal, except for listed limits of stitching',
    async (suite) => {
      const report = await verifySuite(suite, 30)
      expect(unexplained(report)).toEqual([])
      expect(report.equal).toBeGreaterThan(report.operations / 4)
    },
  )

  it('is asked about suites that exist', () => {
    expect(SUITES.filter(({ name }) => SAMPLE.has(name))).toHaveLength(SAMPLE.size)
  })
})
