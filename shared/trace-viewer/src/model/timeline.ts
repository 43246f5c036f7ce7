/** A trace as rows on one axis. Pure: what is drawn is decided here, how it looks is not. */
import type { Trace, TraceFetch, TracePhase, TraceWait } from '@switchyard/request-trace'
import { fetchesOf } from '@switchyard/request-trace/fetches-of'
import { criticalPath, type Span } from './critical-path.ts'
import { counted, printDuration } from './format.ts'

/** A step of the router, or what the request waited for. */
export type PhaseName = (typeof PHASE_NAMES)[number]

/** In the order of a request. */
export const PHASE_NAMES = [
  'wait for the token',
  'wait for rate limits',
  'wait for the document',
  'wait for the flag',
  'wait for a turn',
  'parse',
  'normalize',
  'validate',
  'plan',
] as const

const WAIT_NAMES: Readonly<Record<TraceWait['for'], PhaseName>> = {
  token: 'wait for the token',
  'rate-limits': 'wait for rate limits',
  document: 'wait for the document',
  flag: 'wait for the flag',
  turn: 'wait for a turn',
}

export type PhaseRow = {
  readonly kind: 'phase'
  readonly name: PhaseName
  readonly stats: TracePhase
  readonly span: Span
  readonly critical: boolean
}

export type FetchRow = {
  readonly kind: 'fetch'
  /** As `depends_on` counts. */
  readonly number: number
  readonly fetch: TraceFetch
  /** The time of the fetch; null if it has no place on the axis. */
  readonly span: Span | null
  readonly state: FetchState
  /** The problem in a few words; null if there is none. */
  readonly problem: string | null
  /**
   * The message of the error, or of the first one of the answer; null when there is none, or it is left out.
   */
  readonly message: string | null
  readonly critical: boolean
}

/**
 * The state of a fetch. `unrecorded` means that the trace records no fetch at all, so that nothing is known
 * of this one.
 */
export type FetchState = 'loaded' | 'shared' | 'skipped' | 'not-loaded' | 'unrecorded'

export type Lane = {
  readonly id: string
  readonly title: string
  readonly rows: readonly (PhaseRow | FetchRow)[]
}

export type Timeline = {
  readonly trace: Trace
  /**
   * The axis shows real times with `time`. With `order` it shows steps, since times were made constant
   * (`predictable`) or left out.
   */
  readonly axis: 'time' | 'order'
  readonly predictable: boolean
  /** The end of the last span. */
  readonly end: number
  readonly lanes: readonly Lane[]
  readonly phases: readonly PhaseRow[]
  /** In the order of the trace. */
  readonly fetches: readonly FetchRow[]
}

export function timelineOf(trace: Trace): Timeline {
  const fetches = fetchesOf(trace)
  const phases = phasesOf(trace)
  const predictable = trace.info.trace_start_time === '' && trace.info.trace_start_unix === 0
  const timed = fetches.some((fetch) => timeOf(fetch) !== null)
  const axis = predictable || (!timed && (fetches.length > 0 || phases.length === 0)) ? 'order' : 'time'
  const depths = depthsOf(fetches)
  const spans = fetches.map((fetch, number) =>
    axis === 'time' ? timeOf(fetch) : stepAt(phases.length + (depths[number] ?? 0)),
  )
  const critical = criticalPath(
    fetches.map((fetch, number) => ({
      span: fetch.trace.load_skipped ? null : (spans[number] ?? null),
      dependsOn: fetch.depends_on ?? [],
    })),
  )
  const nothingRecorded = fetches.every(isBlank)
  const rows = fetches.map((fetch, number): FetchRow => {
    const state = stateOf(fetch, nothingRecorded)
    const span = spans[number] ?? null
    const isDrawn = axis === 'order' || state === 'loaded' || state === 'shared'
    const problem = problemOf(fetch)
    return {
      kind: 'fetch',
      number,
      fetch,
      span: isDrawn ? span : null,
      state,
      problem,
      message: problem === null ? null : messageOf(fetch),
      critical: critical.has(number),
    }
  })
  const phaseRows = phases.map(({ name, stats }, index): PhaseRow => {
    const start = stats.duration_since_start_nanoseconds
    const span = axis === 'order' ? stepAt(index) : { start, end: start + stats.duration_nanoseconds }
    return { kind: 'phase', name, stats, span, critical: true }
  })
  const end = endOf([...phaseRows, ...rows])
  return {
    trace,
    axis,
    predictable,
    end,
    lanes: lanesOf(phaseRows, rows),
    phases: phaseRows,
    fetches: rows,
  }
}

/** `products at products.@.lead`. */
export function nameOf({ fetch }: FetchRow): string {
  return fetch.path === '' ? fetch.source_name : `${fetch.source_name} at ${fetch.path}`
}

/** When the last of them ended; 0 where none has a span. */
export function endOf(rows: readonly { readonly span: Span | null }[]): number {
  return rows.reduce((end, { span }) => Math.max(end, span?.end ?? 0), 0)
}

function phasesOf({ info }: Trace): readonly Pick<PhaseRow, 'name' | 'stats'>[] {
  const all = [
    { name: 'parse', stats: info.parse_stats },
    { name: 'normalize', stats: info.normalize_stats },
    { name: 'validate', stats: info.validate_stats },
    { name: 'plan', stats: info.planner_stats },
  ] as const
  const steps = all.flatMap(({ name, stats }) => (stats === undefined ? [] : [{ name, stats }]))
  return [...waitsOf(info.waits ?? []), ...steps]
}

