/** Serves HTTP/2 to the same handler and with the same limits as HTTP/1. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import {
  constants,
  createServer,
  type Http2Server,
  type Http2Session,
  type ServerHttp2Session,
} from 'node:http2'
import type { Socket } from 'node:net'
import {
  gatherStream,
  type PacedConnection,
  type SocketTurns,
  type TooManyPiecesError,
  WORTH,
} from '@switchyard/service-kit'
import type { LimitsConfig, TrafficConfig } from './traffic-settings.ts'
import type { HttpErrorCode } from '../errors/http-error.ts'
import type { Http2Limit } from './listener-events.ts'
import type { ConnectionEvents } from './connection-events.ts'
import type { Connections } from './connections.ts'
import { refuse } from '../http/handler.ts'
import { HEADERS_TOO_LARGE, REQUEST_TOO_SLOW, type TrafficTimes } from './http1.ts'
import { WholeRequest, WholeResponse } from './http2-messages.ts'
import { linger } from './linger.ts'
import { MissingBodies, type BodyCounts } from './missing-bodies.ts'
import { BODY_MISSED, type UnreadRequests } from './unread-requests.ts'
import type { UnsentAnswers } from './unsent-answers.ts'

/** Requests of one connection at a time. The number of all requests is limited for all protocols together. */
const MAX_CONCURRENT_STREAMS = 256
/**
 * Megabytes that one connection may use for headers, frames and its streams. Beyond them no stream is opened.
 */
const MAX_SESSION_MEMORY = 10
/** The number of headers, the same as node:http reads. */
const MAX_HEADERS = 2000

type Session = BodyCounts & {
  /** The number of requests in progress. */
  open: number
  readonly client: string
  readonly isProxy: () => boolean
}

type Http2Parts = {
  readonly unsent: UnsentAnswers
  readonly unread: Pick<UnreadRequests, 'isExempt'>
  readonly connections: Connections
  readonly turns: SocketTurns
  readonly times: () => TrafficTimes
}

/** The event that a stream emits when its data comes in too many pieces. */
const TOO_MANY_PIECES = Symbol('too many pieces')

type Http2Config = { readonly limits: LimitsConfig; readonly traffic: TrafficConfig }

/** Serves connections of HTTP/2. */
export class Http2Connections {
  readonly #handler: RequestListener
  readonly #config: Http2Config
  readonly #times: () => TrafficTimes
  readonly #unsent: UnsentAnswers
  readonly #unread: Pick<UnreadRequests, 'isExempt'>
  readonly #connections: Pick<Connections, 'isProxy'>
  readonly #events: ConnectionEvents
  readonly #turns: SocketTurns
  readonly #missing = new MissingBodies()
  readonly #sessions = new Map<ServerHttp2Session, Session>()
  readonly #sockets = new Set<Socket>()
  readonly #server: Http2Server<
    typeof IncomingMessage,
    typeof ServerResponse,
    typeof WholeRequest,
    typeof WholeResponse
  >
  #draining = false

