import { expect, it } from 'vitest'
import { largestDeviation } from './spread.ts'

it('percentages have as many of a million keys as they say, within 0.1 points', () => {
  expect(largestDeviation(1_000_000)).toBeLessThanOrEqual(0.1)
})
