/**
 * Two traces, fetch by fetch: the k-th fetch of a subgraph at a path stands beside the k-th of the other
 * trace.
 */
import { counted, printDuration, durationDifference, printList, percent } from './format.ts'
import { type JsonDifference, jsonDifferences } from './json-differences.ts'
import {
  byDelivery,
  type FetchRow,
  nameOf,
  PHASE_NAMES,
  type PhaseName,
  type PhaseRow,
  type Timeline,
} from './timeline.ts'
import { totalsOf } from './totals.ts'
import type { Insight } from './insights.ts'

export type Pair<Row> = {
  readonly a: Row | null
  readonly b: Row | null
  /** How much longer the second took; null where one of them has no time. */
  readonly difference: number | null
}

export type FetchPair = Pair<FetchRow> & { readonly result: ResultComparison }

export type ResultComparison =
  | { readonly kind: 'same' }
  /** Excluded, truncated, or only in one of the traces. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'different'; readonly differences: readonly JsonDifference[] }

export type ComparedLane = {
  readonly id: string
  readonly title: string
  readonly phases: readonly Pair<PhaseRow>[]
  readonly fetches: readonly FetchPair[]
}

export type Comparison = {
  readonly a: Timeline
  readonly b: Timeline
  readonly axis: Timeline['axis']
  readonly end: number
  readonly lanes: readonly ComparedLane[]
  /** In the order of the lanes. */
  readonly fetches: readonly FetchPair[]
}

const MAX_DIFFERENCES = 20

export function compare(a: Timeline, b: Timeline): Comparison {
  const axis = a.axis === 'time' && b.axis === 'time' ? 'time' : 'order'
  const pairs = align(a.fetches, b.fetches).map(
    ([left, right]): FetchPair => ({
      a: left,
      b: right,
      difference: axis === 'time' ? differenceOf(left, right) : null,
      result: compareResults(left, right),
    }),
  )
  const phases = phasePairs(a, b, axis)
  const [first, deferred] = byDelivery(pairs, ({ a: left, b: right }) => (left ?? right)?.fetch)
  const title = deferred.length === 0 ? 'Fetches' : 'First part'
  const lanes: readonly ComparedLane[] = [
    ...(phases.length === 0 ? [] : [{ id: 'router', title: 'Router', phases, fetches: [] }]),
    ...(first.length === 0 ? [] : [{ id: 'first', title, phases: [], fetches: first }]),
    ...deferred.map(({ items, ...lane }) => ({ ...lane, phases: [], fetches: items })),
  ]
  return {
    a,
    b,
    axis,
    end: Math.max(a.end, b.end),
    lanes,
    fetches: lanes.flatMap(({ fetches }) => fetches),
  }
}

function phasePairs(a: Timeline, b: Timeline, axis: Timeline['axis']): readonly Pair<PhaseRow>[] {
  return PHASE_NAMES.flatMap((name) => {
    const left = a.phases.find((phase) => phase.name === name) ?? null
    const right = b.phases.find((phase) => phase.name === name) ?? null
    const difference = axis === 'time' ? phaseDifference(name, left, right) : null
    return left === null && right === null ? [] : [{ a: left, b: right, difference }]
  })
}

/** A wait that is only in one of the traces took no time in the other one; a step may have been left out. */
function phaseDifference(name: PhaseName, a: PhaseRow | null, b: PhaseRow | null): number | null {
  if (!name.startsWith('wait for') && (a === null || b === null)) return null
  return (b?.stats.duration_nanoseconds ?? 0) - (a?.stats.duration_nanoseconds ?? 0)
}

/**
 * Pairs the fetches of two traces. A fetch that only the second trace has stands after the fetch that it
 * follows there.
 */
function align(
  a: readonly FetchRow[],
  b: readonly FetchRow[],
): readonly (readonly [FetchRow | null, FetchRow | null])[] {
  const others = keyed(b)
  const pairs: [FetchRow | null, FetchRow | null][] = []
  const matched = new Set<FetchRow>()
  for (const [key, row] of keyed(a)) {
    const other = others.get(key) ?? null
    if (other !== null) matched.add(other)
    pairs.push([row, other])
  }
  let after = 0
  for (const row of b) {
    if (matched.has(row)) after = pairs.findIndex(([, other]) => other === row) + 1
    else pairs.splice(after++, 0, [null, row])
  }
  return pairs
}

function keyed(rows: readonly FetchRow[]): ReadonlyMap<string, FetchRow> {
  const counts = new Map<string, number>()
  return new Map(
    rows.map((row) => {
      const key = JSON.stringify([row.fetch.source_id, row.fetch.path])
      const count = counts.get(key) ?? 0
      counts.set(key, count + 1)
      return [`${key}${count}`, row]
    }),
  )
}

