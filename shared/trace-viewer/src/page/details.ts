/** All that is known of one row. Made when the row is opened: a trace has hundreds, and people read a few. */
import type { TraceFailedAttempt, TraceInput, TraceLoad, TraceOutput } from '@switchyard/request-trace'
import type { PlanComparison } from '../model/align-fetches.ts'
import { curlOf } from '../model/curl.ts'
import { byteSize, printDuration, durationDifference } from '../model/format.ts'
import { layOutGraphql } from '../model/graphql-text.ts'
import { fetchRowId, type Row, type RowSubject } from '../model/rows.ts'
import {
  deferredTitle,
  type FetchRow,
  nameOf,
  type PhaseName,
  type PhaseRow,
  type Timeline,
} from '../model/timeline.ts'
import { truncatedBytes } from '../model/totals.ts'
import { facts, graphqlBlock, headerTable, jsonBlock, remark, foldedSection, textBlock } from './blocks.ts'
import { copyButton } from './copy.ts'
import { differenceTable } from './differences.ts'
import { button, type Child, h, sign } from './dom.ts'

export type DetailsContext = {
  readonly a: Timeline
  readonly b: Timeline | null
  readonly goTo: (id: string) => void
}

export function detailsOf(row: Row, context: DetailsContext): readonly Child[] {
  const { subject } = row
  if (context.b === null) return sideOf(subject, 'a', context.a, context)
  const sides = (['a', 'b'] as const).map((name) => {
    const timeline = name === 'a' ? context.a : (context.b ?? context.a)
    return h(
      'div',
      { class: 'side', role: 'group', 'aria-label': `Trace ${name.toUpperCase()}` },
      h('h3', {}, `Trace ${name.toUpperCase()}`),
      ...sideOf(subject, name, timeline, context),
    )
  })
  return [...differencesOf(subject), h('div', { class: 'sides' }, ...sides)]
}

function sideOf(
  subject: RowSubject,
  side: 'a' | 'b',
  timeline: Timeline,
  context: DetailsContext,
): readonly Child[] {
  if (subject.kind === 'phase') {
    const phase = subject[side]
    return phase === null ? [remark('Not in this trace.')] : phaseDetails(phase, timeline)
  }
  const fetch = subject[side]
  return fetch === null ? [remark('Not in this trace.')] : fetchDetails(fetch, timeline, context)
}

function differencesOf(subject: RowSubject): readonly Child[] {
  if (subject.kind !== 'fetch' || subject.pair === null) return []
  const { difference, plan, result } = subject.pair
  const found: Child[] = [
    facts([
      ['Time', difference === null ? 'cannot be compared' : durationDifference(difference)],
      ['Plan', PLANS[plan]],
      ['Answer', result.kind === 'unknown' ? 'cannot be compared' : result.kind],
    ]),
  ]
  if (result.kind !== 'different') return found
  found.push(foldedSection('Differences of the answers', true, () => [differenceTable(result.differences)]))
  return found
}

const PLANS: Readonly<Record<PlanComparison, string>> = {
  same: 'the same fetch',
  'other-path': 'the same selection at another place',
  'other-selection': 'another selection',
  unknown: 'cannot be compared',
  only: 'only in one of them',
}

const PHASES: Readonly<Record<PhaseName, string>> = {
  'wait for the token': 'Waits for the token to be verified, with keys that may have to be fetched first.',
  'wait for rate limits': 'Waits for the store that routers share for rate limits.',
  'wait for the document': 'Waits for the store that routers share for documents.',
  'wait for the flag': 'Waits for the composition of the feature flag to be compiled.',
  'wait for a turn': 'Waits for other clients whose requests take much computing.',
  parse: 'Reads the document.',
  normalize: 'Chooses the operation and inserts its fragments.',
  validate: 'Checks the operation against the schema.',
  plan: 'Finds the fetches that the operation needs, or takes them from the cache.',
}

function phaseDetails({ name, stats }: PhaseRow, { predictable }: Timeline): readonly Child[] {
  return [
    remark(PHASES[name]),
    facts([
      ['Began after', printDuration(stats.duration_since_start_nanoseconds)],
      [
        'Took',
        predictable
          ? `${printDuration(stats.duration_nanoseconds)} (constant)`
          : printDuration(stats.duration_nanoseconds),
      ],
    ]),
  ]
}

