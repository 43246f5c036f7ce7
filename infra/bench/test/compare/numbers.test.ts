import { describe, expect, it } from 'vitest'
import { describeGrowth, growthOf, median } from '../../src/compare/numbers.ts'

describe('a median', () => {
  it('is the value in the middle, or between the two in the middle', () => {
    expect(median([9, 1, 5])).toBe(5)
    expect(median([10, 1, 5, 6])).toBe(5.5)
    expect(() => median([])).toThrow(RangeError)
  })
})

describe('growth', () => {
  const growing = (cost: (size: number) => number) =>
    describeGrowth(growthOf([10, 100, 1000].map((size) => ({ size, cost: cost(size) }))))

  it('is flat where the size does not matter', () => {
    expect(growing(() => 0.4)).toBe('flat')
    expect(growing((size) => 0.4 + size / 10_000)).toBe('flat')
  })

  it('is linear where a part of the cost grows with the size', () => {
    expect(growing((size) => size * 0.01)).toBe('at most linear: ^1.00')
    expect(growing((size) => 1 + size * 0.01)).toBe('at most linear: ^0.50')
  })

  it('names a cliff where one step costs more than its size', () => {
    expect(growing((size) => size ** 2)).toBe('a cliff: ^2.00 in one step')
    expect(growing((size) => (size > 100 ? 500 : 1))).toBe('a cliff: ^2.70 in one step')
  })

  it('falls where more at a time costs less each', () => {
    expect(growing((size) => 10 / size)).toBe('falls')
  })
})
