import { printCompositionErrors } from '@switchyard/composition'
import { describe, expect, it } from 'vitest'

const at = (line: number, column: number) => ({
  code: 'SOME_CODE',
  message: 'Something is wrong',
  subgraphs: ['shop'],
  locations: [{ subgraph: 'shop', line, column }],
})

describe('printing composition errors', () => {
  it('shows code, message, place, source line and a caret', () => {
    const sdl = 'type Query {\n  price: Int\n}'
    expect(printCompositionErrors([at(2, 3)], new Map([['shop', { sdl, file: 'shop.graphql' }]]))).toBe(
      [
        'error SOME_CODE: Something is wrong',
        '  --> shop.graphql:2:3 (subgraph shop)',
        '  2 |   price: Int',
        '    |   ^',
      ].join('\n'),
    )
  })

  it('names the subgraph when there is no file, and keeps tabs under the caret', () => {
    const printed = printCompositionErrors(
      [at(10, 3)],
      new Map([['shop', { sdl: `${'\r\n'.repeat(9)}\t\tx` }]]),
    )
    expect(printed.split('\n').slice(1)).toEqual(['  --> shop:10:3', '  10 | \t\tx', '     | \t\t^'])
  })

  it('shows a part of a very long line', () => {
    const sdl = `${' '.repeat(5000)}here${' '.repeat(5000)}`
    const [, , line, caret] = printCompositionErrors([at(1, 5001)], new Map([['shop', { sdl }]])).split('\n')
    expect(line?.indexOf('here')).toBe(caret?.indexOf('^'))
    expect(line?.length).toBeLessThan(120)
  })

  it('prints several errors apart, also without a place or a source', () => {
    const printed = printCompositionErrors([{ ...at(1, 1), locations: [] }, at(1, 1)], new Map())
    expect(printed).toBe(
      'error SOME_CODE: Something is wrong\n\nerror SOME_CODE: Something is wrong\n  --> shop:1:1',
    )
  })
})
