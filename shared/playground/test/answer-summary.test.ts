/** The line that says who answered. */
import type { Trace } from '@switchyard/request-trace'
import { describe, expect, it } from 'vitest'
import { summaryOf } from '../src/page/answer-summary.ts'
import type { PlaygroundAnswer } from '../src/page/answer.ts'

const ANSWER: PlaygroundAnswer = {
  status: 200,
  flag: null,
  parts: [{ after: 12, body: {} }],
  merged: null,
  events: null,
  hasNext: false,
  failure: null,
  trace: null,
  isStandInIgnored: false,
}

function tracedAs(standIn: NonNullable<Trace['stand_in']>): Trace {
  return {
    version: '1',
    info: { trace_start_time: '', trace_start_unix: 0 },
    composition: { feature_flag: 'sale', reason: 'rollout', artifact: 'a', revision: 1 },
    stand_in: standIn,
    fetches: { kind: 'Sequence', children: [] },
    request: {
      method: 'POST',
      url: '/graphql',
      headers: {},
      body: { query: null, operationName: null, variables: null },
    },
  }
}

describe('the summary of an answer', () => {
  it.each<[string, Partial<PlaygroundAnswer>]>([
    ['200 · answered by base · 1 part in 12 ms', {}],
    ['200 · answered by flag sale · 1 part in 12 ms, more to come', { flag: 'sale', hasNext: true }],
    [
      '200 · answered by base · 1 event, more to come',
      { parts: [], events: { count: 1, kept: [], ended: null }, hasNext: true },
    ],
    [
      '200 · answered by base · 2,000 events, ended',
      { parts: [], events: { count: 2000, kept: [], ended: 'It is complete.' } },
    ],
    [
      '200 · answered by base · 0 events, then the connection broke',
      { parts: [], events: { count: 0, kept: [], ended: null }, failure: 'It broke.' },
    ],
    ['503 · answered by no composition · 1 part in 12 ms', { status: 503 }],
    ['200 · answered by base · 1 part in 12 ms, then it ended too early', { failure: 'It broke off.' }],
    [
      '200 · answered by base for yourself: the router ignored the other user · 1 part in 12 ms',
      { isStandInIgnored: true },
    ],
    [
      '200 · answered by flag sale, as for another user · 1 part in 12 ms',
      { flag: 'sale', trace: tracedAs({}) },
    ],
    [
      '200 · answered by flag sale for yourself, since you name a flag · 1 part in 12 ms',
      { flag: 'sale', trace: tracedAs({ overruled: true }) },
    ],
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
