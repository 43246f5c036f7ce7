import { mergeParts } from '../src/index.ts'
import { describe, expect, it } from 'vitest'

describe('merging the parts of an incremental response', () => {
  it('puts each entry at the path of its fragment and its own way from there', () => {
    const merged = mergeParts([
      {
        data: {
          books: [
            { id: 'a', cover: { w: 1 } },
            { id: 'b', cover: { w: 2 } },
          ],
        },
        pending: [{ id: '1', path: ['books'], label: 'extra' }],
        hasNext: true,
      },
      {
        incremental: [
          { data: { stock: 3 }, id: '1', subPath: [0] },
          { data: { h: 9 }, id: '1', subPath: [0, 'cover'] },
          { data: { stock: 0 }, id: '1', subPath: [1] },
          { data: { h: 8 }, id: '1', subPath: [1, 'cover'] },
        ],
        completed: [{ id: '1' }],
        hasNext: false,
      },
    ])
    expect(merged.data).toEqual({
      books: [
        { id: 'a', cover: { w: 1, h: 9 }, stock: 3 },
        { id: 'b', cover: { w: 2, h: 8 }, stock: 0 },
      ],
    })
  })

  it('collects the errors of parts, entries and completions', () => {
    const { errors } = mergeParts([
      { errors: [{ message: 'a' }], data: {}, pending: [{ id: '1', path: [] }], hasNext: true },
      {
        incremental: [{ data: { x: null }, id: '1', errors: [{ message: 'b', path: ['x'] }] }],
        completed: [{ id: '1', errors: [{ message: 'c' }] }],
        hasNext: false,
      },
    ])
    expect(errors.map(({ message }) => message)).toEqual(['a', 'b', 'c'])
  })

  it('writes names that objects inherit', () => {
    const parts = JSON.parse(
      '[{"data":{},"pending":[{"id":"1","path":[]}],"hasNext":true},{"incremental":[{"data":{"__proto__":{"x":1}},"id":"1"}],"completed":[{"id":"1"}],"hasNext":false}]',
    )
    expect(JSON.stringify(mergeParts(parts).data)).toBe('{"__proto__":{"x":1}}')
  })

  it('has no place for an entry that leads nowhere, or that nothing announced', () => {
    const initial = { data: { a: null }, pending: [{ id: '1', path: ['a'] }], hasNext: true }
    const entry = (id: string) => ({ incremental: [{ data: { x: 1 }, id }], hasNext: false })
    expect(() => mergeParts([initial, entry('1')])).toThrow('There is no object at ["a"]')
    expect(() => mergeParts([initial, entry('2')])).toThrow('Nothing was announced with the id "2"')
  })
})
