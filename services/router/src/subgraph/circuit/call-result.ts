/** What a call says about the health of its subgraph. */
import type { SubgraphReply } from '@switchyard/engine'
import type { CallInFlight } from '../call-in-flight.ts'
import type { Endpoint } from '../endpoints.ts'
import { PhaseTimeoutError } from '../phase-limits.ts'
import type { CallPlace } from '../places/call-places.ts'
import type { CallResult } from './circuit-breaker.ts'

/** Of these the subgraph is the reason, or what is between it and the router. */
const FAILURES: ReadonlySet<string> = new Set([
  'SUBGRAPH_UNREACHABLE',
  'SUBGRAPH_TIMEOUT',
  'SUBGRAPH_INVALID_RESPONSE',
])

/**
 * `status`: of HTTP; 0: no answer began. Statuses from 500 are failures whatever the body says. What the
 * router refuses about an answer, such as its size, is none, and neither are statuses from 400 to 499:
 * otherwise one client with a bad token could have a subgraph cut off for all.
 */
export function callResult(reply: SubgraphReply, status: number): CallResult {
  if (reply.kind === 'failure' && reply.code === 'SUBGRAPH_CANCELLED') return 'unknown'
  if (status >= 500) return 'failed'
  if (reply.kind === 'failure' && FAILURES.has(reply.code)) return 'failed'
  return status === 0 ? 'unknown' : 'answered'
}

/**
 * A call whose time was over while it waited for a place, or for a connection where all were busy with other
 * calls, or soon after, says nothing of the subgraph.
 */
export function resultOfCall(
  reply: SubgraphReply,
  call: Pick<CallInFlight, 'status' | 'error' | 'sentFor'>,
  place: Pick<CallPlace, 'heldFor'> | null,
  { timeout, pool }: Pick<Endpoint, 'timeout' | 'pool'>,
): CallResult {
  const isTimeout = reply.kind === 'failure' && reply.code === 'SUBGRAPH_TIMEOUT'
  // A phase begins when the call is sent.
  const isLate = isTimeout && !(call.error instanceof PhaseTimeoutError)
  const hasWaited = isLate && place !== null && place.heldFor < timeout / 2
  const hasQueued = isLate && call.sentFor < timeout / 2 && pool.value.isBusy
  return hasWaited || hasQueued ? 'unknown' : callResult(reply, call.status)
}
