/** Tells what a call says about the health of its subgraph. */
import type { SubgraphReply } from '@switchyard/engine'
import type { CallInFlight } from './in-flight/call-in-flight.ts'
import type { Endpoint } from './endpoints.ts'
import { PhaseTimeoutError } from './policies/phases/phase-limits.ts'
import type { CallSlot } from './policies/slots/call-slots.ts'
import type { CallResult } from './policies/circuit/circuit-breaker.ts'

/** Error codes that the subgraph causes, or the network between it and the router. */
const FAILURES: ReadonlySet<string> = new Set([
  'SUBGRAPH_UNREACHABLE',
  'SUBGRAPH_TIMEOUT',
  'SUBGRAPH_INVALID_RESPONSE',
])

/**
 * Returns what a reply says about its subgraph. `status` is the one of HTTP, or 0 if no answer began.
 *
 * A status from 500 is a failure whatever the body says. An answer that the router refuses, perhaps because
 * it is too large, is no failure, and neither is a status from 400 to 499: otherwise one client with a bad
 * token could have a subgraph cut off for all.
 */
export function callResult(reply: SubgraphReply, status: number): CallResult {
  if (reply.kind === 'failure' && reply.code === 'SUBGRAPH_CANCELLED') return 'unknown'
  if (status >= 500) return 'failed'
  if (reply.kind === 'failure' && FAILURES.has(reply.code)) return 'failed'
  return status === 0 ? 'unknown' : 'answered'
}

/**
 * Returns what a whole call says about its subgraph. A call that timed out says nothing if half of its time
 * or more went by while it waited for a slot, or for a connection because all were busy with other calls.
 */
export function resultOfCall(
  reply: SubgraphReply,
  call: Pick<CallInFlight, 'status' | 'error' | 'sentFor'>,
  slot: Pick<CallSlot, 'heldFor'> | null,
  { timeout, pool }: Pick<Endpoint, 'timeout' | 'pool'>,
): CallResult {
  const isTimeout = reply.kind === 'failure' && reply.code === 'SUBGRAPH_TIMEOUT'
  // A phase begins when the call is sent.
  const isLate = isTimeout && !(call.error instanceof PhaseTimeoutError)
  const hasWaited = isLate && slot !== null && slot.heldFor < timeout / 2
  const hasQueued = isLate && call.sentFor < timeout / 2 && pool.value.isBusy
  return hasWaited || hasQueued ? 'unknown' : callResult(reply, call.status)
}
