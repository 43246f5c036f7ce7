import { describe, expect, it } from 'vitest'
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
