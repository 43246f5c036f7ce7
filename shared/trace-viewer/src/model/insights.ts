/**
 * Writes plain sentences about what took the time, what failed and what is missing, the most useful one
 * first.
 */
import { criticalPath, type Span } from './critical-path.ts'
import { byteSize, counted, printDuration, printList, percent, quotedMessage } from './format.ts'
import { endOf, type FetchRow, nameOf, type Timeline } from './timeline.ts'
import { bodySize, type Totals } from './totals.ts'

export type Insight = {
  readonly tone: 'slow' | 'bad' | 'note'
  readonly text: string
  /** The fetch that it is about. */
  readonly fetch: number | null
}

export function insightsOf(timeline: Timeline, totals: Totals): readonly Insight[] {
  return [
    ...failures(timeline),
    ...slowness(timeline, totals),
    ...deferring(timeline),
    ...connecting(timeline, totals),
    ...manyRequests(timeline),
    ...largeAnswers(timeline, totals),
    ...remarks(timeline, totals),
  ]
}

function note(text: string, fetch: number | null = null): Insight {
  return { tone: 'note', text, fetch }
}

function failures({ fetches }: Timeline): readonly Insight[] {
  const failed = fetches.filter(({ problem }) => problem !== null)
  return failed.slice(0, 3).map((row, index): Insight => {
    const more = index === 2 && failed.length > 3 ? ` ${failed.length - 3} more failed, too.` : ''
    return { tone: 'bad', text: `${nameOf(row)} ${howItFailed(row)}.${more}`, fetch: row.number }
  })
}

/** An answer with errors may have data, too. */
function howItFailed({ problem, message, fetch: { trace } }: FetchRow): string {
  const { error, output } = trace
  const isAnswer = output !== undefined && !('truncated' in output) && output.status_code < 400
  const said = message === null ? '' : `: ${quotedMessage(message)}`
  const what = error === undefined && isAnswer ? 'answered with' : 'failed:'
  return `${what} ${problem}${said}`
}

type Share = { readonly source: string; readonly time: number; readonly rows: readonly FetchRow[] }

/** Nanoseconds: below, a phase of the router is quick however large its share is. */
const WORTH_SAYING = 1_000_000

function slowness(timeline: Timeline, { total }: Totals): readonly Insight[] {
  if (total === null || total === 0) return []
  const { fetches, phases } = timeline
  const path = fetches.filter(({ critical }) => critical)
  const found = [...largestShare(timeline, path, total, 'of the time')]
  for (const { name, span } of phases) {
    if (length(span) / total < 0.2 || length(span) < WORTH_SAYING) continue
    const hint = name === 'plan' ? ': the plan was not in the cache, or is expensive to find' : ''
    const what = name.startsWith('wait for') ? `the ${name}` : `the router's phase ${name}`
    const text = `${percent(length(span), total)} of the time went into ${what}${hint}.`
    found.push({ tone: 'slow', text, fetch: null })
  }
  if (path.length >= 3) {
    const names = path.map(({ fetch }) => fetch.source_name)
    const shown = names.length > 6 ? [...names.slice(0, 5), `… ${names.length - 5} more`] : names
    found.push(note(`${path.length} fetches had to run one after the other: ${shown.join(' → ')}.`))
  }
  return found
}

/** Which subgraph had most of the time along a path. */
function largestShare(
  timeline: Timeline,
  path: readonly FetchRow[],
  total: number,
  ofWhat: string,
): readonly Insight[] {
  const [most] = sharesOn(path)
  const longest = most?.rows.toSorted((a, b) => length(b.span) - length(a.span))[0]
  if (most === undefined || longest === undefined) return []
  const before = waitedFor(timeline, longest)
  const waited = before.length === 0 ? '' : `, which waited for ${printList(before)}`
  const times = most.rows.length === 1 ? '' : ` (${most.rows.length} fetches one after the other)`
  const text = `${percent(most.time, total)} ${ofWhat} went into subgraph ${most.source}${times}${waited}.`
  return [{ tone: 'slow', text, fetch: longest.number }]
}

/** Time on a path by subgraph, the largest first. */
function sharesOn(path: readonly FetchRow[]): readonly Share[] {
  let until = 0
  const parts = path.map((row) => {
    const time = row.span === null ? 0 : Math.max(0, row.span.end - Math.max(until, row.span.start))
    until = Math.max(until, row.span?.end ?? 0)
    return { row, time }
  })
  return [...Map.groupBy(parts, ({ row }) => row.fetch.source_name)]
    .map(([source, own]) => ({
      source,
      time: own.reduce((sum, { time }) => sum + time, 0),
      rows: own.map(({ row }) => row),
    }))
    .toSorted((a, b) => b.time - a.time)
}

function waitedFor({ fetches }: Timeline, { fetch }: FetchRow): readonly string[] {
  const names = (fetch.depends_on ?? []).map((number) => fetches[number]?.fetch.source_name ?? '')
  return [...new Set(names)].filter((name) => name !== fetch.source_name && name !== '')
}

