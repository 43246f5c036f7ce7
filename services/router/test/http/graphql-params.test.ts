import { describe, expect, it } from 'vitest'
import { HttpError } from '../../src/errors.ts'
import { paramsOfBody, paramsOfSearch } from '../../src/http/graphql-params.ts'

const codeOf = (run: () => unknown): string => {
  try {
    run()
  } catch (error) {
    if (error instanceof HttpError) return error.code
    throw error
  }
  return 'accepted'
}

describe('a GraphQL request', () => {
  it.each([
    ['{', 'BAD_REQUEST'],
    ['', 'BAD_REQUEST'],
    ['[]', 'BATCHING_NOT_SUPPORTED'],
    ['[{"query":"{a}"}]', 'BATCHING_NOT_SUPPORTED'],
    ['null', 'BAD_REQUEST'],
    ['"{a}"', 'BAD_REQUEST'],
    ['{}', 'BAD_REQUEST'],
    ['{"query":null}', 'BAD_REQUEST'],
    ['{"query":" "}', 'BAD_REQUEST'],
    ['{"query":1}', 'BAD_REQUEST'],
    ['{"query":"{a}","operationName":1}', 'BAD_REQUEST'],
    ['{"query":"{a}","variables":[]}', 'BAD_REQUEST'],
    ['{"query":"{a}","variables":"{}"}', 'BAD_REQUEST'],
    ['{"query":"{a}","extensions":1}', 'BAD_REQUEST'],
    ['{"query":"{a}","variables":null,"operationName":null,"extensions":null}', 'accepted'],
    ['{"query":"{a}","unknown":1}', 'accepted'],
  ])('with the body %j is %s', (body, expected) => {
    expect(codeOf(() => paramsOfBody(body))).toBe(expected)
  })

  it('in a query string has its variables as JSON', () => {
    const search = new URLSearchParams({ query: '{a}', variables: '{"x":1}', operationName: '' })
    expect(paramsOfSearch(search)).toEqual({
      query: '{a}',
      operationName: null,
      variables: { x: 1 },
      extensions: null,
      exactVariables: expect.any(Function),
    })
    expect(codeOf(() => paramsOfSearch(new URLSearchParams({ query: '{a}', variables: '{' })))).toBe(
      'BAD_REQUEST',
    )
    expect(codeOf(() => paramsOfSearch(new URLSearchParams()))).toBe('BAD_REQUEST')
  })
})
