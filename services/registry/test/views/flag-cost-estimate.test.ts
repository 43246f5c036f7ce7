/** Estimates of what flags cost, against what `node services/router/bench/flag-cost.ts` measured. */
import { describe, expect, it } from 'vitest'
import { estimateFlagCost } from '../../src/views/flag-cost-estimate.ts'

const KIB = 1024
/** A type of the measured graphs has this many bytes. */
const TYPE_BYTES = 366

/** Types that a flag changes, KiB of text, KiB read, and the measured milliseconds and MB of memory. */
const MEASURED = [
  [1, 72, 72, 10.4, 0.12],
  [20, 72, 72, 14.5, 0.14],
  [200, 74, 74, 69.7, 1.72],
  [20, 715, 613, 35.5, 0.32],
  [2000, 738, 738, 625, 15.78],
  [1, 2156, 2, 15.7, 0.14],
  [20, 2157, 632, 28.1, 0.2],
  [6000, 2227, 2227, 2248.6, 47.38],
] as const

describe('the estimate of what a flag costs', () => {
  it.each(MEASURED)('of %i types in %i KiB is within a factor of two of what was measured', (...row) => {
    const [types, text, read, milliseconds, megabytes] = row
    const { cpuMs, memoryBytes } = estimateFlagCost({
      bytes: text * KIB,
      readBytes: read * KIB,
      // What names the replaced subgraph changes as well.
      changedDefinitions: types + 2,
      changedBytes: types * TYPE_BYTES,
    })
    expect(cpuMs / milliseconds).toBeGreaterThan(0.5)
    expect(cpuMs / milliseconds).toBeLessThan(2)
    expect(memoryBytes / megabytes / 1e6).toBeGreaterThan(0.5)
    expect(memoryBytes / megabytes / 1e6).toBeLessThan(2)
  })

  it('is that of a whole composition from 201 changed definitions on, or if nobody counted them', () => {
    const facts = { bytes: 1e6, readBytes: 1e5, changedBytes: 7e4 }
    expect(estimateFlagCost({ ...facts, changedDefinitions: 200 }).compiled).toBe('changes')
    const whole = { compiled: 'whole', cpuMs: 920, memoryBytes: 21e6 }
    for (const changedDefinitions of [201, null])
      expect(estimateFlagCost({ ...facts, changedDefinitions })).toMatchObject(whole)
  })
})
