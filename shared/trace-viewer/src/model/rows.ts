/** Computes what the waterfall draws, for one trace and for two alike. */
import type { PlanComparison } from './align-fetches.ts'
import type { Comparison, FetchPair, Pair } from './comparison.ts'
import { printDuration, durationDifference } from './format.ts'
import type { Span } from './critical-path.ts'
import type { FetchRow, PhaseName, PhaseRow, Timeline } from './timeline.ts'

export type Segment = { readonly kind: 'connect' | 'wait' | 'receive'; readonly span: Span }

export type Bar = {
  readonly span: Span
  readonly tone: 'phase' | 'fetch' | 'shared' | 'planned' | 'bad'
  readonly critical: boolean
  readonly trace: 'a' | 'b'
  readonly segments: readonly Segment[]
}

export type Mark = {
  /** Shown with its text, so that nothing depends on colour. */
  readonly sign: string
  readonly text: string
  readonly tone: 'critical' | 'bad' | 'quiet' | 'changed'
}

export type Row = {
  readonly id: string
  readonly title: string
  readonly path: string
  readonly kind: string
  readonly marks: readonly Mark[]
  readonly bars: readonly Bar[]
  /** At the end of the line. */
  readonly value: string
  /** The text that a screen reader speaks besides the shown one: the place of the bar. */
  readonly spoken: string
  readonly critical: boolean
  readonly bad: boolean
  readonly subject: RowSubject
}

export type RowSubject =
  | { readonly kind: 'phase'; readonly a: PhaseRow | null; readonly b: PhaseRow | null }
  | {
      readonly kind: 'fetch'
      readonly a: FetchRow | null
      readonly b: FetchRow | null
      /** Null when there is only one trace. */
      readonly pair: FetchPair | null
    }

export type RowLane = { readonly id: string; readonly title: string; readonly rows: readonly Row[] }

export function fetchRowId(index: number): string {
  return `fetch-${index}`
}

export function timelineRows(timeline: Timeline): readonly RowLane[] {
  return timeline.lanes.map(({ id, title, rows }) => ({
    id,
    title,
    rows: rows.map((row) =>
      row.kind === 'phase'
        ? phaseRow({ a: row, b: null, difference: null }, timeline.axis, false)
        : fetchRow({ a: row, b: null, pair: null, id: fetchRowId(row.number), axis: timeline.axis }),
    ),
  }))
}

export function comparisonRows(comparison: Comparison): readonly RowLane[] {
  let index = 0
  return comparison.lanes.map(({ id, title, phases, fetches }) => ({
    id,
    title,
    rows: [
      ...phases.map((pair) => phaseRow(pair, comparison.axis, true)),
      ...fetches.map((pair) =>
        fetchRow({ a: pair.a, b: pair.b, pair, id: fetchRowId(index++), axis: comparison.axis }),
      ),
    ],
  }))
}

type Axis = Timeline['axis']

const PHASE_TITLES: Readonly<Record<PhaseName, string>> = {
  'wait for the token': 'Wait for token',
  'wait for rate limits': 'Wait for rate limits',
  'wait for the document': 'Wait for document',
  'wait for the flag': 'Wait for flag',
  'wait for a turn': 'Wait for turn',
  parse: 'Parse',
  normalize: 'Normalize',
  validate: 'Validate',
  plan: 'Plan',
}

function phaseRow({ a, b, difference }: Pair<PhaseRow>, axis: Axis, compared: boolean): Row {
  const title = PHASE_TITLES[(a ?? b)?.name ?? 'plan']
  const took = (row: PhaseRow | null) => (row === null ? '–' : printDuration(row.stats.duration_nanoseconds))
  const value = compared ? changed(took(a), took(b), difference) : took(a)
  return {
    id: `phase-${(a ?? b)?.name}`,
    title,
    path: '',
    kind: '',
    marks: [],
    bars: [...(a === null ? [] : [phaseBar(a, 'a')]), ...(b === null ? [] : [phaseBar(b, 'b')])],
    value: axis === 'order' && !compared ? '' : value,
    spoken: 'phase of the router',
    critical: false,
    bad: false,
    subject: { kind: 'phase', a, b },
  }
}

function phaseBar({ span }: PhaseRow, trace: 'a' | 'b'): Bar {
  return { span, tone: 'phase', critical: false, trace, segments: [] }
}

type FetchRowInput = {
  readonly a: FetchRow | null
  readonly b: FetchRow | null
  readonly pair: FetchPair | null
  readonly id: string
  readonly axis: Axis
}

function fetchRow({ a, b, pair, id, axis }: FetchRowInput): Row {
  const shown = a ?? b
  const marks = pair === null ? (a === null ? [] : marksOf(a, axis)) : comparedMarks(pair, axis)
  const value =
    pair === null ? valueOf(a, axis) : changed(valueOf(a, axis), valueOf(b, axis), pair.difference)
  const bars = [...(a === null ? [] : barOf(a, 'a')), ...(b === null ? [] : barOf(b, 'b'))]
  const { source_name: title = '', path = '', kind = '' } = shown?.fetch ?? {}
  const bad = (a?.problem ?? b?.problem ?? null) !== null
  const start = axis === 'time' ? (a?.span?.start ?? null) : null
  return {
    id,
    title,
    path,
    kind: kindText(kind),
    marks,
    bars,
    value,
    spoken: start === null ? '' : `began after ${printDuration(start)}`,
    critical: (a?.critical ?? false) || (b?.critical ?? false),
    bad,
    subject: { kind: 'fetch', a, b, pair },
  }
}