function fetchDetails(row: FetchRow, timeline: Timeline, context: DetailsContext): readonly Child[] {
  const { fetch } = row
  const { trace } = fetch
  return [
    ...problemBox(row),
    facts([
      ...timing(trace),
      ...answerFacts(trace.output),
      ['Kind', fetch.kind],
      ...(fetch.source_id === fetch.source_name ? [] : [['Subgraph id', fetch.source_id] as const]),
      ...(fetch.defer_id === undefined
        ? []
        : [['Delivered in', deferredTitle(fetch.defer_id, fetch)] as const]),
      ...neighbours(row, timeline, context),
      ...flight(row),
    ]),
    ...attemptParts(trace),
    foldedSection('Request', true, () => inputParts(trace.input, row)),
    foldedSection('Answer', true, () => outputParts(trace.output, row)),
    foldedSection('Made from', false, () => rawParts(trace.raw_input_data, row)),
    ...(trace.load_stats === undefined
      ? []
      : [foldedSection('Connection', false, () => [loadEvents(trace)])]),
  ]
}

function problemBox({ problem, fetch: { trace } }: FetchRow): readonly Child[] {
  if (problem === null) return []
  const message = trace.error === undefined ? null : h('p', {}, trace.error.message)
  return [h('div', { class: 'problem', role: 'note' }, h('strong', {}, sign('✕'), problem), message)]
}

type Fact = readonly [string, Child]

function timing(trace: TraceLoad): readonly Fact[] {
  const { duration_since_start_nanoseconds: start, duration_load_nanoseconds: took } = trace
  return [
    ...(took === undefined ? [] : [['Took', printDuration(took)] as const]),
    ...(start === undefined ? [] : [['Began after', printDuration(start)] as const]),
  ]
}

function answerFacts(output: TraceLoad['output']): readonly Fact[] {
  if (output === undefined || 'truncated' in output) return []
  return [
    ['Status', `HTTP ${output.status_code}`],
    ['Size', byteSize(output.body_size)],
  ]
}

function neighbours(
  { fetch, number }: FetchRow,
  timeline: Timeline,
  context: DetailsContext,
): readonly Fact[] {
  const rows = timeline.fetches
  const before = (fetch.depends_on ?? []).flatMap((other) => rows[other] ?? [])
  const after = rows.filter((other) => other.fetch.depends_on?.includes(number) === true)
  const links = (found: readonly FetchRow[]) =>
    h('span', { class: 'links' }, ...found.map((other) => linkTo(other, context)))
  return [
    ...(before.length === 0 ? [] : [['Waited for', links(before)] as const]),
    ...(after.length === 0 ? [] : [['Was awaited by', links(after)] as const]),
  ]
}

/**
 * Links to the row of a fetch. With two traces, rows have other numbers than the fetches, so only the name is
 * shown.
 */
function linkTo(row: FetchRow, { b, goTo }: DetailsContext): Child {
  if (b !== null) return h('span', {}, nameOf(row))
  return button(nameOf(row), { class: 'link' }, () => {
    goTo(fetchRowId(row.number))
  })
}

function flight(row: FetchRow): readonly Fact[] {
  const isHedge = row.fetch.trace.hedge === true
  const { duration_waiting_nanoseconds: waiting } = row.fetch.trace
  return [
    ...(waiting === undefined ? [] : [['Waited for a place', printDuration(waiting)] as const]),
    ...(isHedge ? [SECOND_CALL] : []),
    ...sharing(row),
  ]
}

const SECOND_CALL: Fact = ['Second call', 'it was made beside another one, to which no answer began for long']

function sharing({ state, fetch: { trace } }: FetchRow): readonly Fact[] {
  if (state === 'shared')
    return [['Answer of', 'an equal request of another fetch: none was made for this one']]
  if (trace.single_flight_used) return [['Shared', 'equal requests could have used its answer']]
  return []
}

/** Shows the attempts that failed or were given up, besides the attempt that all else is about. */
function attemptParts({ failed_attempts: attempts = [] }: TraceLoad): readonly Child[] {
  if (attempts.length === 0) return []
  const rows = attempts.map((attempt, index) =>
    h(
      'tr',
      {},
      h('th', { scope: 'row' }, attempt.hedge === true ? `${index + 1} (second call)` : String(index + 1)),
      h('td', {}, attempt.url ?? ''),
      h('td', {}, endOf(attempt)),
      h('td', {}, optionalDuration(attempt.duration_since_start_nanoseconds)),
      h('td', {}, optionalDuration(attempt.duration_load_nanoseconds)),
    ),
  )
  const head = ['Attempt', 'Address', 'Came to', 'Began after', 'Took'].map((text) =>
    h('th', { scope: 'col' }, text),
  )
  const table = h('table', { class: 'events' }, h('thead', {}, h('tr', {}, ...head)), h('tbody', {}, ...rows))
  return [foldedSection('Other attempts', true, () => [table])]
}

function endOf({ status_code: status, given_up: isGivenUp, message }: TraceFailedAttempt): string {
  if (isGivenUp === true) return 'given up'
  if (status !== undefined) return `HTTP ${status}`
  return message === undefined ? 'no answer' : `no answer: ${message}`
}

