/**
 * A trace that is the same, byte for byte, each time the same request is made: no times, and nothing else
 * that differs from run to run (whether a connection was there already, dates, ids made up for one request).
 */
import type { Trace, TraceHeaders, TraceLoad, TraceLoadStats } from '@switchyard/request-trace'
import { prettyDuration } from '../transport/load/pretty-duration.ts'
import { mapFetches, type RecordedTrace } from './cleaning/recorded-trace.ts'

const PHASES = ['parse_stats', 'normalize_stats', 'validate_stats', 'planner_stats'] as const
const PHASE_NANOSECONDS = 5
const EVENT = sinceStart(1)

/** Events of every call, on a new connection as well as on an old one. */
const LOAD_EVENTS = [
  'get_conn',
  'got_conn',
  'wrote_headers',
  'wrote_request',
  'got_first_response_byte',
] as const

/**
 * Headers whose values change from run to run, besides the header of request ids. A client's own id is among
 * them, since nobody can tell it from one that a proxy made up.
 */
const CHANGING_HEADERS: ReadonlySet<string> = new Set([
  'age',
  'date',
  'traceparent',
  'tracestate',
  'request-id',
  'x-correlation-id',
  'x-trace-id',
  'x-amzn-requestid',
  'x-amzn-trace-id',
  'x-cloud-trace-context',
  'x-runtime',
  'x-response-time',
  'server-timing',
])

/** `requestIdHeader`: in lower case. */
export function withPredictableTimings(trace: RecordedTrace, requestIdHeader: string): RecordedTrace {
  const shown: Shown = (headers) => headersOf(headers, requestIdHeader)
  return {
    ...trace,
    info: infoOf(trace.info),
    fetches: mapFetches(trace.fetches, (fetch) => ({ ...fetch, trace: loadOf(fetch.trace, shown) })),
    request: { ...trace.request, headers: shown(trace.request.headers) },
  }
}

function infoOf(info: Trace['info']): Trace['info'] {
  const phases = PHASES.flatMap((phase, index) =>
    info[phase] === undefined
      ? []
      : [
          [
            phase,
            {
              duration_nanoseconds: PHASE_NANOSECONDS,
              duration_pretty: prettyDuration(PHASE_NANOSECONDS),
              ...sinceStart((index + 1) * PHASE_NANOSECONDS),
            },
          ] as const,
        ],
  )
  return { trace_start_time: '', trace_start_unix: 0, ...Object.fromEntries(phases) }
}

type Shown = (headers: TraceHeaders) => TraceHeaders

function loadOf(recorded: TraceLoad, shown: Shown): TraceLoad {
  // Whether a call has to wait for others is chance.
  const { duration_waiting_nanoseconds: _, duration_waiting_pretty: __, ...load } = recorded
  const { input, output, load_stats, failed_attempts } = load
  return {
    ...load,
    ...(input !== undefined && {
      input: 'truncated' in input ? input : { ...input, headers: shown(input.headers) },
    }),
    ...(output !== undefined && {
      output: 'truncated' in output ? output : { ...output, headers: shown(output.headers) },
    }),
    ...timesOf(load),
    ...(failed_attempts !== undefined && {
      failed_attempts: failed_attempts.map((attempt) => ({ ...attempt, ...timesOf(attempt) })),
    }),
    ...(load_stats !== undefined && { load_stats: statsOf(load_stats) }),
  }
}

function timesOf(load: Pick<TraceLoad, 'duration_since_start_nanoseconds' | 'duration_load_nanoseconds'>) {
  return {
    ...(load.duration_since_start_nanoseconds !== undefined && EVENT),
    ...(load.duration_load_nanoseconds !== undefined && {
      duration_load_nanoseconds: 1,
      duration_load_pretty: prettyDuration(1),
    }),
  }
}

function statsOf(stats: TraceLoadStats): TraceLoadStats {
  return Object.fromEntries(LOAD_EVENTS.filter((event) => event in stats).map((event) => [event, EVENT]))
}

function headersOf(headers: TraceHeaders, requestIdHeader: string): TraceHeaders {
  const changes = (name: string): boolean => name === requestIdHeader || CHANGING_HEADERS.has(name)
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !changes(name.toLowerCase())))
}

function sinceStart(nanoseconds: number) {
  return {
    duration_since_start_nanoseconds: nanoseconds,
    duration_since_start_pretty: prettyDuration(nanoseconds),
  }
}
