import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { namePattern } from '../../src/headers/name-pattern.ts'

describe('a pattern of header names', () => {
  it.each([
    ['x-tenant-*', ['x-tenant-a', 'x-tenant-'], ['x-tenant', 'y-x-tenant-a', 'x-tenants']],
    ['*-id', ['x-id', '-id'], ['id', 'x-ids']],
    ['X-*-Token', ['x-a-token', 'x--token'], ['x-token', 'x-a-tokens']],
    ['*', ['', 'a', 'x-b'], []],
    ['a*a', ['aa', 'aba'], ['a', 'ab']],
    ['*ab*ab*', ['abab', 'xabyabz'], ['ab', 'abba']],
    ['**', ['', 'a'], []],
  ])('%s matches whole names', (text, matching, others) => {
    const { matches } = namePattern(text)
    expect(matching.filter((name) => !matches(name))).toEqual([])
    expect(others.filter((name) => matches(name))).toEqual([])
  })

  it('matches what a regular expression with .* matches', () => {
    const characters = fc.constantFrom('a', 'b', '-')
    const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '-', '*'), minLength: 1, maxLength: 8 })
    const name = fc.string({ unit: characters, maxLength: 10 })
    fc.assert(
      fc.property(pattern, name, (text, each) => {
        fc.pre(text.includes('*'))
        const expression = new RegExp(`^${text.replaceAll('*', '.*')}$`)
        expect(namePattern(text).matches(each)).toBe(expression.test(each))
      }),
      { numRuns: 5000 },
    )
  })

  it('takes a name of any length in one pass, however many stars there are', () => {
    const { matches } = namePattern(`${'a*'.repeat(30)}b`)
    expect(matches('a'.repeat(10_000_000))).toBe(false)
  })
})
