import { sampled } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { detectionSeconds, exceedances, KEPT, keptRamps, within } from '../bench/campaigns.ts'

describe('simulated ramps', () => {
  it.each(sampled(KEPT, 2).map((kept) => [kept.name, kept] as const))(
    'are not aborted: %s',
    (_name, kept) => {
      expect(keptRamps(kept, 5).aborted).toBe(0)
      for (const share of exceedances(kept, 10).values()) expect(share).toBeLessThanOrEqual(0.1)
    },
  )

  it('are aborted within three minutes where two more requests of a hundred fail', () => {
    const seconds = detectionSeconds({ baseline: 0.001, added: 0.02, hanging: 'none' }, 10)
    expect(within(1, seconds)).toBeLessThanOrEqual(180)
  })
})