function optionalDuration(nanoseconds: number | undefined): string {
  return nanoseconds === undefined ? '' : printDuration(nanoseconds)
}

/** Why a member is not there. */
function absence(row: FetchRow, what: string): readonly Child[] {
  switch (row.state) {
    case 'skipped':
      return [remark('Nothing had to be asked for, so no request was made.')]
    case 'not-loaded':
      return [remark('Not loaded yet when this trace was taken.')]
    case 'loaded':
    case 'shared':
    case 'unrecorded':
      return [remark(`${what} is left out of this trace.`)]
    default:
      throw new TypeError(`unknown state ${String(row.state satisfies never)}`)
  }
}

function tooLarge(bytes: number): Child {
  return remark(`Left out, because its ${byteSize(bytes)} would have made the trace too large.`)
}

function inputParts(input: TraceLoad['input'], row: FetchRow): readonly Child[] {
  if (input === undefined) return absence(row, 'The request')
  if ('truncated' in input) return [tooLarge(input.truncated)]
  const { query, rest } = splitBody(input.body)
  return [
    h(
      'div',
      { class: 'request-line' },
      h('code', {}, `${input.method} ${input.url}`),
      copyButton('Copy as curl', () => curlOf(input)),
    ),
    ...(query === null ? [] : [graphqlBlock('Query', layOutGraphql(query))]),
    ...(rest === undefined ? [] : [jsonBlock(query === null ? 'Body' : 'Variables', rest)]),
    foldedSection('Headers of the request', false, () => [headerTable(input.headers)]),
    foldedSection('As curl', false, () => [textBlock('curl', curlOf(input))]),
  ]
}

/** The query apart, since it is unreadable inside JSON. */
function splitBody(body: TraceInput['body']): { readonly query: string | null; readonly rest: unknown } {
  if (typeof body !== 'object' || body === null || !('query' in body)) return { query: null, rest: body }
  const { query, ...others } = body
  if (typeof query !== 'string') return { query: null, rest: body }
  const names = Object.keys(others)
  if (names.length === 0) return { query, rest: undefined }
  return { query, rest: names.length === 1 && 'variables' in others ? others.variables : others }
}

function outputParts(output: TraceLoad['output'], row: FetchRow): readonly Child[] {
  if (output === undefined) {
    const failed = row.fetch.trace.error !== undefined
    return failed ? [remark('None that could be used came.')] : absence(row, 'The answer')
  }
  if ('truncated' in output) return [tooLarge(output.truncated)]
  return [
    jsonBlock('Body', output.body),
    foldedSection('Headers of the answer', false, () => [answerHeaders(output)]),
  ]
}

function answerHeaders(output: TraceOutput): HTMLElement {
  return headerTable(output.headers)
}

function rawParts(data: unknown, row: FetchRow): readonly Child[] {
  if (data === undefined) return absence(row, 'What the request was made from')
  const bytes = truncatedBytes(data)
  return bytes === null ? [jsonBlock('Objects of the response', data)] : [tooLarge(bytes)]
}

const EVENTS = [
  ['get_conn', 'connection asked for'],
  ['dns_start', 'name looked up'],
  ['dns_done', 'name found'],
  ['connect_start', 'connecting'],
  ['connect_done', 'connected'],
  ['tls_handshake_start', 'TLS handshake began'],
  ['tls_handshake_done', 'TLS handshake done'],
  ['got_conn', 'connection there'],
  ['wrote_headers', 'headers sent'],
  ['wrote_request', 'request sent'],
  ['got_first_response_byte', 'first byte of the answer'],
] as const

function loadEvents({ load_stats: stats, duration_since_start_nanoseconds: start }: TraceLoad): HTMLElement {
  let before = start ?? null
  const rows = EVENTS.flatMap(([name, text]) => {
    const at = stats?.[name]?.duration_since_start_nanoseconds
    if (at === undefined) return []
    const since = before === null ? '' : durationDifference(Math.max(0, at - before))
    before = at
    const kept = name === 'got_conn' && stats?.got_conn?.reused !== undefined
    const note = kept ? (stats.got_conn.reused ? ' (used before)' : ' (new)') : ''
    return [
      h(
        'tr',
        {},
        h('th', { scope: 'row' }, `${text}${note}`),
        h('td', {}, printDuration(at)),
        h('td', {}, since),
      ),
    ]
  })
  const head = ['Event', 'After', 'Since the one before'].map((text) => h('th', { scope: 'col' }, text))
  return h('table', { class: 'events' }, h('thead', {}, h('tr', {}, ...head)), h('tbody', {}, ...rows))
}
