/** Traces for tests, with everything that a trace can have. */
import type { Trace, TraceFetch, TraceLoad, TraceNode } from '@switchyard/request-trace'
import { Meter, type Sliced } from '../../src/tracing/cleaning/meter.ts'
import { Secrets } from '../../src/tracing/cleaning/secrets.ts'
import { JsonValues } from '../../src/tracing/cleaning/json-values.ts'
import type { Glance } from '../../src/tracing/cleaning/present-at-a-glance.ts'
import { RecordedJson } from '../../src/tracing/cleaning/recorded-json.ts'
import type { RecordedTrace } from '../../src/tracing/cleaning/recorded-trace.ts'
import { Redaction } from '../../src/tracing/cleaning/redact-trace.ts'
import { redactionRules, type RedactionSettings } from '../../src/tracing/cleaning/redaction-rules.ts'
import { writeTrace } from '../../src/tracing/cleaning/trace-leaves.ts'

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
  /** Of the deferred fragment that all loads are made for. */
  readonly label?: string
}

export function createTrace({ loads = [], request = {}, warnings, label }: TraceParts = {}): Trace {
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
        {
          kind: 'Parallel',
          children: loads.map((load) => ({ kind: 'Single', fetch: createFetch(load, label) })),
        },
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

function createFetch(load: Partial<TraceLoad>, label?: string): TraceFetch {
  return {
    kind: 'Single',
    path: 'me',
    source_id: 'users',
    source_name: 'users',
    ...(label !== undefined && { defer_id: '1', defer_label: label }),
    trace: {
      ...load,
      single_flight_used: load.single_flight_used ?? false,
      single_flight_shared_response: load.single_flight_shared_response ?? false,
      load_skipped: load.load_skipped ?? false,
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

export function loadsOf(trace: Pick<Trace, 'fetches'>): readonly TraceLoad[] {
  const [parallel] = trace.fetches.children
  if (parallel === undefined || parallel.kind === 'Single') return []
  return parallel.children.flatMap((node) => (node.kind === 'Single' ? [node.fetch.trace] : []))
}

/** The same with all its data as it is recorded. */
export function recorded(trace: Trace): RecordedTrace {
  const piece = (value: unknown) => (value instanceof RecordedJson ? value : RecordedJson.ofValue(value))
  const message = <Message extends object>(given: Message): Message =>
    'body' in given ? { ...given, body: piece(given.body) } : given
  const visit = (node: TraceNode): TraceNode => {
    if (node.kind !== 'Single') return { ...node, children: node.children.map(visit) }
    const { raw_input_data, input, output, ...load } = node.fetch.trace
    const data = {
      ...(raw_input_data !== undefined && { raw_input_data: piece(raw_input_data) }),
      ...(input !== undefined && { input: message(input) }),
      ...(output !== undefined && { output: message(output) }),
    }
    return { kind: 'Single', fetch: { ...node.fetch, trace: { ...data, ...load } } }
  }
  const { request } = trace
  const { variables } = request.body
  return {
    ...trace,
    fetches: { kind: 'Sequence', children: trace.fetches.children.map(visit) },
    request: {
      ...request,
      body: { ...request.body, variables: variables === null ? null : piece(variables) },
    },
  }
}

/** Does all of some work at once. */
export function done<Result>(work: Sliced<Result>): Result {
  for (;;) {
    const { done: isDone, value } = work.next()
    if (isDone === true) return value
  }
}

/** Of one request. */
export class TestRedaction {
  readonly meter = new Meter()
  readonly making = { values: new JsonValues(this.meter), meter: this.meter }
  readonly redaction: Redaction
  readonly glance: Glance

  constructor(settings: RedactionSettings) {
    const rules = redactionRules(settings)
    this.redaction = new Redaction(rules, this.making)
    this.glance = { rules, secrets: new Secrets(this.meter) }
  }

  learn(trace: Trace): void {
    done(this.redaction.learn(recorded(trace)))
  }

  /** As JSON. */
  hidden(trace: Trace): string {
    return writeTrace(done(this.redaction.hide(recorded(trace))))
  }

  /** Of a trace that is all there is, as JSON. */
  shownText(trace: Trace): string {
    this.learn(trace)
    return this.hidden(trace)
  }

  shown(trace: Trace): Trace {
    return JSON.parse(this.shownText(trace))
  }
}
