/** Pieces of texts that are hidden. */
import { describe, expect, it } from 'vitest'
import { Meter } from '../../../src/tracing/cleaning/meter.ts'
import { replaceSpans } from '../../../src/tracing/cleaning/spans.ts'
import { inSlices } from './sliced.ts'

const SLICE_STEPS = 5000

function replaced(text: string, spans: Parameters<typeof replaceSpans>[1]) {
  const meter = new Meter(0)
  const { result, slices } = inSlices(meter, replaceSpans(text, spans, meter), SLICE_STEPS)
  return { text: result, slices }
}

describe('hidden pieces of a text', () => {
  it('are replaced in slices where they are many, which counts for no limit', () => {
    const count = 100_000
    const spans = Array.from({ length: count }, (_, index) => ({
      start: index * 5 + 1,
      end: index * 5 + 3,
      shown: '[x]',
    }))
    const { text, slices } = replaced('abcde'.repeat(count), spans)
    expect(text === 'a[x]de'.repeat(count)).toBe(true)
    expect(slices).toBeGreaterThan((2 * count) / 4096 / 8)
  })

  it('are replaced by one mark where they overlap, in whatever order they come', () => {
    const spans = [
      { start: 6, end: 8, shown: '[c]' },
      { start: 1, end: 4, shown: '[a]' },
      { start: 2, end: 5, shown: '[b]' },
    ]
    expect(replaced('0123456789', spans)).toEqual({ text: '0[a]5[c]89', slices: 1 })
  })
})
