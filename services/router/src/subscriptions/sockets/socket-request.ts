/** One operation of a WebSocket as a request of its own, which goes through all stages like others. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { GRAPHQL_RESPONSE, JSON_TYPE } from '../../http/negotiate.ts'
import { type EventSink, OperationOfSocket } from '../../request/event-sink.ts'
import type { PartFlow, PartStream } from '../../request/part-stream.ts'

/** Headers that describe the handshake, and not one operation. */
const OF_THE_HANDSHAKE: readonly string[] = [
  'accept-encoding',
  'connection',
  'content-encoding',
  'content-length',
  'expect',
  'sec-websocket-extensions',
  'sec-websocket-key',
  'sec-websocket-protocol',
  'sec-websocket-version',
  'transfer-encoding',
  'upgrade',
]

/**
 * Returns the headers that all operations of a WebSocket have: those of its handshake, with those that the
 * client added. `requestIdHeader`, in lower case, is left out: each operation has an id of its own.
 */
export function headersOfOperations(
  handshake: IncomingHttpHeaders,
  added: Readonly<Record<string, string>>,
  requestIdHeader: string,
): IncomingHttpHeaders {
  // The type tells results from refusals by their status, and gives no answers in parts.
  const own = { 'content-type': JSON_TYPE, accept: GRAPHQL_RESPONSE }
  const headers: IncomingHttpHeaders = { ...added, ...handshake, ...own }
  for (const name of OF_THE_HANDSHAKE) delete headers[name]
  delete headers[requestIdHeader]
  return headers
}

/** The facts about a client that hold for all operations of its WebSocket. */
export type SocketClient = {
  readonly handshake: IncomingMessage
  readonly headers: IncomingHttpHeaders
  /** Deferred fragments are sent in parts. */
  readonly takesParts: boolean
}

/** Opens the ways by which an operation is answered with more than one message. */
type Ways = { openSink(): EventSink; openParts(flow: PartFlow): PartStream }

/** Has the connection of the WebSocket, and the payload of `subscribe` as its body. */
export class SocketRequest extends OperationOfSocket {
  override readonly takesParts: boolean
  readonly #ways: Ways

  /** Headers are copied, since stages change them. */
  constructor({ handshake, headers, takesParts }: SocketClient, payload: string, ways: Ways) {
    super(handshake, { ...headers }, payload)
    this.takesParts = takesParts
    this.#ways = ways
  }

  override get sink(): EventSink {
    return this.#ways.openSink()
  }

  override partsFor(flow: PartFlow): PartStream {
    return this.#ways.openParts(flow)
  }
}
