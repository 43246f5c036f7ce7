import { describe, expect, it } from 'vitest'
import { HttpError } from '../../src/errors/http-error.ts'
import { paramsOfBody, paramsOfBodyInTurns, paramsOfSearch } from '../../src/request/graphql-params.ts'
import { withOwnText } from '../../src/concerns/documents/stage.ts'

const codeOf = (run: () => unknown): string => {
  try {
    run()
  } catch (error) {
    if (error instanceof HttpError) return error.code
    throw error
  }
  return 'accepted'
}

const resolved = withOwnText

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
    expect(codeOf(() => resolved(paramsOfBody(body)))).toBe(expected)
  })

  it('in a query string has its variables as JSON', () => {
    const search = new URLSearchParams({ query: '{a}', variables: '{"x":1}', operationName: '' })
    expect(resolved(paramsOfSearch(search))).toEqual({
      query: '{a}',
      operationName: null,
      variables: { x: 1 },
      extensions: null,
      exactVariables: expect.any(Function),
    })
    expect(codeOf(() => paramsOfSearch(new URLSearchParams({ query: '{a}', variables: '{' })))).toBe(
      'BAD_REQUEST',
    )
    expect(codeOf(() => resolved(paramsOfSearch(new URLSearchParams())))).toBe('BAD_REQUEST')
  })
})

describe('a body of megabytes', () => {
  const counted = () => {
    const turns = {
      count: 0,
      next: () => {
        turns.count++
        return Promise.resolve()
      },
    }
    return turns
  }

  it('is read as a small one is, in slices', async () => {
    const text = JSON.stringify({
      query: '{ a }',
      variables: { list: Array.from({ length: 300_000 }, () => 1) },
    })
    const turns = counted()
    const { query, variables } = await paramsOfBodyInTurns(text, turns, 1_000_000)
    expect({ query, variables }).toEqual(JSON.parse(text))
    // Windows of 65,536 bytes in 600,000.
    expect(turns.count).toBe(9)
    const small = counted()
    expect((await paramsOfBodyInTurns('{"query":"{ a }"}', small, 1)).query).toBe('{ a }')
    expect(small.count).toBe(0)
  })

  it.each([
    ['empty objects', `[${'{},'.repeat(1_700_000)}{}]`, 'holds more than the 1000000 values allowed'],
    ['lists in lists', '['.repeat(2_600_000), 'nests deeper than the 600 levels allowed'],
    [
      'lists in lists, on and on',
      `${'['.repeat(2_600_000)}${']'.repeat(2_600_000)}`,
      'nests deeper than the 600 levels allowed',
    ],
  ])('is given up where it holds too many values or levels: %s', async (_, text, message) => {
    const turns = counted()
    await expect(
      paramsOfBodyInTurns(`{"query":"{ a }","variables":${text}}`, turns, 1_000_000),
    ).rejects.toMatchObject({
      code: 'OPERATION_LIMIT_EXCEEDED',
      message: `The request body ${message}.`,
    })
    expect(turns.count).toBeLessThanOrEqual(200)
  })

  it('is no JSON where a small one is none', async () => {
    const text = `{"query":"{ a }","variables":{"x":[${'1,'.repeat(200_000)}]}}`
    await expect(paramsOfBodyInTurns(text, counted(), 1_000_000)).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    })
  })
})