function connecting({ fetches }: Timeline, { total }: Totals): readonly Insight[] {
  if (total === null) return []
  return fetches
    .filter(({ critical }) => critical)
    .flatMap((row) => {
      const stats = row.fetch.trace.load_stats
      const asked = (stats?.get_conn ?? stats?.dns_start ?? stats?.connect_start)
        ?.duration_since_start_nanoseconds
      const got = stats?.got_conn?.duration_since_start_nanoseconds
      if (asked === undefined || got === undefined || got - asked < total / 10) return []
      const why =
        stats?.got_conn?.reused === true ? 'waiting for a free connection' : 'opening a new connection'
      return [note(`${printDuration(got - asked)} of ${nameOf(row)} went into ${why}.`, row.number)]
    })
}

const MANY = 5

function manyRequests({ fetches }: Timeline): readonly Insight[] {
  const made = fetches.filter(({ state }) => state === 'loaded')
  return [...Map.groupBy(made, ({ fetch }) => fetch.source_name)]
    .filter(([, rows]) => rows.length >= MANY)
    .toSorted(([, a], [, b]) => b.length - a.length)
    .slice(0, 2)
    .map(([source, rows]) =>
      note(`Subgraph ${source} was asked ${rows.length} times.`, rows[0]?.number ?? null),
    )
}

const LARGE_BYTES = 100 * 1024

function largeAnswers({ fetches }: Timeline, { bytes }: Totals): readonly Insight[] {
  const [largest] = fetches.toSorted((a, b) => (bodySize(b) ?? 0) - (bodySize(a) ?? 0))
  const size = largest === undefined ? null : bodySize(largest)
  if (largest === undefined || size === null || size < LARGE_BYTES || bytes === null) return []
  const text = `The largest answer has ${byteSize(size)} (${percent(size, bytes)} of all bytes): ${nameOf(largest)}.`
  return [note(text, largest.number)]
}

/**
 * Tells how a deferred response came. Clients see its first part first, so this part has a critical path of
 * its own.
 */
function deferring(timeline: Timeline): readonly Insight[] {
  const { axis, lanes, fetches } = timeline
  const loaded = lanes.filter(({ id, rows }) => id !== 'router' && rows.some(({ span }) => span !== null))
  if (axis === 'order' || loaded.length < 2) return []
  const ends = loaded.map(
    ({ title, rows }) =>
      `${title.charAt(0).toLowerCase()}${title.slice(1)} after ${printDuration(endOf(rows))}`,
  )
  const first = fetches.filter(({ fetch }) => fetch.defer_id === undefined)
  const path = criticalPath(
    fetches.map(({ fetch, span }) => ({
      span: fetch.defer_id === undefined ? span : null,
      dependsOn: fetch.depends_on ?? [],
    })),
  )
  const slowest = first.filter(({ number }) => path.has(number))
  const shown = ends.length > 6 ? [...ends.slice(0, 5), `${ends.length - 5} more later`] : ends
  return [
    ...(endOf(first) === 0 || slowest.every(({ critical }) => critical)
      ? []
      : largestShare(timeline, slowest, endOf(first), 'of the time until the first part')),
    note(`The fetches were done for the ${printList(shown)}.`),
  ]
}

function remarks(timeline: Timeline, totals: Totals): readonly Insight[] {
  const { trace, predictable, axis, fetches } = timeline
  const found: string[] = []
  if (fetches.length === 0) {
    const planned = trace.info.planner_stats !== undefined
    found.push(
      planned
        ? 'No subgraph was asked: the plan has no fetches.'
        : 'No subgraph was asked: the request ended before there was a plan, or the plan is left out. The errors of the response say why.',
    )
  }
  if (predictable)
    found.push('Timings are constant (enable_predictable_debug_timings): bars show the order, not time.')
  else if (axis === 'order' && fetches.length > 0)
    found.push('The times of the fetches are left out of this trace: bars show the order, not time.')
  if (totals.shared > 0)
    found.push(
      `${counted(totals.shared, 'fetch got its answer', 'fetches got their answers')} from an equal request.`,
    )
  if (totals.skipped > 0)
    found.push(
      `${counted(totals.skipped, 'fetch was skipped: it', 'fetches were skipped: they')} had nothing to ask for.`,
    )
  if (totals.notLoaded > 0)
    found.push(
      `${counted(totals.notLoaded, 'fetch was', 'fetches were')} not loaded yet when this trace was taken. The last part of the response has the complete trace.`,
    )
  if (totals.truncated > 0)
    found.push(
      `${counted(totals.truncated, 'payload was', 'payloads were')} left out to keep the trace small.`,
    )
  return found.map((text) => note(text))
}

function length(span: Span | null): number {
  return span === null ? 0 : span.end - span.start
}
