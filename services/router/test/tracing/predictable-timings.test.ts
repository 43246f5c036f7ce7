import { parseTrace, type Trace, type TraceLoadStats } from '@switchyard/request-trace'
import { describe, expect, it } from 'vitest'
import { withPredictableTimings } from '../../src/tracing/predictable-timings.ts'
import { prettyDuration } from '../../src/transport/load/pretty-duration.ts'
import { answered, asked, AT, createTrace, loadsOf } from './traces.ts'

const ONE = { duration_since_start_nanoseconds: 1, duration_since_start_pretty: '1ns' }
const phase = (since: number) => ({
  duration_nanoseconds: 5,
  duration_pretty: '5ns',
  duration_since_start_nanoseconds: since,
  duration_since_start_pretty: `${since}ns`,
})

const FRESH: TraceLoadStats = {
  get_conn: AT,
  dns_start: AT,
  dns_done: AT,
  connect_start: AT,
  connect_done: AT,
  tls_handshake_start: AT,
  tls_handshake_done: AT,
  got_conn: { ...AT, reused: false, was_idle: false },
  wrote_headers: AT,
  wrote_request: AT,
  got_first_response_byte: AT,
}
const REUSED: TraceLoadStats = {
  get_conn: AT,
  got_conn: { ...AT, reused: true, was_idle: true },
  wrote_headers: AT,
  wrote_request: AT,
  got_first_response_byte: AT,
}

function traceWith(load_stats: TraceLoadStats, changing: Record<string, string>): Trace {
  const headers = { ...changing, 'content-type': 'application/json' }
  const durations = {
    duration_since_start_nanoseconds: Number(changing['age']),
    duration_since_start_pretty: 'x',
    duration_load_nanoseconds: Number(changing['age']),
    duration_load_pretty: 'y',
  }
  return createTrace({
    request: { headers },
    loads: [{ ...asked({}, { headers }), ...answered({}, headers), ...durations, load_stats }],
  })
}

describe('predictable timings', () => {
  it('make two runs equal, byte for byte, on a new connection or on one that was there', () => {
    const first = traceWith(FRESH, { Date: 'Sat', 'x-request-id': 'a', traceparent: '00-1', age: '1' })
    const second = traceWith(REUSED, { Date: 'Sun', 'x-request-id': 'b', tracestate: 'c', age: '2' })
    const texts = [first, second].map((trace) =>
      JSON.stringify(withPredictableTimings(trace, 'x-request-id')),
    )
    expect(texts[0]).toBe(texts[1])
    parseTrace(JSON.parse(texts[0] ?? ''))
  })

  it('are 5 ns for each phase and 1 ns for each event', () => {
    const shown = withPredictableTimings(traceWith(FRESH, {}), 'x-request-id')
    expect(shown.info).toEqual({
      trace_start_time: '',
      trace_start_unix: 0,
      parse_stats: phase(5),
      normalize_stats: phase(10),
      validate_stats: phase(15),
      planner_stats: phase(20),
    })
    expect(loadsOf(shown)).toMatchObject([
      {
        ...ONE,
        duration_load_nanoseconds: 1,
        duration_load_pretty: '1ns',
        input: { headers: { 'content-type': 'application/json' } },
        output: { headers: { 'content-type': 'application/json' } },
      },
    ])
    expect(loadsOf(shown)[0]?.load_stats).toEqual({
      get_conn: ONE,
      got_conn: ONE,
      wrote_headers: ONE,
      wrote_request: ONE,
      got_first_response_byte: ONE,
    })
  })

  it('bring back nothing that is not in the trace', () => {
    const trace = createTrace({ loads: [{}] })
    const { parse_stats: _, ...info } = trace.info
    const shown = withPredictableTimings({ ...trace, info }, 'x-request-id')
    expect(shown.info).not.toHaveProperty('parse_stats')
    expect(shown.info.normalize_stats).toEqual(phase(10))
    expect(loadsOf(shown)).toEqual(loadsOf(trace))
  })
})

describe('a duration for people', () => {
  it.each([
    [0, '0ns'],
    [999, '999ns'],
    [1000, '1µs'],
    [1_234_567, '1.2ms'],
    [999_949, '999.9µs'],
    [999_950, '1ms'],
    [12_000_000, '12ms'],
    [1_500_000_000, '1.5s'],
    [999_999_999_999, '1000s'],
  ])('%i ns is %s', (nanoseconds, text) => expect(prettyDuration(nanoseconds)).toBe(text))
})
