/** Computes what a whole request cost. */
import type { Span } from './critical-path.ts'
import type { FetchRow, Timeline } from './timeline.ts'

export type Totals = {
  /** Nanoseconds until the last answer; null where the trace has no real times. */
  readonly total: number | null
  /** At least one fetch was waiting for its subgraph. */
  readonly inSubgraphs: number | null
  /** The rest. */
  readonly inRouter: number | null
  readonly fetches: number
  /** HTTP requests: fetches that shared an answer or had nothing to ask for made none. */
  readonly requests: number
  readonly failed: number
  readonly shared: number
  readonly skipped: number
  readonly notLoaded: number
  /** Nothing is known of what became of them. */
  readonly unrecorded: number
  /** Bytes of the bodies of all answers; null if the trace has no answer. */
  readonly bytes: number | null
  /** Members that were replaced because the trace would have been too large. */
  readonly truncated: number
}

export function totalsOf({ axis, end, fetches }: Timeline): Totals {
  const count = (matches: (row: FetchRow) => boolean) => fetches.filter(matches).length
  const timed = axis === 'time'
  const inSubgraphs = covered(fetches.flatMap(({ span }) => span ?? []))
  const sizes = fetches.flatMap((row) => (row.state === 'loaded' ? (bodySize(row) ?? []) : []))
  return {
    total: timed ? end : null,
    inSubgraphs: timed ? inSubgraphs : null,
    inRouter: timed ? end - inSubgraphs : null,
    fetches: fetches.length,
    requests: count(({ state }) => state === 'loaded'),
    failed: count(({ problem }) => problem !== null),
    shared: count(({ state }) => state === 'shared'),
    skipped: count(({ state }) => state === 'skipped'),
    notLoaded: count(({ state }) => state === 'not-loaded'),
    unrecorded: count(({ state }) => state === 'unrecorded'),
    bytes: sizes.length === 0 ? null : sizes.reduce((sum, size) => sum + size, 0),
    truncated: fetches.reduce((sum, row) => sum + truncatedMembers(row), 0),
  }
}

export function bodySize({ fetch: { trace } }: FetchRow): number | null {
  const { output } = trace
  return output === undefined || 'truncated' in output ? null : output.body_size
}

/** Length of the union. */
function covered(spans: readonly Span[]): number {
  let sum = 0
  let until = 0
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start)) {
    sum += Math.max(0, end - Math.max(start, until))
    until = Math.max(until, end)
  }
  return sum
}

function truncatedMembers({ fetch: { trace } }: FetchRow): number {
  return [trace.raw_input_data, trace.input, trace.output].filter(
    (member) => typeof member === 'object' && member !== null && truncatedBytes(member) !== null,
  ).length
}

/** How large a member was that was replaced; null for one that is whole. */
export function truncatedBytes(member: unknown): number | null {
  if (typeof member !== 'object' || member === null || !('truncated' in member)) return null
  return typeof member.truncated === 'number' && Object.keys(member).length === 1 ? member.truncated : null
}