  constructor(
    handler: RequestListener,
    config: Http2Config,
    { unsent, unread, connections, turns, times }: Http2Parts,
    events: ConnectionEvents,
  ) {
    this.#times = times
    this.#unsent = unsent
    this.#unread = unread
    this.#connections = connections
    this.#turns = turns
    this.#events = events
    this.#handler = handler
    this.#config = config
    this.#server = createServer({
      maxHeaderListPairs: MAX_HEADERS,
      maxSessionMemory: MAX_SESSION_MEMORY,
      // nghttp2 ends a connection with more than 1000 unread answers to PING and SETTINGS, or 1000 resets at
      // once.
      maxSessionInvalidFrames: 100,
      maxSessionRejectedStreams: 100,
      settings: {
        maxConcurrentStreams: MAX_CONCURRENT_STREAMS,
        // Headers somewhat over the limit are let in, so that they can be answered; beyond this the stream is
        // reset.
        maxHeaderListSize: config.limits.headerSize * 2,
      },
      Http2ServerRequest: WholeRequest,
      Http2ServerResponse: WholeResponse,
    })
    this.#server.on('request', (request, response) => this.#answer(request, response))
    this.#server.on('checkExpectation', (request, response) => this.#answer(request, response))
    this.#server.on('checkContinue', (request, response) => this.#answer(request, response))
  }

  /** Asks every client to send its next request on another connection. Requests in progress are finished. */
  drain(): void {
    this.#draining = true
    for (const session of this.#sessions.keys()) session.close()
  }

  destroy(): void {
    for (const session of this.#sessions.keys()) session.destroy()
    // A session closes only after its last bytes were taken.
    for (const socket of this.#sockets) socket.destroy()
  }

  /** Serves a socket whose client speaks HTTP/2. */
  accept(socket: Socket, paced: PacedConnection): void {
    this.#sockets.add(socket)
    socket.once('close', () => this.#sockets.delete(socket))
    this.#server.once('session', (session) => this.#watch(session, socket, paced))
    this.#server.emit('connection', socket)
  }

  #watch(session: ServerHttp2Session, socket: Socket, paced: PacedConnection): void {
    const { headersTimeout } = this.#config.traffic
    const isProxy = () => this.#connections.isProxy(socket)
    const state = { open: 0, begun: 0, missed: 0, client: paced.client, isProxy }
    // Not the timer of the session itself: node:http2 leaves it running when the session is closed, and it
    // keeps all of the session in memory until it ends.
    const idle = new IdleTimer(() => {
      session.close()
      // A client that reads nothing would not notice a close in order either.
      idle.start(headersTimeout, () => socket.destroy())
    })
    this.#sessions.set(session, state)
    session.once('close', () => this.#sessions.delete(session))
    socket.once('close', () => idle[Symbol.dispose]())
    // Refused before any work is done for the request.
    session.prependListener('stream', (stream) => {
      idle.stop()
      state.open++
      state.begun++
      // Later: a request is made of the stream after this, and its body is waited for after that.
      gatherStream(stream, paced, (error) => setImmediate(() => stream.emit(TOO_MANY_PIECES, error)))
      stream.once('close', () => {
        this.#turns.did(paced, WORTH.request)
        if (--state.open === 0) idle.start(this.#times().keepAliveTimeout)
      })
      if (!this.#turns.begun(paced)) this.#close(session, 'requests-at-once')
    })
    idle.start(headersTimeout)
  }

  #answer(request: WholeRequest, response: WholeResponse): void {
    response.writeTimeout = this.#times().writeTimeout
    response.unsent = this.#unsent
    const { stream } = response
    request.once(BODY_MISSED, () => this.#missed(stream.session))
    stream.once(TOO_MANY_PIECES, (error: TooManyPiecesError) => refuseRest(request, error))
    stream.once('finish', () => {
      if (!request.readableEnded)
        linger(request, ['end', 'close'], () => stream.close(constants.NGHTTP2_NO_ERROR))
    })
    if (headerSize(request.rawHeaders) > this.#config.limits.headerSize) {
      this.#refuse(request, response, 'HEADERS_TOO_LARGE', HEADERS_TOO_LARGE)
    } else {
      this.#limitTime(request, response)
      this.#handler(asHttp1(request), asHttp1Response(response))
    }
    if (this.#draining) response.stream.session?.close()
  }

  #refuse(request: WholeRequest, response: WholeResponse, code: HttpErrorCode, message: string): void {
    refuse(asHttp1(request), asHttp1Response(response), code, message, this.#events.refusals)
  }

  #missed(session: Http2Session | undefined): void {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a server has no other sessions
    const own = session as ServerHttp2Session | undefined
    const state = own === undefined ? undefined : this.#sessions.get(own)
    if (own === undefined || state === undefined) return
    if (this.#missing.missed(state.client, state) && !state.isProxy()) this.#close(own, 'missing-bodies')
  }

  /** Closes a connection with the error code for a client that behaves as no client has reason to. */
  #close(session: ServerHttp2Session, limit: Http2Limit): void {
    if (session.destroyed) return
    this.#events.listener.http2Closed(limit)
    session.goaway(constants.NGHTTP2_ENHANCE_YOUR_CALM)
    session.destroy()
  }

  /** Limits the time in which a body has to arrive. */
  #limitTime(request: WholeRequest, response: WholeResponse): void {
    if (request.stream.endAfterHeaders) return
    const { headersTimeout } = this.#config.traffic
    const timer = setTimeout(
      () => {
        if (this.#unread.isExempt(request)) return
        this.#refuse(request, response, 'REQUEST_TIMEOUT', REQUEST_TOO_SLOW)
        response.stream.close(constants.NGHTTP2_NO_ERROR)
      },
      Math.max(this.#times().requestTimeout, headersTimeout),
    )
    request.once('end', () => clearTimeout(timer))
    request.stream.once('close', () => clearTimeout(timer))
  }
}

/** Ends the stream. Before that, it reports the error if somebody reads the body. */
function refuseRest(request: WholeRequest, error: TooManyPiecesError): void {
  const { stream } = request
  if (stream.destroyed) return
  const end = () => stream.close(constants.NGHTTP2_NO_ERROR)
  stream.once('finish', end)
  if (request.listenerCount('error') > 0) request.emit('error', error)
  else end()
}

/** Calls a function if no request is in progress on a connection for too long. */
class IdleTimer implements Disposable {
  readonly #over: () => void
  #timer: NodeJS.Timeout | null = null
  #disposed = false

  constructor(over: () => void) {
    this.#over = over
  }

  /**
   * Starts the timer and stops one that was started before. Nothing is started if the timer was disposed, or
   * with 0, which means no limit.
   */
  start(milliseconds: number, over = this.#over): void {
    this.stop()
    if (!this.#disposed && milliseconds > 0) this.#timer = setTimeout(over, milliseconds)
  }

  stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
  }

  [Symbol.dispose](): void {
    this.#disposed = true
    this.stop()
  }
}

/** Returns the size of headers, about as HTTP/1 counts it: names, values and separators. */
function headerSize(raw: readonly string[]): number {
  let size = 0
  for (const text of raw) size += text.length + 2
  return size
}

function asHttp1(request: WholeRequest): IncomingMessage {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what the handler uses means the same here, tested for both
  return request as unknown as IncomingMessage
}

function asHttp1Response(response: WholeResponse): ServerResponse {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what the handler uses means the same here, tested for both
  return response as unknown as ServerResponse
}
