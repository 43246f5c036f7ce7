/** The line that says who answered. */
import { describe, expect, it } from 'vitest'
import { summaryOf } from '../src/page/answer-summary.ts'
import type { PlaygroundAnswer } from '../src/page/answer.ts'

const ANSWER: PlaygroundAnswer = {
  status: 200,
  flag: null,
  parts: [{ after: 12, body: {} }],
  hasNext: false,
  failure: null,
  trace: null,
}

describe('the summary of an answer', () => {
  it.each<[string, Partial<PlaygroundAnswer>]>([
    ['200 · answered by base · 1 part in 12 ms', {}],
    ['200 · answered by flag sale · 1 part in 12 ms, more to come', { flag: 'sale', hasNext: true }],
    ['503 · answered by no composition · 1 part in 12 ms', { status: 503 }],
    ['200 · answered by base · 1 part in 12 ms, then it ended too early', { failure: 'It broke off.' }],
    ['no answer', { status: null, parts: [], failure: 'Nobody is there.' }],
  ])('is "%s"', (text, changed) => {
    expect(summaryOf({ ...ANSWER, ...changed }, false)).toBe(text)
  })

  it('says that the router has gone since', () => {
    expect(summaryOf(ANSWER, true)).toMatch(/^200 .* · the router does not answer now$/)
    expect(summaryOf(null, true)).toBe('the router does not answer')
    expect(summaryOf(null, false)).toBe('')
  })
})
