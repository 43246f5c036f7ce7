/** The waits of a request before its fetches, as its trace lists them. */
import type { Trace } from '@switchyard/request-trace'
import type { RequestWait } from '../../observe/request-summary.ts'
import { prettyDuration } from '../../transport/load/pretty-duration.ts'

/** Shortest time that counts as a wait. */
const SHORTEST_NANOSECONDS = 100_000

/** `start`: of the request, in nanoseconds of the same clock. */
export function tracedWaits(waits: readonly RequestWait[], start: number): Pick<Trace['info'], 'waits'> {
  const told = waits.flatMap(({ for: what, began, ended }) => {
    const took = Math.round((ended - began) * 1e6)
    const since = Math.max(0, Math.round(began * 1e6) - start)
    if (took < SHORTEST_NANOSECONDS) return []
    return {
      for: what,
      duration_nanoseconds: took,
      duration_pretty: prettyDuration(took),
      duration_since_start_nanoseconds: since,
      duration_since_start_pretty: prettyDuration(since),
    }
  })
  return told.length === 0 ? {} : { waits: told }
}