/** Waits for the same thing are one row, from the first to as long as all of them took. */
function waitsOf(waits: readonly TraceWait[]): readonly Pick<PhaseRow, 'name' | 'stats'>[] {
  return [...Map.groupBy(waits, (wait) => wait.for)].flatMap(([what, [first, ...more]]) => {
    if (first === undefined) return []
    const { for: _, ...stats } = first
    const took = more.reduce((sum, wait) => sum + wait.duration_nanoseconds, stats.duration_nanoseconds)
    const all = more.length === 0 ? {} : { duration_nanoseconds: took, duration_pretty: printDuration(took) }
    return { name: WAIT_NAMES[what], stats: { ...stats, ...all } }
  })
}

function stepAt(step: number): Span {
  return { start: step, end: step + 1 }
}

function timeOf({ trace }: TraceFetch): Span | null {
  const start = trace.duration_since_start_nanoseconds
  const took = trace.duration_load_nanoseconds
  return start === undefined || took === undefined ? null : { start, end: start + took }
}

/** How many fetches one after the other come before each. */
function depthsOf(fetches: readonly TraceFetch[]): readonly number[] {
  const depths: number[] = []
  for (const { depends_on } of fetches) {
    depths.push((depends_on ?? []).reduce((depth, before) => Math.max(depth, (depths[before] ?? 0) + 1), 0))
  }
  return depths
}

function isBlank({ trace }: TraceFetch): boolean {
  return (
    !trace.load_skipped &&
    !trace.single_flight_used &&
    trace.input === undefined &&
    trace.output === undefined &&
    trace.raw_input_data === undefined &&
    trace.error === undefined &&
    trace.load_stats === undefined &&
    trace.duration_load_nanoseconds === undefined
  )
}

function stateOf(fetch: TraceFetch, nothingRecorded: boolean): FetchState {
  if (fetch.trace.load_skipped) return 'skipped'
  if (isBlank(fetch)) return nothingRecorded ? 'unrecorded' : 'not-loaded'
  return fetch.trace.single_flight_shared_response ? 'shared' : 'loaded'
}

function problemOf({ trace: { error, output } }: TraceFetch): string | null {
  if (error !== undefined) return error.code
  if (output === undefined || 'truncated' in output) return null
  if (output.status_code >= 400) return `HTTP ${output.status_code}`
  const errors = errorsOf(output.body).length
  return errors === 0 ? null : counted(errors, 'GraphQL error', 'GraphQL errors')
}

function messageOf({ trace: { error, output } }: TraceFetch): string | null {
  if (error !== undefined) return error.message
  if (output === undefined || 'truncated' in output) return null
  const message: unknown = errorsOf(output.body)
    .map((item) => (typeof item === 'object' && item !== null && 'message' in item ? item.message : null))
    .find((text) => typeof text === 'string' && text !== '')
  return typeof message === 'string' ? message : null
}

function errorsOf(body: unknown): readonly unknown[] {
  if (typeof body !== 'object' || body === null || !('errors' in body)) return []
  return Array.isArray(body.errors) ? body.errors : []
}

function lanesOf(phases: readonly PhaseRow[], fetches: readonly FetchRow[]): readonly Lane[] {
  const [first, deferred] = byDelivery(fetches, ({ fetch }) => fetch)
  const title = deferred.length === 0 ? 'Fetches' : 'First part'
  return [
    ...(phases.length === 0 ? [] : [{ id: 'router', title: 'Router', rows: phases }]),
    ...(first.length === 0 ? [] : [{ id: 'first', title, rows: first }]),
    ...deferred.map(({ items, ...lane }) => ({ ...lane, rows: items })),
  ]
}

/** The lane of one deferred fragment, with its items. */
export type DeferredLane<Item> = {
  readonly id: string
  readonly title: string
  readonly items: readonly Item[]
}

/**
 * Divides items into those made for the first part and those made for each deferred fragment, in the order of
 * the items.
 */
export function byDelivery<Item>(
  items: readonly Item[],
  fetchOf: (item: Item) => TraceFetch | undefined,
): readonly [first: readonly Item[], deferred: readonly DeferredLane<Item>[]] {
  const deferred = new Map<string, { title: string; items: Item[] }>()
  const first: Item[] = []
  for (const item of items) {
    const fetch = fetchOf(item)
    if (fetch?.defer_id === undefined) {
      first.push(item)
      continue
    }
    const lane = deferred.get(fetch.defer_id) ?? { title: deferredTitle(fetch.defer_id, fetch), items: [] }
    deferred.set(fetch.defer_id, lane)
    lane.items.push(item)
  }
  return [first, [...deferred].map(([id, lane]) => ({ id: `defer-${id}`, ...lane }))]
}

/**
 * Returns the title of a deferred fragment, with its number and, if it has one, its label: `Deferred 2
 * "reviews"`.
 */
export function deferredTitle(id: string, { defer_label: label }: TraceFetch): string {
  return label === undefined ? `Deferred ${id}` : `Deferred ${id} "${label}"`
}
