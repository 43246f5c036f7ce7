import { checkSdl } from '@switchyard/composition'
import { describe, expect, it } from 'vitest'

describe('checking SDL', () => {
  it('finds nothing wrong with a schema', () => {
    expect(checkSdl('type Query { a: Int }')).toEqual([])
    expect(checkSdl('extend type Query { a: Int }')).toEqual([])
  })

  it('gives line and column of a syntax error', () => {
    expect(checkSdl('type Query {\n  a: Int\n  b Int\n}')).toEqual([
      { line: 3, column: 5, length: 3, message: 'Syntax Error: Expected ":", found Name "Int".' },
    ])
  })

  it.each(['', '  \n\t', '\uFEFF', '# nothing here\n,\n# at all'])('calls %j empty', (sdl) => {
    expect(checkSdl(sdl)).toMatchObject([{ line: 1, column: 1, message: expect.stringContaining('empty') }])
  })

  it('reads comments in one way only, however many signs of one there are', () => {
    expect(checkSdl(`${'# '.repeat(10_000)}\n{`)).toMatchObject([{ line: 2 }])
    expect(checkSdl(`${'# '.repeat(10_000)}\r\n,# the end`)).toMatchObject([
      { message: expect.stringContaining('empty') },
    ])
  })

  it('points at operations, which do not belong into a schema', () => {
    expect(checkSdl('type Query { a: Int }\n query { a }\nfragment F on Query { a }')).toMatchObject([
      { line: 2, column: 2 },
      { line: 3, column: 1 },
    ])
  })

  it('survives nesting without end', () => {
    expect(checkSdl('{'.repeat(1_000_000))).toHaveLength(1)
    expect(checkSdl(`type Query { a(b: Int = ${'['.repeat(1_000_000)}): Int }`)).toMatchObject([
      { message: 'The document is nested too deeply to be parsed.' },
    ])
  })
})
