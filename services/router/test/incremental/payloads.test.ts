import { describe, expect, it } from 'vitest'
import { initialPayload, subsequentPayload } from '../../src/incremental/payloads.ts'

describe('the initial part', () => {
  it('has its keys in one order', () => {
    const json = initialPayload({
      hasNext: true,
      pending: [
        { label: 'extra', path: ['books'], id: '1' },
        { id: '2', path: [] },
      ],
      errors: [{ message: 'no', path: ['a'] }],
      data: { books: [{ id: 'a' }], a: null },
    })
    expect(json).toBe(
      '{"errors":[{"message":"no","path":["a"]}],"data":{"books":[{"id":"a"}],"a":null},' +
        '"pending":[{"id":"1","path":["books"],"label":"extra"},{"id":"2","path":[]}],"hasNext":true}',
    )
  })

  it('is alone when nothing is left to deliver', () => {
    expect(initialPayload({ data: { a: 1 }, errors: [], pending: [], hasNext: false })).toBe(
      '{"data":{"a":1},"hasNext":false}',
    )
    expect(initialPayload({ data: null, errors: [{ message: 'no' }], pending: [], hasNext: false })).toBe(
      '{"errors":[{"message":"no"}],"data":null,"hasNext":false}',
    )
  })
})

describe('a later part', () => {
  it('has its keys in one order, and its entries as they come', () => {
    const json = subsequentPayload({
      hasNext: true,
      pending: [{ id: '3', path: ['books', 'cover'] }],
      completed: [{ id: '1' }],
      incremental: [
        { data: { h: null }, id: '1', subPath: [0, 'cover'], errors: [{ message: 'no' }] },
        { data: { h: 9 }, id: '1' },
      ],
    })
    expect(json).toBe(
      '{"incremental":[{"data":{"h":null},"id":"1","subPath":[0,"cover"],"errors":[{"message":"no"}]},' +
        '{"data":{"h":9},"id":"1"}],"completed":[{"id":"1"}],"pending":[{"id":"3","path":["books","cover"]}],"hasNext":true}',
    )
  })

  it('has no entries for a fragment that failed or that found an empty list', () => {
    const failed = { id: '1', errors: [{ message: 'no', path: ['a', 'b'] }] }
    expect(subsequentPayload({ incremental: [], completed: [failed], pending: [], hasNext: false })).toBe(
      '{"completed":[{"id":"1","errors":[{"message":"no","path":["a","b"]}]}],"hasNext":false}',
    )
  })
})

describe('a value that looks like a boundary', () => {
  it.each([
    '--graphql',
    '\r\n--graphql--\r\n',
    '---graphql',
    '--graphql--graphql',
    '\\--graphql',
    '"--graphql',
  ])('%j is written so that nobody takes it for one, and read as it was', (value) => {
    const json = subsequentPayload({
      incremental: [{ data: { [value]: value }, id: '1' }],
      completed: [{ id: '1' }],
      pending: [],
      hasNext: false,
    })
    expect(json).not.toContain('--graphql')
    expect(JSON.parse(json).incremental[0].data).toEqual({ [value]: value })
  })
})
