import { expect, it } from 'vitest'
import { alignedLines, tableText, withMeasured } from '../src/report.ts'

it('a page keeps its prose, and complains where there is no place for a table', () => {
  const page = 'before\n<!-- a: begin -->\nold\n<!-- a: end -->\nafter'
  expect(withMeasured(page, 'a', ['new'])).toBe('before\n<!-- a: begin -->\n\nnew\n\n<!-- a: end -->\nafter')
  expect(() => withMeasured(page, 'b', ['new'])).toThrow('<!-- b: begin -->')
})

it('a cell cannot end its row', () => {
  expect(tableText({ head: ['a', 'b'], rows: [['x | y', 'two\n  lines']] })).toBe(
    '| a | b |\n|---|---|\n| x \\| y | two lines |',
  )
})

it('columns are as wide as their texts', () => {
  expect(alignedLines({ head: ['', 'requests'], rows: [['plain', '12']] })).toEqual([
    '        requests',
    'plain         12',
  ])
})
