/**
 * Judges the handshake of a WebSocket (https://www.rfc-editor.org/rfc/rfc6455#section-4.2.1) before it is
 * answered: whatever is wrong is said in an answer of HTTP.
 */
import type { IncomingMessage } from 'node:http'
import { HttpError } from '../../errors/http-error.ts'
import { targetOf } from '../../http/target.ts'
import { SUBPROTOCOL } from '../../http/subprotocol.ts'

const KEY = /^[+/0-9A-Za-z]{22}==$/
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
/** Subprotocols that a client may name. */
const MOST_SUBPROTOCOLS = 20

/** Whether the request asks for a WebSocket, well or not. */
export function asksForSocket({ headers, httpVersionMajor }: IncomingMessage): boolean {
  return httpVersionMajor === 1 && headers.upgrade?.trim().toLowerCase() === 'websocket'
}

/** Whether the request is for this path. */
export function isFor(request: IncomingMessage, path: string): boolean {
  return targetOf(request).path === path
}

/** Returns the subprotocols that a client names; null if it names none, or in another form. */
function subprotocolsOf(header: string | undefined): readonly string[] | null {
  const names = header === undefined ? [] : header.split(',').map((name) => name.trim())
  const areTokens = names.length <= MOST_SUBPROTOCOLS && names.every((name) => TOKEN.test(name))
  return areTokens && names.length > 0 && new Set(names).size === names.length ? names : null
}

/** Whether the client speaks the subprotocol of the router. */
export function speaksSubprotocol({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return subprotocolsOf(headers['sec-websocket-protocol'])?.includes(SUBPROTOCOL) === true
}

/** Returns what is wrong with the handshake, apart from its subprotocol. Null if it is valid. */
export function handshakeFault({ method, headers, httpVersion }: IncomingMessage): HttpError | null {
  const fault = faultIn(headers, method === 'GET' && httpVersion === '1.1')
  if (fault === null) return null
  return new HttpError('BAD_REQUEST', `The handshake of the WebSocket is not valid. ${fault}`, {
    'Sec-WebSocket-Version': '13',
  })
}

function faultIn(headers: IncomingMessage['headers'], isGet: boolean): string | null {
  if (!isGet) return 'Expected a GET request of HTTP/1.1.'
  if (headers['sec-websocket-version'] !== '13') return 'Expected Sec-WebSocket-Version: 13.'
  if (!KEY.test(headers['sec-websocket-key'] ?? ''))
    return 'Expected a Sec-WebSocket-Key of 16 bytes in base64.'
  if (Number(headers['content-length'] ?? 0) !== 0 || headers['transfer-encoding'] !== undefined)
    return 'Expected no body.'
  return null
}

/** The refusal of a client where WebSockets are switched off. */
export function switchedOff(): HttpError {
  return new HttpError(
    'WEBSOCKETS_NOT_SUPPORTED',
    'This router opens no WebSockets: "subscriptions.enabled" is false in its settings. Send queries and mutations by POST.',
  )
}

/** The refusal of a client that speaks another subprotocol, or none. */
export function subprotocolRefused(): HttpError {
  return new HttpError(
    'BAD_REQUEST',
    `This router speaks ${SUBPROTOCOL} over WebSockets, and the handshake does not offer it. Expected Sec-WebSocket-Protocol: ${SUBPROTOCOL}, which the library graphql-ws sends.`,
  )
}
