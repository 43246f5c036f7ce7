/**
 * Serves HTTP/1: limits what a client may send and how slowly, and answers bytes that never became a request.
 */
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { gatheringRequest, type SocketTurns, WORTH } from '@switchyard/service-kit'
import type { LimitsConfig, TrafficConfig } from './traffic-settings.ts'
import { HTTP_ERRORS, type HttpErrorCode } from '../errors/http-error.ts'
import type { RefusalEvents } from '../observe/refusal-events.ts'
import { refuse } from '../http/handler.ts'
import { linger } from './linger.ts'
import { framingFault } from '../http/message-checks.ts'
import type { Pipelining } from './pipelining.ts'
import { errorBody } from '../http/reply.ts'
import type { UnreadRequests } from './unread-requests.ts'
import type { UnsentAnswers } from './unsent-answers.ts'
import { countedWork, type Upgrades } from './upgrades.ts'
import { WatchedResponse } from './watched-response.ts'

/** Time limits for clients in milliseconds. They may change while the server runs. */
export type TrafficTimes = Pick<TrafficConfig, 'requestTimeout' | 'keepAliveTimeout' | 'writeTimeout'>

type Http1Parts = {
  readonly unsent: UnsentAnswers
  readonly unread: UnreadRequests
  readonly pipelining: Pipelining
  readonly turns: SocketTurns
  readonly times: () => TrafficTimes
  /** Serves connections that go on in another protocol; null if all requests are answered as they are. */
  readonly upgrades: Upgrades | null
}

/** A server of HTTP/1 that has no listening socket of its own. */
export type Http1Server = Server<typeof IncomingMessage, typeof WatchedResponse>

/** Creates a server for the sockets that it is given by `connection` events; it listens nowhere itself. */
export function createHttp1Server(
  handler: RequestListener,
  config: { readonly limits: LimitsConfig; readonly traffic: TrafficConfig },
  { unsent, unread, pipelining, turns, times, upgrades }: Http1Parts,
  events: RefusalEvents,
): Http1Server {
  const { headersTimeout } = config.traffic
  const answer = (request: IncomingMessage, response: WatchedResponse): void => {
    const paced = turns.of(request.socket)
    if (paced !== null) turns.did(paced, WORTH.request)
    response.writeTimeout = times().writeTimeout
    response.unsent = unsent
    response.onEarlyEnd = lingerForBody
    // A response has no socket while an earlier request of its connection is not answered.
    if (response.socket === null) pipelining.wait(request, response, () => begin(request, response))
    else begin(request, response)
  }
  const begin = (request: IncomingMessage, response: WatchedResponse): void => {
    const fault = framingFault(request)
    if (fault === null) return handler(request, response)
    // After this answer nobody can tell where the next request on this connection would begin.
    response.setHeader('Connection', 'close')
    refuse(request, response, 'BAD_REQUEST', fault, events)
  }
  const server = createServer(
    {
      IncomingMessage: gatheringRequest((socket) => turns.of(socket)),
      ServerResponse: WatchedResponse,
      maxHeaderSize: config.limits.headerSize,
      headersTimeout,
      ...timesOf(config.traffic),
      connectionsCheckingInterval: Math.max(50, Math.min(5000, headersTimeout / 4)),
      // The handler refuses a request without one: node:http would do it without a GraphQL body.
      requireHostHeader: false,
      shouldUpgradeCallback: (request) => upgrades?.accepts(request) === true,
    },
    answer,
  )
  server.on('upgrade', (request, socket, head) => {
    // node:http types it as what it may be over other transports.
    if (!(socket instanceof Socket)) return socket.destroy()
    const work = countedWork(turns, turns.of(socket))
    return upgrades?.open({ request, socket, head, work })
  })
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // node:http knows one time limit for all requests. A connection goes on if nobody does anything.
    if (error.code !== 'ERR_HTTP_REQUEST_TIMEOUT' || !unread.isExempt(socket))
      answerClientError(error, socket, events)
  })
  // RFC 9110 allows to ignore an unknown `Expect`; node:http would answer 417 without a body.
  server.on('checkExpectation', answer)
  // `100 Continue` is sent when the body is read; node:http would send it also before a refusal.
  server.on('checkContinue', answer)
  // The server begins to watch the times of its connections with this event, which only a listening one has
  // by itself.
  server.emit('listening')
  return server
}

/** Sets the time limits of requests that come from now on. */
export function changeTimes(server: Http1Server, traffic: TrafficConfig): void {
  Object.assign(server, timesOf(traffic))
}

function timesOf({ headersTimeout, requestTimeout, keepAliveTimeout }: TrafficConfig) {
  return { requestTimeout: Math.max(requestTimeout, headersTimeout), keepAliveTimeout }
}

/** Answers a connection on which no request began in time. */
export function answerSilence(socket: Socket, events: RefusalEvents): void {
  endWith(socket, 'ERR_HTTP_REQUEST_TIMEOUT', events)
}

/** Answers bytes that Node's parser refused: a request that is too large, too slow or malformed. */
function answerClientError(error: NodeJS.ErrnoException, socket: Duplex, events: RefusalEvents): void {
  // The parser also fails in the rest of a body whose request was refused and answered already. A second
  // answer would belong to no request.
  const late =
    error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && socket instanceof Socket && socket.bytesWritten > 0
  if (error.code === 'ECONNRESET' || !socket.writable || late) {
    socket.destroy()
    return
  }
  endWith(socket, error.code, events)
}

function endWith(socket: Duplex, errorCode: string | undefined, events: RefusalEvents): void {
  const [code, reason, message] = clientError(errorCode)
  events.requestRefused(code)
  const body = errorBody(code, message)
  const isSilent = code === 'REQUEST_TIMEOUT'
  socket.end(
    `HTTP/1.1 ${HTTP_ERRORS[code].status} ${reason}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n${body}`,
    // A client that was too slow has nothing under way that is worth reading.
    isSilent ? () => socket.destroy() : undefined,
  )
  if (isSilent) return
  socket.removeAllListeners('data')
  linger(socket, ['close'], () => socket.destroy())
}

/**
 * Waits for the rest of a body after the request was answered. With `Connection: close` the connection is
 * closed when the body has arrived; otherwise it is kept if the body arrives soon.
 */
function lingerForBody(request: IncomingMessage): void {
  const { socket } = request
  socket.destroySoon = () => {
    socket.end()
    request.once('end', () => Socket.prototype.destroySoon.call(socket))
  }
  linger(request, ['end', 'close'], () => socket.destroy())
}

function clientError(code: string | undefined): readonly [HttpErrorCode, string, string] {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return ['HEADERS_TOO_LARGE', 'Request Header Fields Too Large', HEADERS_TOO_LARGE]
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return ['REQUEST_TIMEOUT', 'Request Timeout', REQUEST_TOO_SLOW]
    default:
      return ['BAD_REQUEST', 'Bad Request', 'The request is not valid HTTP.']
  }
}

/** The message of a refusal over any version of HTTP. */
export const HEADERS_TOO_LARGE = 'The request headers are larger than allowed.'
/** The message of a refusal over any version of HTTP. */
export const REQUEST_TOO_SLOW = 'The request took too long to arrive.'
