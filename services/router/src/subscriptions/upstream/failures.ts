/**
 * The ways in which a connection for subscriptions fails, and their messages. Messages never name an address:
 * clients may read them.
 */
import { messageOf } from '@switchyard/values'
import { AddressNotAllowedError } from '../../addresses/address-guard.ts'
import type { SubgraphErrorCode } from '../../errors/subgraph-errors.ts'
import type { UpstreamFailure } from './upstream.ts'

/** The end of a connection for subscriptions that the subgraph did not announce. */
export type Fault = {
  /** Whether a new connection may help. If not, the subgraph would refuse the same again. */
  readonly mayRecover: boolean
  readonly failure: UpstreamFailure
  /** The cause for the log, which clients never see. */
  readonly detail: string | null
}

/** Returns the fault of a connection that could not be made, or broke. */
export function brokenConnection(subgraph: string, wasOpen: boolean, cause: unknown): Fault {
  if (cause instanceof AddressNotAllowedError)
    return fatal(cause.code, `Subgraph "${subgraph}" is at an address that is not allowed.`, cause)
  const message = wasOpen
    ? `The connection to subgraph "${subgraph}" broke.`
    : `Subgraph "${subgraph}" could not be reached.`
  return passing('SUBGRAPH_UNREACHABLE', message, cause)
}

/** Returns the fault of a subgraph that did not open a subscription in time. */
export function openedTooLate(subgraph: string, milliseconds: number): Fault {
  return passing(
    'SUBGRAPH_TIMEOUT',
    `Subgraph "${subgraph}" did not open the subscription within ${milliseconds} ms.`,
  )
}

/** Returns the fault of a WebSocket whose other side gives no sign of life. */
export function fellSilent(subgraph: string): Fault {
  return passing('SUBGRAPH_TIMEOUT', `Subgraph "${subgraph}" no longer answers on its WebSocket.`)
}

export function tooLargeEvent(subgraph: string, limit: number): Fault {
  return passing(
    'SUBGRAPH_RESPONSE_TOO_LARGE',
    `Subgraph "${subgraph}" sent an event of more than the ${limit} bytes allowed.`,
  )
}

/** Returns the fault of a subgraph that breaks its protocol. `problem` continues "The subgraph …". */
export function brokenProtocol(subgraph: string, problem: string, mayRecover: boolean): Fault {
  const message = `Subgraph "${subgraph}" ${problem}.`
  return mayRecover
    ? passing('SUBGRAPH_INVALID_RESPONSE', message)
    : fatal('SUBGRAPH_INVALID_RESPONSE', message)
}

/** Statuses of HTTP that say nothing about the request, so that another try may be answered. */
const PASSING_STATUSES: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504])

export function refusedByStatus(subgraph: string, status: number): Fault {
  const redirect = status >= 300 && status < 400 ? '; redirects are not followed' : ''
  const message = `Subgraph "${subgraph}" refused the subscription (HTTP status ${status})${redirect}.`
  return PASSING_STATUSES.has(status)
    ? passing('SUBGRAPH_HTTP_ERROR', message)
    : fatal('SUBGRAPH_HTTP_ERROR', message)
}

/** Returns the fault of a subscription that cannot be sent as it is. */
export function notSendable(subgraph: string, cause: unknown): Fault {
  return fatal(
    'SUBGRAPH_REQUEST_INVALID',
    `The subscription at subgraph "${subgraph}" cannot be sent.`,
    cause,
  )
}

export function stopping(subgraph: string): Fault {
  return fatal(
    'SUBGRAPH_CANCELLED',
    `The subscription at subgraph "${subgraph}" was cancelled: the router stops.`,
  )
}

function passing(code: SubgraphErrorCode, message: string, cause?: unknown): Fault {
  return { mayRecover: true, failure: { code, message }, detail: detailOf(cause) }
}

function fatal(code: SubgraphErrorCode, message: string, cause?: unknown): Fault {
  return { mayRecover: false, failure: { code, message }, detail: detailOf(cause) }
}

function detailOf(cause: unknown): string | null {
  return cause === undefined ? null : messageOf(cause)
}
