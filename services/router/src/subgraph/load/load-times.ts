import type { TraceLoad } from '@switchyard/request-trace'
import { prettyDuration } from './pretty-duration.ts'

/** When a fetch was in progress, and what was seen of its call, as traces say it. */
export type LoadTimes = Pick<
  TraceLoad,
  | 'duration_since_start_nanoseconds'
  | 'duration_since_start_pretty'
  | 'duration_load_nanoseconds'
  | 'duration_load_pretty'
  | 'load_stats'
>

/** The time from `start`, of the request, to `at`, in nanoseconds by one clock. */
export function sinceStart(at: number, start: number) {
  const nanoseconds = Math.max(0, at - start)
  return {
    duration_since_start_nanoseconds: nanoseconds,
    duration_since_start_pretty: prettyDuration(nanoseconds),
  }
}

/** How long it took, from `began` to `ended`, in nanoseconds by one clock. */
export function loadDuration(began: number, ended: number) {
  const nanoseconds = ended - began
  return { duration_load_nanoseconds: nanoseconds, duration_load_pretty: prettyDuration(nanoseconds) }
}
