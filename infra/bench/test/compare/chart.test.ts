import { expect, it } from 'vitest'
import { barChart } from '../../src/compare/chart.ts'

const CHART = barChart({
  title: 'CPU & more',
  unit: 'ms',
  groups: [
    {
      label: 'small',
      bars: [
        { name: 'ours', value: 0.1 },
        { name: 'theirs', value: 1 },
      ],
    },
    { label: 'a < b', bars: [{ name: 'ours', value: 10 }] },
  ],
})

it('a bar is as long as the logarithm of its value', () => {
  const lengths = [...CHART.matchAll(/width="(\d+)" height="15"/g)].map(([, width]) => Number(width))
  const [first = 0, second = 0, third = 0] = lengths
  expect(lengths).toHaveLength(3)
  expect(second - first).toBeCloseTo(third - second, -1)
  expect(third).toBe(first * 3)
})

it('bars of one gateway have one colour, and every bar says what it is', () => {
  const colours = [...CHART.matchAll(/height="15" fill="(#\w+)"/g)].map(([, colour]) => colour)
  expect(colours[0]).toBe(colours[2])
  expect(colours[1]).not.toBe(colours[0])
  expect(CHART).toContain('>1.00 ms theirs<')
})

it('texts cannot end the elements that they are in', () => {
  expect(CHART).toContain('<title>CPU &amp; more</title>')
  expect(CHART).toContain('>a &lt; b<')
})
