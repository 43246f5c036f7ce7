/**
 * The ways in which a connection for subscriptions fails, and their messages. Messages never name an address:
 * clients may read them.
 */
import { messageOf } from '@switchyard/values'
import { AddressNotAllowedError } from '../../addresses/address-guard.ts'
import type { CallResult } from '../../call/policies/circuit/circuit-breaker.ts'
import { circuitOpen } from '../../call/policies/circuit/circuit-open.ts'
import type { SubgraphErrorCode } from '../../errors/subgraph-errors.ts'
import type { UpstreamFailure } from './upstream.ts'

/** The end of a connection for subscriptions that the subgraph did not announce. */
export type Fault = {
  /** Whether a new connection may help. If not, the subgraph would refuse the same again. */
  readonly mayRecover: boolean
  readonly failure: UpstreamFailure
  /** The health of the subgraph, as an attempt to open the connection shows it that ends with the fault. */
  readonly result: CallResult
  /** The cause for the log, which clients never see. */
  readonly detail: string | null
}

/** Returns the fault of a connection that could not be made, or broke. */
export function brokenConnection(subgraph: string, wasOpen: boolean, cause: unknown): Fault {
  if (cause instanceof AddressNotAllowedError)
    return fatal(cause.code, `Subgraph "${subgraph}" is at an address that is not allowed.`, 'unknown', cause)
  const message = wasOpen
    ? `The connection to subgraph "${subgraph}" broke.`
    : `Subgraph "${subgraph}" could not be reached.`
  return passing('SUBGRAPH_UNREACHABLE', message, 'failed', cause)
}

/** Returns the fault of a subgraph that did not open a subscription in time. */
export function openedTooLate(subgraph: string, milliseconds: number): Fault {
  return passing(
    'SUBGRAPH_TIMEOUT',
    `Subgraph "${subgraph}" did not open the subscription within ${milliseconds} ms.`,
    'failed',
  )
}

/** Returns the fault of a WebSocket whose other side gives no sign of life. */
export function fellSilent(subgraph: string): Fault {
  return passing('SUBGRAPH_TIMEOUT', `Subgraph "${subgraph}" no longer answers on its WebSocket.`, 'failed')
}

export function tooLargeEvent(subgraph: string, limit: number): Fault {
  return passing(
    'SUBGRAPH_RESPONSE_TOO_LARGE',
    `Subgraph "${subgraph}" sent an event of more than the ${limit} bytes allowed.`,
    'answered',
  )
}

/**
 * Returns the fault of a subgraph that breaks its protocol, or refuses what it was sent. `problem` continues
 * "The subgraph …". A refusal is an answer: otherwise a client with a bad token, or settings with the wrong
 * protocol, could have the subgraph cut off for calls as well.
 */
export function brokenProtocol(subgraph: string, problem: string, mayRecover: boolean): Fault {
  const message = `Subgraph "${subgraph}" ${problem}.`
  return mayRecover
    ? passing('SUBGRAPH_INVALID_RESPONSE', message, 'failed')
    : fatal('SUBGRAPH_INVALID_RESPONSE', message, 'answered')
}

/** Statuses of HTTP that say nothing about the request, so that another try may be answered. */
const PASSING_STATUSES: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504])

/** Returns what a status of HTTP says about the health of the subgraph, as for calls. */
export function resultOfStatus(status: number): CallResult {
  return status >= 500 ? 'failed' : 'answered'
}

export function refusedByStatus(subgraph: string, status: number): Fault {
  const redirect = status >= 300 && status < 400 ? '; redirects are not followed' : ''
  const message = `Subgraph "${subgraph}" refused the subscription (HTTP status ${status})${redirect}.`
  const result = resultOfStatus(status)
  return PASSING_STATUSES.has(status)
    ? passing('SUBGRAPH_HTTP_ERROR', message, result)
    : fatal('SUBGRAPH_HTTP_ERROR', message, result)
}

/** Returns the fault of a subscription that cannot be sent as it is. */
export function notSendable(subgraph: string, cause: unknown): Fault {
  return fatal(
    'SUBGRAPH_REQUEST_INVALID',
    `The subscription at subgraph "${subgraph}" cannot be sent.`,
    'unknown',
    cause,
  )
}

export function stopping(subgraph: string): Fault {
  return fatal(
    'SUBGRAPH_CANCELLED',
    `The subscription at subgraph "${subgraph}" was cancelled: the router stops.`,
    'unknown',
  )
}

/** Returns the fault of an attempt that is not made because the circuit of the subgraph is open. */
export function refusedByCircuit(subgraph: string): Fault {
  const { code, message } = circuitOpen(subgraph)
  return passing(code, message, 'unknown')
}

function passing(code: SubgraphErrorCode, message: string, result: CallResult, cause?: unknown): Fault {
  return { mayRecover: true, failure: { code, message }, result, detail: detailOf(cause) }
}

function fatal(code: SubgraphErrorCode, message: string, result: CallResult, cause?: unknown): Fault {
  return { mayRecover: false, failure: { code, message }, result, detail: detailOf(cause) }
}

function detailOf(cause: unknown): string | null {
  return cause === undefined ? null : messageOf(cause)
}