export function kindText(kind: string): string {
  switch (kind) {
    case 'Single':
      return 'root'
    case 'Entity':
      return 'entity'
    case 'BatchEntity':
      return 'batch'
    case 'MultiEntity':
      return 'multi'
    default:
      return kind
  }
}

function marksOf(row: FetchRow, axis: Axis): readonly Mark[] {
  const marks: Mark[] = []
  if (row.problem !== null) marks.push({ sign: '✕', text: row.problem, tone: 'bad' })
  if (row.critical) {
    const text = axis === 'time' ? 'critical path' : 'longest chain'
    marks.push({ sign: '◆', text, tone: 'critical' })
  }
  switch (row.state) {
    case 'shared':
      marks.push({ sign: '⇄', text: 'shared', tone: 'quiet' })
      break
    case 'skipped':
      marks.push({ sign: '⊘', text: 'skipped', tone: 'quiet' })
      break
    case 'not-loaded':
      marks.push({ sign: '◌', text: 'not loaded yet', tone: 'quiet' })
      break
    case 'loaded':
    case 'unrecorded':
      break
    default:
      throw new TypeError(`unknown state ${String(row.state satisfies never)}`)
  }
  return marks
}

function comparedMarks({ a, b, plan, result }: FetchPair, axis: Axis): readonly Mark[] {
  const only = a === null ? 'B' : b === null ? 'A' : null
  const problems = new Map([
    ...(a === null ? [] : [['A', marksOf(a, axis)] as const]),
    ...(b === null ? [] : [['B', marksOf(b, axis)] as const]),
  ])
  const own = [...problems].flatMap(([name, marks]) =>
    marks.map((mark) => (only === null ? { ...mark, text: `${mark.text} (${name})` } : mark)),
  )
  return [
    ...(only === null ? [] : [{ sign: '±', text: `only in ${only}`, tone: 'changed' as const }]),
    ...planMarks(plan, b),
    ...(result.kind === 'different' ? [{ sign: '≠', text: 'answers differ', tone: 'changed' as const }] : []),
    ...bothTogether(own),
  ]
}

function planMarks(plan: PlanComparison, b: FetchRow | null): readonly Mark[] {
  if (plan === 'other-selection') return [{ sign: '≠', text: 'selections differ', tone: 'changed' }]
  if (plan !== 'other-path' || b === null) return []
  const { path } = b.fetch
  return [{ sign: '→', text: path === '' ? 'at the root in B' : `at ${path} in B`, tone: 'changed' }]
}

/** `critical path (A)` beside `critical path (B)` is said once. */
function bothTogether(marks: readonly Mark[]): readonly Mark[] {
  return marks.flatMap((mark) => {
    const plain = mark.text.replace(/ \([AB]\)$/, '')
    const both = ['A', 'B'].every((name) => marks.some(({ text }) => text === `${plain} (${name})`))
    if (!both) return [mark]
    return mark.text.endsWith('(A)') ? [{ ...mark, text: plain }] : []
  })
}

function valueOf(row: FetchRow | null, axis: Axis): string {
  if (row === null || row.span === null) return '–'
  if (axis === 'order') return ''
  return printDuration(row.span.end - row.span.start)
}

function changed(a: string, b: string, difference: number | null): string {
  const sides = a === '' && b === '' ? '' : `${a === '' ? '–' : a} → ${b === '' ? '–' : b}`
  return difference === null ? sides : `${sides} (${durationDifference(difference)})`
}

function barOf(row: FetchRow, trace: 'a' | 'b'): readonly Bar[] {
  if (row.span === null) return []
  const tone = toneOf(row)
  return [{ span: row.span, tone, critical: row.critical, trace, segments: segmentsOf(row) }]
}

function toneOf({ problem, state }: FetchRow): Bar['tone'] {
  if (problem !== null) return 'bad'
  if (state === 'shared') return 'shared'
  return state === 'loaded' || state === 'unrecorded' ? 'fetch' : 'planned'
}

function segmentsOf({ span, fetch: { trace } }: FetchRow): readonly Segment[] {
  const { load_stats: stats, duration_since_start_nanoseconds: start } = trace
  // On an axis of steps there is no place for times.
  if (stats === undefined || span === null || span.start !== start) return []
  const within = (
    event: { readonly duration_since_start_nanoseconds: number } | undefined,
    otherwise: number,
  ) => Math.min(span.end, Math.max(otherwise, event?.duration_since_start_nanoseconds ?? otherwise))
  const connected = within(stats.got_conn ?? stats.tls_handshake_done ?? stats.connect_done, span.start)
  const answered = within(stats.got_first_response_byte, connected)
  const segments: readonly Segment[] = [
    { kind: 'connect', span: { start: span.start, end: connected } },
    { kind: 'wait', span: { start: connected, end: answered } },
    { kind: 'receive', span: { start: answered, end: span.end } },
  ]
  return stats.got_first_response_byte === undefined
    ? []
    : segments.filter((segment) => segment.span.end > segment.span.start)
}

/** Round numbers along the axis, at most about `count`. */
export function ticksOf(end: number, count: number): readonly number[] {
  if (end <= 0) return [0]
  const rough = end / count
  const unit = 10 ** Math.floor(Math.log10(rough))
  const step = Math.max(
    1,
    [1, 2, 5, 10].map((factor) => factor * unit).find((size) => size >= rough) ?? rough,
  )
  return Array.from({ length: Math.floor(end / step) + 1 }, (_, index) => index * step)
}
