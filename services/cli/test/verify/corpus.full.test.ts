import { describe, expect, it } from 'vitest'
import { SUITES } from '../../../../shared/engine/test/corpus/suites/index.ts'
import { unexplained, verifySuite } from './verify-suite.ts'

describe('router verify on every supergraph of the corpus', () => {
  it.each(SUITES)('finds $name equal, except for listed limits of stitching', async (suite) => {
    const report = await verifySuite(suite, 40)
    expect(unexplained(report)).toEqual([])
    expect(report.equal).toBeGreaterThan(report.operations / 4)
  })
})
