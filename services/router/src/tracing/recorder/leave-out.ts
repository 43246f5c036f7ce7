/** Leaves out of a trace the parts that the arguments of its request, or its token, exclude. */
import type { TraceFetch } from '@switchyard/request-trace'
import { mapFetches, type RecordedTrace } from '../cleaning/recorded-trace.ts'
import type { TraceParts } from '../trace-arguments.ts'

const LOAD_TIMES = [
  'duration_since_start_nanoseconds',
  'duration_since_start_pretty',
  'duration_load_nanoseconds',
  'duration_load_pretty',
  'duration_waiting_nanoseconds',
  'duration_waiting_pretty',
  'load_stats',
  'failed_attempts',
] as const

export function leaveOut(trace: RecordedTrace, parts: TraceParts): RecordedTrace {
  const info = new Set<string>([
    ...(parts.parseStats ? [] : ['parse_stats']),
    ...(parts.normalizeStats ? [] : ['normalize_stats']),
    ...(parts.validateStats ? [] : ['validate_stats']),
    ...(parts.plannerStats ? [] : ['planner_stats']),
  ])
  const load = new Set<string>([
    ...(parts.rawInputData ? [] : ['raw_input_data']),
    ...(parts.input ? [] : ['input']),
    ...(parts.output ? [] : ['output']),
    ...(parts.loadStats ? [] : LOAD_TIMES),
  ])
  const left = info.size === 0 ? trace : { ...trace, info: without(trace.info, info) }
  if (load.size === 0) return left
  const changed = (fetch: TraceFetch): TraceFetch => ({ ...fetch, trace: without(fetch.trace, load) })
  return { ...left, fetches: mapFetches(left.fetches, changed) }
}

/** Only for members that are optional. */
function without<Members extends object>(from: Members, names: ReadonlySet<string>): Members {
  const left = { ...from }
  for (const name of names) Reflect.deleteProperty(left, name)
  return left
}
