/** Traces for tests, with everything that a trace can have. */
import type { Trace, TraceFetch, TraceLoad } from '@switchyard/request-trace'
import type { RequestRedaction } from '../../src/tracing/redaction/redactor.ts'

const PHASE = {
  duration_nanoseconds: 1234,
  duration_pretty: '1.2µs',
  duration_since_start_nanoseconds: 99,
  duration_since_start_pretty: '99ns',
}
export const AT = { duration_since_start_nanoseconds: 71, duration_since_start_pretty: '71ns' }

export type TraceParts = {
  readonly loads?: readonly Partial<TraceLoad>[]
  readonly request?: Partial<Omit<Trace['request'], 'body'>> & {
    readonly body?: Partial<Trace['request']['body']>
  }
  readonly warnings?: readonly string[]
}

export function createTrace({ loads = [], request = {}, warnings }: TraceParts = {}): Trace {
  return {
    version: '1',
    info: {
      trace_start_time: '2026-11-21T12:00:00.000Z',
      trace_start_unix: 1795262400,
      parse_stats: PHASE,
      normalize_stats: PHASE,
      validate_stats: PHASE,
      planner_stats: PHASE,
    },
    composition: { feature_flag: null, reason: 'none', artifact: 'a'.repeat(64), revision: 3 },
    fetches: {
      kind: 'Sequence',
      children: [
        { kind: 'Parallel', children: loads.map((load) => ({ kind: 'Single', fetch: createFetch(load) })) },
      ],
    },
    request: {
      method: 'POST',
      url: '/graphql',
      headers: { 'content-type': 'application/json' },
      ...request,
      body: { query: '{ me { id } }', operationName: null, variables: null, ...request.body },
    },
    ...(warnings !== undefined && { warnings }),
  }
}

function createFetch(load: Partial<TraceLoad>): TraceFetch {
  return {
    kind: 'Single',
    path: 'me',
    source_id: 'users',
    source_name: 'users',
    trace: {
      single_flight_used: false,
      single_flight_shared_response: false,
      load_skipped: false,
      ...load,
    },
  }
}

export function answered(body: unknown, headers: Record<string, string> = {}): Pick<TraceLoad, 'output'> {
  return { output: { body, status_code: 200, headers, body_size: 7 } }
}

export function asked(
  body: unknown,
  {
    url = 'http://users.internal/graphql',
    headers = {},
  }: { url?: string; headers?: Record<string, string> } = {},
): Pick<TraceLoad, 'input'> {
  return { input: { method: 'POST', url, headers, body } }
}

export function loadsOf(trace: Trace): readonly TraceLoad[] {
  const [parallel] = trace.fetches.children
  if (parallel === undefined || parallel.kind === 'Single') return []
  return parallel.children.flatMap((node) => (node.kind === 'Single' ? [node.fetch.trace] : []))
}

/** What is shown of a trace that is all there is. */
export function shownBy(redaction: RequestRedaction, trace: Trace): Trace {
  redaction.learn(trace)
  return redaction.hide(trace)
}
