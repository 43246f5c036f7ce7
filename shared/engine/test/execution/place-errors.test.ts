import { describe, expect, it } from 'vitest'
import type { IncrementalEntry } from '../../src/execution/contract.ts'
import { placeErrors } from '../../src/execution/place-errors.ts'
import { object } from './support/plans.ts'

const fragmentOf = (...entries: readonly IncrementalEntry[]) => ({
  parts: entries.map((entry) => ({ shape: object(0, 0, []), occurrence: 0, entry })),
  failures: [],
})

describe('an error about what no entry of a fragment contains', () => {
  const crew = { message: 'Nobody is there.', path: ['crew'] }

  it('has an entry without data where it is about the object of the fragment', () => {
    const pilot = { data: { rank: null }, id: '1', subPath: ['pilot'] }
    expect(placeErrors('1', fragmentOf(pilot), [], [crew])).toEqual({
      incremental: [{ data: {}, id: '1', errors: [crew] }, pilot],
      rest: [],
    })
  })

  it('is told of the fragment as a whole where that is in a list, or elsewhere', () => {
    const first = { data: { stock: null }, id: '1', subPath: [0] }
    const elsewhere = { data: { stock: 1 }, id: '1' }
    for (const [entry, announced] of [
      [first, ['books']],
      [elsewhere, ['book']],
    ] as const)
      expect(placeErrors('1', fragmentOf(entry), announced, [crew])).toEqual({
        incremental: [entry],
        rest: [crew],
      })
  })
})
