/**
 * The whole of what docs/guards.md promises of false aborts and of the time to find a regression. Seeds are
 * fixed, so the results are always the same.
 */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { detectionSeconds, HEALTHY_RAMP, keptRamps, within } from '../bench/campaigns.ts'

const page = readFileSync(new URL('../../../docs/guards.md', import.meta.url), 'utf8')

describe('a thousand healthy ramps', () => {
  const result = keptRamps(HEALTHY_RAMP, 1000)

  it('have at most ten false aborts', () => {
    expect(result.aborted).toBeLessThanOrEqual(10)
  })

  it('have as many as the page says', () => {
    expect(page).toContain(
      `| ${HEALTHY_RAMP.name} | \`${HEALTHY_RAMP.guards}\` | ${result.aborted} of 1000 |`,
    )
  })
})

describe('two points more errors at 5 % of 500 requests a second', () => {
  const seconds = detectionSeconds({ baseline: 0.001, added: 0.02, hanging: 'none' }, 100)

  it('are found within 180 seconds in 95 % of runs', () => {
    expect(within(0.95, seconds)).toBeLessThanOrEqual(180)
  })

  it('are found as soon as the page says', () => {
    expect(page).toContain(`| 0.1 % | 2 points | ${within(0.5, seconds)} s, ${within(0.95, seconds)} s |`)
  })
})
