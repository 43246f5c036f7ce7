/** The ways in which a WebSocket ends, and what follows from each. */
import { printableText } from '@switchyard/service-kit'
import { SUBPROTOCOL } from '../../../http/subprotocol.ts'
import { brokenConnection, brokenProtocol, type Fault, notSendable, tooLargeEvent } from '../failures.ts'

/** The codes of errors that `ws` finds in what it reads begin with this. */
const OF_PROTOCOL = 'WS_ERR_'
/** The code of a message that is larger than allowed. */
const TOO_LARGE = `${OF_PROTOCOL}UNSUPPORTED_MESSAGE_LENGTH`

/** The codes with which the router closes WebSockets (RFC 6455, section 7.4.1, and the protocol's own). */
export const CLOSE = { normal: 1000, goingAway: 1001, badRequest: 4400 } as const

/** The code of a server that failed, as a status of 500 says it. */
const FAILED = 4500

/**
 * Codes after which the same handshake and the same subscriptions would be refused again, with the reason as
 * the end of a sentence that begins with "The subgraph".
 */
const FINAL: ReadonlyMap<number, string> = new Map([
  [1002, 'says that the router broke the WebSocket protocol'],
  [1003, 'does not accept messages of text'],
  [1007, 'says that a message of the router is not UTF-8'],
  [1008, 'closed the WebSocket because of a policy of its own'],
  [1009, 'says that a message of the router is too large'],
  [1010, 'expects an extension of WebSockets that the router does not have'],
  [4004, 'says that the router answered wrongly'],
  [4400, 'says that a message of the router is wrong'],
  [4401, 'refused the WebSocket: unauthorized'],
  [4403, 'refused the WebSocket: forbidden'],
  [4404, 'refused the WebSocket: not found'],
  [4406, 'does not speak the subprotocol graphql-transport-ws'],
  [4409, 'says that an id is in use already'],
  [4429, 'says that the WebSocket was initialised too often'],
  [FAILED, 'failed with an error of its own'],
])

/** Returns the fault of a WebSocket that the server closed. `reason` is text of the server, for the log. */
export function faultOfClose(subgraph: string, wasOpen: boolean, code: number, reason: string): Fault {
  const problem = FINAL.get(code)
  const fault =
    problem === undefined
      ? brokenConnection(subgraph, wasOpen, undefined)
      : brokenProtocol(subgraph, `${problem} (close code ${code})`, false)
  const detail = reason === '' ? `close code ${code}` : `close code ${code}: ${printableText(reason)}`
  return { ...fault, ...(code === FAILED && { result: 'failed' as const }), detail }
}

/** Returns the fault of an error that `ws` reports. `limit` is the size that a message may have. */
export function faultOfError(subgraph: string, wasOpen: boolean, error: Error, limit: number): Fault {
  const code = 'code' in error ? String(error.code) : ''
  if (code === TOO_LARGE) return tooLargeEvent(subgraph, limit)
  if (code.startsWith(OF_PROTOCOL))
    return { ...brokenProtocol(subgraph, 'broke the WebSocket protocol', true), detail: error.message }
  // `ws` has no code for this one.
  if (error.message.includes('subprotocol'))
    return brokenProtocol(subgraph, `does not speak the subprotocol ${SUBPROTOCOL}`, false)
  return brokenConnection(subgraph, wasOpen, error)
}

/** Returns the fault of a WebSocket that could not be begun. */
export function faultOfBeginning(subgraph: string, thrown: unknown): Fault {
  return thrown instanceof HandshakeError
    ? notSendable(subgraph, thrown.cause)
    : brokenConnection(subgraph, false, thrown)
}

/** Reports a handshake that cannot be sent as it is. */
export class HandshakeError extends Error {
  override readonly name = 'HandshakeError'
}
