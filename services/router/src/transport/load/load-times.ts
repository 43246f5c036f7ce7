import type { TraceLoad } from '@switchyard/request-trace'
import { prettyDuration } from './pretty-duration.ts'

/** The times of a fetch and of its call, as traces show them. */
export type LoadTimes = Pick<
  TraceLoad,
  | 'duration_since_start_nanoseconds'
  | 'duration_since_start_pretty'
  | 'duration_load_nanoseconds'
  | 'duration_load_pretty'
  | 'load_stats'
>

/** Returns the time from `start`, when the request began, to `at`. All are in nanoseconds by one clock. */
export function sinceStart(at: number, start: number) {
  const nanoseconds = Math.max(0, at - start)
  return {
    duration_since_start_nanoseconds: nanoseconds,
    duration_since_start_pretty: prettyDuration(nanoseconds),
  }
}

/** Returns the time from `began` to `ended`, in nanoseconds by one clock. */
export function loadDuration(began: number, ended: number) {
  const nanoseconds = ended - began
  return { duration_load_nanoseconds: nanoseconds, duration_load_pretty: prettyDuration(nanoseconds) }
}
