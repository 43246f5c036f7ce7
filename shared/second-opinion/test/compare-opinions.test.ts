import { describe, expect, it } from 'vitest'
import { compareOpinions } from '../src/index.ts'

const opinion = (data: Readonly<Record<string, unknown>> | null, ...paths: (string | number)[][]) => ({
  data,
  errors: paths.map((path) => ({ message: `at ${path.join('.')}`, path })),
})

describe('comparing opinions', () => {
  it('finds equal what has the same data and errors at the same paths', () => {
    const ours = opinion({ a: [{ b: null }] }, ['a', 0, 'b'])
    const theirs = { ...ours, errors: [{ message: 'in other words', path: ['a', 0, 'b'] }] }
    expect(compareOpinions(ours, theirs)).toEqual({ kind: 'equal' })
  })

  it('names every path at which values differ', () => {
    const ours = opinion({ a: [{ b: 1, c: 2 }, { b: 3 }], d: null })
    const theirs = opinion({ a: [{ b: 1, c: 0 }], d: {} })
    expect(compareOpinions(ours, theirs)).toEqual({
      kind: 'witness-differs',
      data: [
        { path: ['a', 0, 'c'], ours: 2, theirs: 0 },
        { path: ['a', 1], ours: { b: 3 }, theirs: undefined },
        { path: ['d'], ours: null, theirs: {} },
      ],
      errors: [],
    })
  })

  it('tells an absent key from a null', () => {
    expect(compareOpinions(opinion({ a: null }), opinion({}))).toMatchObject({
      data: [{ path: ['a'], ours: null, theirs: undefined }],
    })
  })

  it('minds the order of keys, as clients may', () => {
    expect(compareOpinions(opinion({ a: 1, b: 2 }), opinion({ b: 2, a: 1 }))).toMatchObject({
      data: [{ path: [] }],
    })
  })

  it('keeps names of Object.prototype apart from what objects inherit', () => {
    const nasty: Record<string, unknown> = JSON.parse('{"__proto__": 1, "constructor": 2}')
    expect(compareOpinions(opinion(nasty), opinion({}))).toMatchObject({
      data: [{ path: ['__proto__'] }, { path: ['constructor'] }],
    })
  })

  it('says on which side an error stands alone', () => {
    expect(compareOpinions(opinion(null, ['a']), opinion(null, ['b'], []))).toEqual({
      kind: 'witness-differs',
      data: [],
      errors: [
        { path: ['a'], side: 'ours' },
        { path: ['b'], side: 'theirs' },
        { path: [], side: 'theirs' },
      ],
    })
  })
})
