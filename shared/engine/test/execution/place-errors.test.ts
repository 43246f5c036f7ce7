import { describe, expect, it } from 'vitest'
import type { IncrementalEntry } from '../../src/execution/contract.ts'
import { placeErrors } from '../../src/execution/place-errors.ts'

const fragmentOf = (...entries: readonly IncrementalEntry[]) => ({
  entries,
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

describe('an entry', () => {
  it('has its keys in the order in which they are written, with errors and without', () => {
    const entry = { data: { rank: null }, id: '1', subPath: [0] }
    const error = { message: 'No rank.', path: ['crew', 0, 'rank'] }
    const { incremental } = placeErrors('1', fragmentOf(entry), ['crew'], [error])
    expect(JSON.stringify(incremental)).toBe(JSON.stringify([{ ...entry, errors: [error] }]))
  })
})
