import { describe, expect, it } from 'vitest'
import { responseErrorsIn } from '../src/response-errors.ts'

describe('the errors of a response', () => {
  it('are those of all that a part delivers, with their paths', () => {
    const part = {
      errors: [{ message: 'a', path: ['items', 0, 'name'] }],
      incremental: [{ errors: [{ message: 'b' }] }, { data: {} }],
      completed: [{ errors: [{ message: 'c', path: [] }, 4, { message: 5 }] }],
    }
    expect(responseErrorsIn(part)).toEqual([
      { message: 'a', path: 'items.0.name' },
      { message: 'b', path: null },
      { message: 'c', path: null },
    ])
  })

  it.each([null, 1, 'text', [], { errors: 'none' }])('are none of %j', (part) => {
    expect(responseErrorsIn(part)).toEqual([])
  })

  it('are as long as a reader wants them, and as many', () => {
    const errors = Array.from({ length: 1000 }, () => ({
      message: 'x'.repeat(1000),
      path: ['y'.repeat(1000)],
    }))
    const found = responseErrorsIn({ errors })
    expect(found).toHaveLength(100)
    expect(found[0]?.message).toHaveLength(501)
    expect(found[0]?.path).toHaveLength(201)
  })
})
