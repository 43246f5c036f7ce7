/**
 * A trace that is the same, byte for byte, each time the same request is made: no times, and nothing else that differs from
 * run to run (whether a connection was there already, dates, ids made up for one request).
 */
import type {
  Trace,
  TraceFetch,
  TraceHeaders,
  TraceLoad,
  TraceLoadStats,
  TraceNode,
} from '@switchyard/request-trace'
import { prettyDuration } from './pretty-duration.ts'
import type { RecordedTrace } from './recorded-trace.ts'

const PHASES = ['parse_stats', 'normalize_stats', 'validate_stats', 'planner_stats'] as const
const PHASE_NANOSECONDS = 5
const EVENT = sinceStart(1)

/** What every request has, on whatever connection. */
const LOAD_EVENTS = [
  'get_conn',
  'got_conn',
  'wrote_headers',
  'wrote_request',
  'got_first_response_byte',
] as const

/** Also a client's own id is left out: nobody can tell it from one that a proxy made up. */
const CHANGING_HEADERS: ReadonlySet<string> = new Set([
  'age',
  'date',
  'traceparent',
  'tracestate',
  'request-id',
  'x-request-id',
  'x-correlation-id',
  'x-trace-id',
  'x-amzn-requestid',
  'x-amzn-trace-id',
  'x-cloud-trace-context',
  'x-runtime',
  'x-response-time',
  'server-timing',
])

export function withPredictableTimings(trace: RecordedTrace): RecordedTrace {
  return {
    ...trace,
    info: infoOf(trace.info),
    fetches: { kind: 'Sequence', children: trace.fetches.children.map(nodeOf) },
    request: { ...trace.request, headers: headersOf(trace.request.headers) },
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

function nodeOf(node: TraceNode): TraceNode {
  if (node.kind !== 'Single') return { kind: node.kind, children: node.children.map(nodeOf) }
  const { fetch } = node
  return { kind: 'Single', fetch: { ...fetch, trace: loadOf(fetch.trace) } } satisfies {
    kind: 'Single'
    fetch: TraceFetch
  }
}

function loadOf(load: TraceLoad): TraceLoad {
  const { input, output, load_stats } = load
  return {
    ...load,
    ...(input !== undefined && {
      input: 'truncated' in input ? input : { ...input, headers: headersOf(input.headers) },
    }),
    ...(output !== undefined && {
      output: 'truncated' in output ? output : { ...output, headers: headersOf(output.headers) },
    }),
    ...(load.duration_since_start_nanoseconds !== undefined && EVENT),
    ...(load.duration_load_nanoseconds !== undefined && {
      duration_load_nanoseconds: 1,
      duration_load_pretty: prettyDuration(1),
    }),
    ...(load_stats !== undefined && { load_stats: statsOf(load_stats) }),
  }
}

function statsOf(stats: TraceLoadStats): TraceLoadStats {
  return Object.fromEntries(LOAD_EVENTS.filter((event) => event in stats).map((event) => [event, EVENT]))
}

function headersOf(headers: TraceHeaders): TraceHeaders {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !CHANGING_HEADERS.has(name.toLowerCase())),
  )
}

function sinceStart(nanoseconds: number) {
  return {
    duration_since_start_nanoseconds: nanoseconds,
    duration_since_start_pretty: prettyDuration(nanoseconds),
  }
}
