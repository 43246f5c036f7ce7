/** The plan of an operation, as its trace has it: fetches, and which of them waited for which. */
import type { Trace, TraceFetch } from '@switchyard/request-trace'
import { fetchesOf } from '@switchyard/request-trace/fetches-of'

export type PlanFetch = {
  /** From 1, in the order of the plan. */
  readonly number: number
  readonly subgraph: string
  /** Where in the response; `root` for the root. */
  readonly path: string
  /** The deferred fragment that it is made for; null if it is for the first part. */
  readonly deferred: string | null
  /** Numbers of the fetches that it waited for. */
  readonly after: readonly number[]
  readonly state: 'done' | 'failed' | 'skipped' | 'not begun'
  /** Milliseconds since the request began; null where the trace does not tell. */
  readonly began: number | null
  readonly took: number | null
}

/** Fetches that are listed. */
export const MOST_FETCHES = 500

export function planOf(trace: Pick<Trace, 'fetches'>): readonly PlanFetch[] {
  const fetches = fetchesOf(trace).slice(0, MOST_FETCHES)
  return fetches.map((fetch, index) => ({
    number: index + 1,
    subgraph: fetch.source_name,
    path: fetch.path === '' ? 'root' : fetch.path,
    deferred: fetch.defer_id === undefined ? null : (fetch.defer_label ?? 'without a label'),
    // A fetch waits for those before it only, so that a plan has no circle.
    after: [...new Set(fetch.depends_on ?? [])].filter((one) => one < index).map((one) => one + 1),
    state: stateOf(fetch),
    began: milliseconds(fetch.trace.duration_since_start_nanoseconds),
    took: milliseconds(fetch.trace.duration_load_nanoseconds),
  }))
}

function stateOf({ trace }: TraceFetch): PlanFetch['state'] {
  if (trace.error !== undefined) return 'failed'
  if (trace.load_skipped) return 'skipped'
  const isBegun = trace.output !== undefined || trace.duration_load_nanoseconds !== undefined
  return isBegun || trace.single_flight_shared_response ? 'done' : 'not begun'
}

function milliseconds(nanoseconds: number | undefined): number | null {
  return nanoseconds === undefined ? null : nanoseconds / 1_000_000
}
