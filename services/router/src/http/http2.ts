/**
 * HTTP/2 without TLS, for the handler and with the limits of HTTP/1. What node:http2 offers for handlers written for
 * node:http differs from it where an answer or a request ends early; the two classes below put that right.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import {
  constants,
  createServer,
  type Http2Server,
  Http2ServerRequest,
  Http2ServerResponse,
  type ServerHttp2Session,
} from 'node:http2'
import type { RouterConfig } from '../config.ts'
import { HTTP_ERRORS, type HttpErrorCode } from '../errors.ts'
import { HEADERS_TOO_LARGE, REQUEST_TOO_SLOW } from './http1.ts'
import { JSON_TYPE } from './negotiate.ts'
import { errorBody, sendJson } from './reply.ts'

class WholeRequest extends Http2ServerRequest {}
class WholeResponse extends Http2ServerResponse {}

// Their types say properties where the classes have accessors, so these cannot be overridden by `get`.
/** node:http2 calls a request complete that was broken off. */
Object.defineProperty(WholeRequest.prototype, 'complete', {
  get(this: WholeRequest): boolean {
    return this.readableEnded && !this.stream.aborted
  },
})
Object.defineProperty(WholeResponse.prototype, 'destroyed', {
  get(this: WholeResponse): boolean {
    return this.stream.destroyed
  },
})
/** node:http2 also calls finished what the client did not wait for. */
Object.defineProperty(WholeResponse.prototype, 'writableFinished', {
  get(this: WholeResponse): boolean {
    return this.writableEnded && this.stream.writableFinished && !this.stream.aborted
  },
})

/** Requests of one connection at a time; how many there are in all is limited for all protocols together. */
const MAX_CONCURRENT_STREAMS = 256
/** As many as node:http looks at. */
const MAX_HEADERS = 2000

export class Http2Connections {
  readonly #handler: RequestListener
  readonly #config: RouterConfig
  readonly #sessions = new Map<ServerHttp2Session, { streams: number }>()
  /** Serves the sockets that it is given by `connection` events. */
  readonly server: Http2Server<
    typeof IncomingMessage,
    typeof ServerResponse,
    typeof WholeRequest,
    typeof WholeResponse
  >
  #draining = false

  constructor(handler: RequestListener, config: RouterConfig) {
    this.#handler = handler
    this.#config = config
    this.server = createServer({
      maxHeaderListPairs: MAX_HEADERS,
      settings: {
        maxConcurrentStreams: MAX_CONCURRENT_STREAMS,
        // Headers somewhat over the limit are let in, so that they can be answered; beyond this the stream is reset.
        maxHeaderListSize: config.limits.headerSize * 2,
      },
      Http2ServerRequest: WholeRequest,
      Http2ServerResponse: WholeResponse,
    })
    this.server.on('session', (session) => this.#watch(session))
    this.server.on('request', (request, response) => this.#answer(request, response))
    this.server.on('checkExpectation', (request, response) => this.#answer(request, response))
  }

  /** Tells every client to go elsewhere with its next request; those in progress are finished. */
  drain(): void {
    this.#draining = true
    for (const session of this.#sessions.keys()) session.close()
  }

  destroy(): void {
    for (const session of this.#sessions.keys()) session.destroy()
  }

  #watch(session: ServerHttp2Session): void {
    const state = { streams: 0 }
    this.#sessions.set(session, state)
    session.once('close', () => this.#sessions.delete(session))
    session.on('stream', (stream) => {
      if (state.streams++ === 0) session.setTimeout(this.#config.traffic.keepAliveTimeout)
      stream.once('close', () => state.streams--)
    })
    session.on('timeout', () => {
      if (state.streams === 0) session.close()
    })
    session.setTimeout(this.#config.traffic.headersTimeout)
  }

  #answer(request: WholeRequest, response: WholeResponse): void {
    if (headerSize(request.rawHeaders) > this.#config.limits.headerSize) {
      refuse(request, response, 'HEADERS_TOO_LARGE', HEADERS_TOO_LARGE)
    } else {
      this.#limitTime(request, response)
      this.#handler(asHttp1(request), asHttp1Response(response))
    }
    if (this.#draining) response.stream.session?.close()
  }

  /** For the body to arrive. */
  #limitTime(request: WholeRequest, response: WholeResponse): void {
    if (request.stream.endAfterHeaders) return
    const { headersTimeout, requestTimeout } = this.#config.traffic
    const timer = setTimeout(
      () => {
        refuse(request, response, 'REQUEST_TIMEOUT', REQUEST_TOO_SLOW)
        response.stream.close(constants.NGHTTP2_NO_ERROR)
      },
      Math.max(requestTimeout, headersTimeout),
    )
    request.once('end', () => clearTimeout(timer))
    request.stream.once('close', () => clearTimeout(timer))
  }
}

/** As HTTP/1 counts it, about: names, values, and what separates them. */
function headerSize(raw: readonly string[]): number {
  let size = 0
  for (const text of raw) size += text.length + 2
  return size
}

function refuse(request: WholeRequest, response: WholeResponse, code: HttpErrorCode, message: string): void {
  request.resume()
  const headers = { 'Cache-Control': 'no-store' }
  sendJson(asHttp1Response(response), HTTP_ERRORS[code], JSON_TYPE, headers, errorBody(code, message))
}

function asHttp1(request: WholeRequest): IncomingMessage {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what the handler uses means the same here, tested for both
  return request as unknown as IncomingMessage
}

function asHttp1Response(response: WholeResponse): ServerResponse {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what the handler uses means the same here, tested for both
  return response as unknown as ServerResponse
}
