/** What is too large to be laid out by a browser in one go. */
import { type Trace, parseTrace } from '@switchyard/request-trace'
import { describe, expect, it } from 'vitest'
import { MAX_FETCHES, MAX_TEXT, whyTooLarge } from '../src/page/parts/traces/limits.ts'

const FLAGS = { single_flight_used: false, single_flight_shared_response: false, load_skipped: false }

function traceOf(overrides: object, fetches: readonly object[] = []): Trace {
  const children = fetches.map((load) => ({
    kind: 'Single',
    fetch: { kind: 'Single', path: '', source_id: 'a', source_name: 'a', trace: { ...FLAGS, ...load } },
  }))
  return parseTrace({
    version: '1',
    info: { trace_start_time: '', trace_start_unix: 0 },
    composition: { feature_flag: null, reason: 'none', artifact: '0'.repeat(64), revision: 0 },
    fetches: { kind: 'Sequence', children },
    request: {
      method: 'POST',
      url: 'http://127.0.0.1',
      headers: {},
      body: { query: null, operationName: null, variables: null },
    },
    ...overrides,
  })
}

describe('a trace that is opened in Studio', () => {
  it('is shown whatever the size of the answers, which are shown in pieces', () => {
    const body = { long: 'x'.repeat(MAX_TEXT + 1), many: Array.from({ length: 5_000 }, () => 1) }
    const output = { body, status_code: 200, headers: {}, body_size: 1 }
    expect(whyTooLarge(traceOf({}, [{ output, raw_input_data: body }]))).toBeNull()
  })

  it.each([
    [
      'too many fetches',
      traceOf(
        {},
        Array.from({ length: MAX_FETCHES + 1 }, () => ({})),
      ),
      /has 501 fetches/,
    ],
    ['a long text', traceOf({ warnings: ['x'.repeat(MAX_TEXT + 1)] }), /of 20001 characters/],
    ['a long list', traceOf({ warnings: Array.from({ length: 3_000 }, () => '') }), /list of 3000 entries/],
    [
      'a long name',
      traceOf({}, [
        { output: { body: null, status_code: 1, headers: { ['x'.repeat(30_000)]: '' }, body_size: 1 } },
      ]),
      /name of 30000 characters/,
    ],
  ])('is refused with %s', (_, trace, why) => {
    expect(whyTooLarge(trace)).toMatch(why)
  })
})
