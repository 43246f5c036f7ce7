import { describe, expect, it } from 'vitest'
import type { IncrementalEntry } from '../../../src/execution/contract/incremental-response.ts'
import { placeErrors as placing } from '../../../src/execution/incremental/place-errors.ts'
import { positionId } from '../../../src/ids/ids.ts'
import { object } from '../support/plans.ts'
import { finished, STEP_BY_STEP } from '../support/tasks.ts'

type Given = Parameters<typeof placing>
const placeErrors = (announced: Given[0], fragment: Given[1], errors: Given[2]) =>
  finished(placing(announced, fragment, errors, STEP_BY_STEP))

const root = { id: '1', path: [], isObject: true }
const crewList = { id: '1', path: ['crew'], isObject: false }

const fragmentOf = (...entries: readonly IncrementalEntry[]) => ({
  entries,
  failures: [],
})

const crew = { message: 'Nobody is there.', path: ['crew'] }

describe('an error about what no entry of a fragment contains', () => {
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

describe('an error of a fragment that was announced object by object', () => {
  const announced = [0, 1, 2].map((index) => ({ id: `${index + 1}`, path: ['crew', index], isObject: true }))
  const rankOf = (id: string) => ({ data: { rank: null }, id })
  const shipOf = (id: string) => ({ data: { name: null }, id, subPath: ['ship'] })
  const failureOf = (index: number) => ({
    announced: announced[index] ?? root,
    position: positionId(1),
    occurrence: index,
    path: ['crew', index],
    at: { shape: object(1, 0, []), occurrence: index, path: ['crew', index] },
  })
  const at = (...path: readonly (string | number)[]) => ({ message: 'no', path: ['crew', ...path] })

  it('is told by the entry of the object, or of what is within it', () => {
    const entries = [rankOf('1'), shipOf('1'), rankOf('2')]
    const errors = [at(1, 'rank'), at(0, 'ship', 'name'), at(0, 'rank')]
    expect(placeErrors(announced, fragmentOf(...entries), errors)).toEqual({
      incremental: [
        { ...rankOf('1'), errors: [at(0, 'rank')] },
        { ...shipOf('1'), errors: [at(0, 'ship', 'name')] },
        { ...rankOf('2'), errors: [at(1, 'rank')] },
      ],
      rest: new Map(),
    })
  })

  it('has an entry without data where it is about an object of which only what is within it is delivered', () => {
    const entries = [rankOf('1'), shipOf('2')]
    expect(placeErrors(announced, fragmentOf(...entries), [at(1, 'badge')])).toEqual({
      incremental: [rankOf('1'), { data: {}, id: '2', errors: [at(1, 'badge')] }, shipOf('2')],
      rest: new Map(),
    })
  })

  it('says why the object failed, and no other, and is told of an object that gets nothing', () => {
    const fragment = { entries: [rankOf('2')], failures: [failureOf(0)] } as const
    const errors = [at(0, 'rank'), at(2, 'rank')]
    expect(placeErrors(announced, fragment, errors)).toEqual({
      incremental: [rankOf('2')],
      rest: new Map([
        ['1', [at(0, 'rank')]],
        ['3', [at(2, 'rank')]],
      ]),
    })
  })

  it('about the list says why each object failed that did, else is told with each that is delivered', () => {
    const failed = { entries: [rankOf('2')], failures: [failureOf(0), failureOf(2)] } as const
    expect(placeErrors(announced, failed, [at()]).rest).toEqual(
      new Map([
        ['1', [at()]],
        ['3', [at()]],
      ]),
    )
    expect(placeErrors(announced, fragmentOf(rankOf('1'), shipOf('1'), rankOf('3')), [at()])).toEqual({
      incremental: [{ ...rankOf('1'), errors: [at(0)] }, shipOf('1'), { ...rankOf('3'), errors: [at(2)] }],
      rest: new Map(),
    })
  })

  it('about the list is told with 50 of them at most, and not that often where there are very many', () => {
    const many = Array.from({ length: 1_000 }, (_, index) => ({
      id: `1.${index + 1}`,
      path: ['crew', index],
      isObject: true,
    }))
    const entries = many.map(({ id }) => rankOf(id))
    const toldOnce = (placed: ReturnType<typeof placeErrors>) =>
      placed.incremental.flatMap(({ errors = [] }) => errors).length
    expect(toldOnce(placeErrors(many, fragmentOf(...entries), [at()]))).toBe(50)
    const errors = Array.from({ length: 10_000 }, (_, index) => ({ message: `No ${index}.`, path: ['crew'] }))
    const told = toldOnce(placeErrors(many, fragmentOf(...entries), errors))
    expect(told).toBeGreaterThan(10_000)
    expect(told).toBeLessThan(50_000)
  })

  it('about something else is told once where nothing is delivered', () => {
    expect(placeErrors(announced, fragmentOf(), [crew]).rest).toEqual(new Map([['1', [crew]]]))
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
