/**
 * Tells in a trace who stood in for the sender of its request where the composition was chosen.
 *
 * Headers are shown as those of requests are. Of claims the trace shows every name, and the values that it
 * would show of the token's.
 */
import type { Trace } from '@switchyard/request-trace'
import type { Decision } from '../../request/decision.ts'
import { REDACTED } from '../cleaning/spans.ts'
import { headersOf } from './headers.ts'
import { LONGEST_VALUE, TOLD_CLAIMS } from './traced-rollouts.ts'

/** Claims that are shown. */
const MOST_CLAIMS = 100

/** Returns the stand-in; null if the composition was chosen for the sender. */
export function tracedStandIn(decision: Decision | null): NonNullable<Trace['stand_in']> | null {
  if (decision?.standIn.kind !== 'used') return null
  const { given, isOverruled } = decision.standIn
  return {
    ...(given.claims !== null && {
      claims: Object.entries(given.claims).slice(0, MOST_CLAIMS).map(tracedClaim),
    }),
    ...(given.headers !== null && { headers: headersOf(given.headers) }),
    ...(isOverruled && { overruled: true as const }),
  }
}

function tracedClaim([name, value]: [name: string, value: unknown]) {
  const isShown = TOLD_CLAIMS.has(name) && typeof value === 'string'
  return { name: name.slice(0, LONGEST_VALUE), value: isShown ? value.slice(0, LONGEST_VALUE) : REDACTED }
}