type Spanned = { readonly span: FetchRow['span'] }

function differenceOf(a: Spanned | null, b: Spanned | null): number | null {
  if (a === null || b === null || a.span === null || b.span === null) return null
  return b.span.end - b.span.start - (a.span.end - a.span.start)
}

function compareResults(a: FetchRow | null, b: FetchRow | null): ResultComparison {
  const left = a === null ? null : resultOf(a)
  const right = b === null ? null : resultOf(b)
  if (left === null || right === null) return { kind: 'unknown' }
  const differences = jsonDifferences(left, right, MAX_DIFFERENCES)
  return differences.length === 0 ? { kind: 'same' } : { kind: 'different', differences }
}

function resultOf({ fetch: { trace } }: FetchRow): object | null {
  const { output, error } = trace
  if (output === undefined) return error === undefined ? null : { error }
  if ('truncated' in output) return null
  return { status_code: output.status_code, ...(error === undefined ? {} : { error }), body: output.body }
}

export function comparisonInsights(comparison: Comparison): readonly Insight[] {
  const { a, b, fetches } = comparison
  const [before, after] = [totalsOf(a), totalsOf(b)]
  const found: Insight[] = []
  const add = (tone: Insight['tone'], text: string, fetch: number | null = null) => {
    found.push({ tone, text, fetch })
  }
  if (comparison.axis === 'order') {
    add('note', 'One of the traces has no real times: bars show the order, and times are not compared.')
  } else if (before.total !== null && after.total !== null) {
    const difference = after.total - before.total
    const how = difference === 0 ? 'as long as' : difference > 0 ? 'more than' : 'less than'
    const by =
      difference === 0
        ? ''
        : `${printDuration(Math.abs(difference))} (${percent(Math.abs(difference), before.total)}) `
    add(difference > 0 ? 'slow' : 'note', `B took ${by}${how} A.`)
  }
  const change = largestChange(comparison)
  if (change !== null)
    add('note', `The largest change: ${change.name}, ${durationDifference(change.difference)}.`, change.fetch)
  const onlyA = fetches.filter((pair) => pair.b === null).length
  const onlyB = fetches.filter((pair) => pair.a === null).length
  if (onlyA + onlyB > 0) {
    const parts = [
      ...(onlyA === 0 ? [] : [`${counted(onlyA, 'fetch is', 'fetches are')} only in A`]),
      ...(onlyB === 0 ? [] : [`${counted(onlyB, 'fetch is', 'fetches are')} only in B`]),
    ]
    add('note', `${printList(parts)}.`)
  }
  const different = fetches.filter(({ result }) => result.kind === 'different')
  if (different.length > 0) {
    const names = different.slice(0, 3).flatMap((pair) => (pair.a === null ? [] : [nameOf(pair.a)]))
    const more = different.length > 3 ? [`${different.length - 3} more`] : []
    const [first] = different
    add(
      'bad',
      `${printList([...names, ...more])} answered differently.`,
      first === undefined ? null : fetches.indexOf(first),
    )
  } else if (fetches.some(({ result }) => result.kind === 'same')) {
    add('note', 'All answers that can be compared are the same.')
  }
  return found
}

type Change = { readonly name: string; readonly difference: number; readonly fetch: number | null }

/**
 * Finds the change that explains most of the difference: a fetch, a phase of the router, or all other work of
 * the router. If one trace took longer, the change is one that took longer there, too. Null if nothing
 * differs.
 */
function largestChange({ a, b, axis, lanes, fetches }: Comparison): Change | null {
  if (axis === 'order') return null
  const ofFetches = fetches.map((pair, fetch): Change => {
    const row = pair.b ?? pair.a
    return { name: row === null ? '' : nameOf(row), difference: pair.difference ?? 0, fetch }
  })
  const ofPhases = lanes.flatMap(({ phases }) =>
    phases.map((pair): Change => {
      const name = (pair.b ?? pair.a)?.name ?? ''
      return { name: `${name} in the router`, difference: pair.difference ?? 0, fetch: null }
    }),
  )
  const [before, after] = [totalsOf(a), totalsOf(b)]
  const inRouter = (after.inRouter ?? 0) - (before.inRouter ?? 0)
  const named = ofPhases.reduce((sum, { difference }) => sum + difference, 0)
  const rest: Change = { name: 'in the router', difference: inRouter - named, fetch: null }
  const direction = Math.sign((after.total ?? 0) - (before.total ?? 0))
  const [most] = [...ofFetches, ...ofPhases, rest]
    .filter(({ difference }) => difference !== 0)
    .filter(({ difference }) => direction === 0 || Math.sign(difference) === direction)
    .toSorted((x, y) => Math.abs(y.difference) - Math.abs(x.difference))
  return most ?? null
}
