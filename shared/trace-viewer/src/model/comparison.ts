/** Two traces side by side: fetches that do the same in both plans, with what differs in time and answer. */
import { alignFetches, type PlanComparison } from './align-fetches.ts'
import { type Budget, boundedDifferences, type JsonDifference } from './json-differences.ts'
import {
  byDelivery,
  type FetchRow,
  PHASE_NAMES,
  type PhaseName,
  type PhaseRow,
  type Timeline,
} from './timeline.ts'

export type Pair<Row> = {
  readonly a: Row | null
  readonly b: Row | null
  /** How much longer the second took; null where one of them has no time. */
  readonly difference: number | null
}

export type FetchPair = Pair<FetchRow> & {
  readonly plan: PlanComparison
  readonly result: ResultComparison
}

export type ResultComparison =
  | { readonly kind: 'same' }
  /** Excluded, truncated, too large to be compared, or only in one of the traces. */
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
  /** The comparison of the answers to the clients, if both files say them. */
  readonly answer: ResultComparison
}

const MAX_DIFFERENCES = 20
/** Members that are compared in all answers together: pages do it in one go. */
const MAX_MEMBERS = 100_000

/** The answers are what the clients were given, where that is known. */
export function compare(
  a: Timeline,
  b: Timeline,
  answers: { readonly a: unknown; readonly b: unknown } = { a: undefined, b: undefined },
): Comparison {
  const budget: Budget = { members: MAX_MEMBERS }
  const axis = a.axis === 'time' && b.axis === 'time' ? 'time' : 'order'
  const pairs = alignFetches(a.fetches, b.fetches).map(
    ({ a: left, b: right, plan }): FetchPair => ({
      a: left,
      b: right,
      plan,
      difference: axis === 'time' ? differenceOf(left, right) : null,
      result: compareValues(resultOf(left), resultOf(right), budget),
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
    answer: compareValues(answers.a, answers.b, budget),
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

type Spanned = { readonly span: FetchRow['span'] }

function differenceOf(a: Spanned | null, b: Spanned | null): number | null {
  if (a === null || b === null || a.span === null || b.span === null) return null
  return b.span.end - b.span.start - (a.span.end - a.span.start)
}

function compareValues(a: unknown, b: unknown, budget: Budget): ResultComparison {
  if (a === undefined || b === undefined) return { kind: 'unknown' }
  const differences = boundedDifferences(a, b, MAX_DIFFERENCES, budget)
  if (differences === null) return { kind: 'unknown' }
  return differences.length === 0 ? { kind: 'same' } : { kind: 'different', differences }
}

function resultOf(row: FetchRow | null): object | undefined {
  if (row === null) return undefined
  const { output, error } = row.fetch.trace
  if (output === undefined) return error === undefined ? undefined : { error }
  if ('truncated' in output) return undefined
  return { status_code: output.status_code, ...(error === undefined ? {} : { error }), body: output.body }
}
