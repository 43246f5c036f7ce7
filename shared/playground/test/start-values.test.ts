import { describe, expect, it } from 'vitest'
import { errorMessages } from '../src/page/answer.ts'
import { startValues } from '../src/page/start-values.ts'

describe('an address', () => {
  it('can bring an operation, its variables and a flag, and nothing else', () => {
    const search = new URLSearchParams({
      query: '{ a }',
      variables: '{"x":1}',
      flag: 'sale',
      headers: '{"authorization":"stolen"}',
    })
    expect(startValues(`?${search}`)).toEqual({ query: '{ a }', variables: '{"x":1}', flag: 'sale' })
  })

  it.each(['', '?', '?query=&flag='])('brings nothing: %j', (search) => {
    expect(startValues(search)).toEqual({ query: undefined, variables: undefined, flag: null })
  })
})

describe('errors', () => {
  it('are those of all parts, wherever they stand', () => {
    const bodies = [
      { errors: [{ message: 'a' }] },
      {
        incremental: [{ errors: [{ message: 'b' }] }, { data: {} }],
        completed: [{ errors: [{ message: 'c' }, 4] }],
      },
      null,
    ]
    expect(errorMessages(bodies.map((body) => ({ after: 0, body })))).toEqual(['a', 'b', 'c', '4'])
  })
})
