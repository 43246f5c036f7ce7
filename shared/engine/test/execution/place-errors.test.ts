import { describe, expect, it } from 'vitest'
import type { IncrementalEntry } from '../../src/execution/contract.ts'
import { placeErrors } from '../../src/execution/place-errors.ts'

const root = { id: '1', path: [], isObject: true }
const crewList = { id: '1', path: ['crew'], isObject: false }

const fragmentOf = (...entries: readonly IncrementalEntry[]) => ({
  entries,
  failures: [],
})

describe('an error about what no entry of a fragment contains', () => {
  const crew = { message: 'Nobody is there.', path: ['crew'] }

  it('has an entry without data where it is about the object of the fragment', () => {
    const pilot = { data: { rank: null }, id: '1', subPath: ['pilot'] }
    expect(placeErrors([root], fragmentOf(pilot), [crew])).toEqual({
      incremental: [{ data: {}, id: '1', errors: [crew] }, pilot],
      rest: new Map(),
    })
  })

  it('is told of the fragment as a whole where that is in a list, or elsewhere', () => {
    const first = { data: { stock: null }, id: '1', subPath: [0] }
    const elsewhere = { data: { stock: 1 }, id: '1' }
    for (const [entry, announced] of [
      [first, { id: '1', path: ['books'], isObject: false }],
      [elsewhere, { id: '1', path: ['book'], isObject: true }],
    ] as const)
      expect(placeErrors([announced], fragmentOf(entry), [crew])).toEqual({
        incremental: [entry],
        rest: new Map([['1', [crew]]]),
      })
  })
})

describe('an entry', () => {
  it('has its keys in the order in which they are written, with errors and without', () => {
    const entry = { data: { rank: null }, id: '1', subPath: [0] }
    const error = { message: 'No rank.', path: ['crew', 0, 'rank'] }
    const { incremental } = placeErrors([crewList], fragmentOf(entry), [error])
    expect(JSON.stringify(incremental)).toBe(JSON.stringify([{ ...entry, errors: [error] }]))
  })
})
