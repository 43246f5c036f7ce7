import { sampled } from '@switchyard/testkit'
import { afterEach, describe, expect, it, vi } from 'vitest'

const LETTERS = ['a', 'b', 'c', 'd', 'e', 'f', 'g']

afterEach(() => {
  vi.unstubAllEnvs()
})

describe('a sample of a list', () => {
  it('is the first of each few items, in the order of the list, the same in every run', () => {
    vi.stubEnv('SWITCHYARD_TEST_LONG', undefined)
    expect(sampled(LETTERS, 3)).toEqual(['a', 'd', 'g'])
    expect(sampled(LETTERS, 3)).toEqual(['a', 'd', 'g'])
    expect(sampled(LETTERS, 1)).toEqual(LETTERS)
  })

  it('is never empty if the list is not', () => {
    vi.stubEnv('SWITCHYARD_TEST_LONG', undefined)
    expect(sampled(LETTERS, 100)).toEqual(['a'])
    expect(sampled([], 2)).toEqual([])
  })

  it('is the whole list among the long runs', () => {
    vi.stubEnv('SWITCHYARD_TEST_LONG', '1')
    expect(sampled(LETTERS, 3)).toEqual(LETTERS)
  })

  it('is refused where no whole number says how large it is', () => {
    expect(() => sampled(LETTERS, 0)).toThrow('one item of 0, which is not a whole number of at least 1.')
    expect(() => sampled(LETTERS, 1.5)).toThrow(RangeError)
  })
})
