import { describe, expect, it } from 'vitest'
import { GoodTokens } from '../../../src/concerns/authentication/good-tokens.ts'

/** About 500 bytes each. */
const text = (index: number): string => `token-${index}`

describe('tokens that were good', () => {
  it('are forgotten when there are too many, those first that nobody used', () => {
    const tokens = new GoodTokens<number>(20_000)
    tokens.add(text(-1), -1, {})
    tokens.add(text(-2), -2, {})
    for (let index = 0; index < 200; index++) {
      tokens.add(text(index), index, {})
      expect(tokens.find(text(-1))).toBe(-1)
    }
    const left = Array.from({ length: 200 }, (_, index) => index).filter((one) => tokens.find(text(one)))
    expect(tokens.find(text(-2))).toBeNull()
    expect(left.length).toBeGreaterThan(15)
    expect(left.length).toBeLessThan(45)
    expect(left).toContain(199)
  })

  it('count with their claims', () => {
    const tokens = new GoodTokens<number>(20_000)
    const claims = { roles: Array.from({ length: 60 }, (_, index) => `role-${index}`) }
    for (let index = 0; index < 10; index++) tokens.add(text(index), index, claims)
    expect(
      Array.from({ length: 10 }, (_, index) => tokens.find(text(index))).filter((one) => one !== null),
    ).toEqual([8, 9])
  })

  it('are not kept when one alone is too large', () => {
    const tokens = new GoodTokens<number>(1000)
    tokens.add('a'.repeat(2000), 1, {})
    expect(tokens.find('a'.repeat(2000))).toBeNull()
  })
})
