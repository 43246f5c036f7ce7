/**
 * One HTTP/2 connection to a subgraph, with the calls on it. It takes calls once the other side has said what
 * it allows, and none any more after the other side has said that it goes away, or does not answer.
 */
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  constants,
  type IncomingHttpHeaders,
} from 'node:http2'
import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { gatherStream, type PacedConnection, PIECES, type SocketTurns } from '@switchyard/service-kit'
import {
  ConnectionClosedError,
  ConnectTimeoutError,
  Http2NotSpokenError,
  MalformedAnswerError,
  StreamEndedError,
} from '../http1/connection-errors.ts'
import { MAX_FIELDS, MAX_HEAD_SIZE, MAX_INTERIM_ANSWERS } from '../http1/limits.ts'
import {
  CLOSED_AFTER,
  CONNECTION_WINDOW,
  IDLE,
  MAX_STREAMS,
  SESSION_MEMORY,
  SILENT_AFTER,
  STREAM_WINDOW,
} from './limits.ts'
import { sendBody, type StreamExchange } from './stream-exchange.ts'

/** Gives calls to a connection, and receives its events. */
export interface Http2ConnectionOwner {
  /** The connection has room for calls, or can take none any more. */
  changed(): void
  /** The other side has not processed the call, so that it may be sent again. */
  returned(exchange: StreamExchange): void
  /** The other side has processed a call for the first time, whatever the result of the call. */
  provedUseful(): void
  /** The connection has ended, and its calls with it. */
  closed(connection: Http2Connection, end: ConnectionEnd): void
  /** An exchange is about to be sent. `isFirst` is true if it is the first one on this connection. */
  sending(socket: Socket, exchange: StreamExchange, isFirst: boolean): void
}

/** Tells how a connection ended and how far it was of use. */
export type ConnectionEnd = {
  /** The error because of which the connection was never ready to take calls. Null if it was ready once. */
  readonly error: Error | null
  /** A call was sent on it. */
  readonly tookCall: boolean
  /** The other side has processed a call. */
  readonly wasUseful: boolean
}

export type Http2ConnectionOptions = {
  readonly owner: Http2ConnectionOwner
  readonly origin: URL
  /** The turns in which the connections of all origins are read. */
  readonly turns: SocketTurns
  /** Begins to connect. Throws if that is not allowed. */
  readonly open: () => Socket
  /** The limit for connecting, in milliseconds. 0 means none. */
  readonly connectTimeout: number
}

const TOO_MANY_PIECES = `comes in more than ${PIECES.any} pieces of less than ${PIECES.bytesEach} bytes on average`

const { NGHTTP2_CANCEL, NGHTTP2_REFUSED_STREAM } = constants

export class Http2Connection {
  readonly #owner: Http2ConnectionOwner
  readonly #socket: Socket
  readonly #turns: SocketTurns
  /** Paces the reading of the connection. Null until it is connected. */
  #pace: PacedConnection | null = null
  #session: ClientHttp2Session | null = null
  #connectTimer: NodeJS.Timeout | null = null
  /** The number of calls that may be in progress at a time. 0 means that the connection takes none yet. */
  #limit = 0
  #inFlight = 0
  #wasUsed = false
  #wasUseful = false
  /** True if the connection takes no further calls. */
  #isLeaving = false
  /** The last stream that the other side processes or has processed, as it says when it goes away. */
  #lastLookedAt = Number.POSITIVE_INFINITY
  #ping: NodeJS.Timeout | null = null
  /** True if the other side was asked whether it is there, and has not answered for some time. */
  #isSilent = false
  #error: Error | null = null
  #isClosed = false

  constructor({ owner, origin, turns, open, connectTimeout }: Http2ConnectionOptions) {
    this.#owner = owner
    this.#turns = turns
    const socket = open()
    this.#socket = socket
    if (connectTimeout > 0)
      this.#connectTimer = setTimeout(
        () => this.destroy(new ConnectTimeoutError(connectTimeout)),
        connectTimeout,
      )
    socket.once(socket instanceof TLSSocket ? 'secureConnect' : 'connect', () => this.#begin(origin))
    socket.on('error', (error) => {
      this.#error ??= error
      this.#isLeaving = true
    })
    socket.once('close', () => this.#closed())
  }

  /** The number of calls that the connection can take now. */
  get room(): number {
    if (this.#isLeaving || this.#isSilent || this.#session?.closed !== false) return 0
    return Math.max(0, this.#limit - this.#inFlight)
  }

  get isConnecting(): boolean {
    return this.#limit === 0 && !this.#isLeaving
  }

  /** True if the connection takes calls now, or will when it is connected or less full. */
  get mayTakeCalls(): boolean {
    return !this.#isLeaving
  }

  /** True if the connection ends, and the other side has processed no call on it. */
  get isEndingUseless(): boolean {
    return this.#isLeaving && this.#inFlight === 0 && !this.#wasUseful
  }

  get isIdle(): boolean {
    return this.#inFlight === 0 && this.room > 0
  }

  /** Sends a call. May only be called if there is room. */
  start(exchange: StreamExchange): void {
    const session = this.#session
    if (session === null) return this.#owner.returned(exchange)
    let stream: ClientHttp2Stream | null = null
    const isBegun = exchange.begin({
      pause: () => stream?.pause(),
      resume: () => stream?.resume(),
      giveUp: () => {
        stream?.close(NGHTTP2_CANCEL)
        this.#lookAfter()
      },
    })
    if (!isBegun) return
    this.#owner.sending(this.#socket, exchange, !this.#wasUsed)
    try {
      stream = session.request(exchange.head)
    } catch (error) {
      // A session that refuses a request would refuse it again, unless it has just ended.
      if (session.closed || session.destroyed) this.#owner.returned(exchange)
      else exchange.failWith(error)
      return
    }
    this.#carry(exchange, stream)
  }

  /** Takes no further calls, and closes the connection with the last one. */
  close(): void {
    this.#isLeaving = true
    if (this.#inFlight === 0) this.#end()
  }

  /** Closes the connection and gives up the calls on it. */
  destroy(error: Error): void {
    this.#isLeaving = true
    this.#error ??= error
    this.#end()
  }

  /** Closes the socket, too: a session alone would wait for the other side to do it. */
  #end(): void {
    this.#session?.destroy()
    this.#socket.destroy()
  }

  #begin(origin: URL): void {
    const socket = this.#socket
    if (socket instanceof TLSSocket && socket.alpnProtocol !== 'h2')
      return this.destroy(new Http2NotSpokenError())
    this.#pace = this.#turns.join(socket, origin.host)
    const session = connect(origin, {
      createConnection: () => socket,
      settings: { enablePush: false, initialWindowSize: STREAM_WINDOW, maxHeaderListSize: MAX_HEAD_SIZE },
      maxHeaderListPairs: MAX_FIELDS,
      maxSessionMemory: SESSION_MEMORY,
    })
    this.#session = session
    session.once('connect', () => session.setLocalWindowSize(CONNECTION_WINDOW))
    session.on('remoteSettings', ({ maxConcurrentStreams = MAX_STREAMS }) => {
      this.#connected()
      this.#limit = Math.max(1, Math.min(maxConcurrentStreams, MAX_STREAMS))
      this.#owner.changed()
    })
    session.on('goaway', (_code, lastStreamId) => {
      this.#isLeaving = true
      this.#lastLookedAt = lastStreamId
      if (this.#inFlight === 0) this.#end()
      this.#owner.changed()
    })
    session.on('error', (error) => {
      this.#error ??= error
      this.#isLeaving = true
    })
    session.setTimeout(IDLE, () => {
      if (this.#inFlight === 0) this.close()
    })
    session.unref()
  }

  #connected(): void {
    if (this.#connectTimer !== null) clearTimeout(this.#connectTimer)
    this.#connectTimer = null
  }

  #carry(exchange: StreamExchange, stream: ClientHttp2Stream): void {
    if (this.#inFlight++ === 0) this.#session?.ref()
    this.#wasUsed = true
    let hasAnswer = false
    let interim = 0
    const guarded = (act: () => void): void => {
      try {
        act()
      } catch (error) {
        exchange.failWith(error)
        stream.close(NGHTTP2_CANCEL)
      }
    }
    stream.on('headers', () => {
      if (++interim <= MAX_INTERIM_ANSWERS) return
      exchange.fail(new MalformedAnswerError(`comes after more than ${MAX_INTERIM_ANSWERS} interim answers`))
      stream.close(NGHTTP2_CANCEL)
    })
    stream.once('response', (headers) => {
      hasAnswer = true
      this.#provedUseful()
      const { handler } = exchange
      guarded(() => {
        handler.onResponseStarted?.()
        checkSize(headers)
        if (!exchange.isOver) handler.onResponseStart(exchange, headers[':status'] ?? 0, fieldsOf(headers))
      })
    })
    gatherStream(stream, this.#pace, () => {
      exchange.fail(new MalformedAnswerError(TOO_MANY_PIECES))
      stream.close(NGHTTP2_CANCEL)
    })
    stream.on('data', (chunk: Buffer) => {
      if (!exchange.isOver) guarded(() => exchange.handler.onResponseData(exchange, chunk))
    })
    stream.once('end', () => {
      if (hasAnswer) guarded(() => exchange.end())
    })
    stream.on('error', () => {})
    stream.once('close', () => {
      this.#left()
      const isNotLookedAt =
        stream.rstCode === NGHTTP2_REFUSED_STREAM || (stream.id ?? Infinity) > this.#lastLookedAt
      if (!isNotLookedAt) this.#provedUseful()
      if (exchange.isOver) return
      if (!hasAnswer && isNotLookedAt && exchange.isRepeatable) this.#owner.returned(exchange)
      else exchange.fail(this.#reasonFor(stream))
    })
    sendBody(stream, exchange)
  }

  #provedUseful(): void {
    if (this.#wasUseful) return
    this.#wasUseful = true
    this.#owner.provedUseful()
  }

  #reasonFor({ rstCode }: ClientHttp2Stream): Error {
    if (this.#error !== null) return this.#error
    return this.#isClosed || this.#socket.destroyed
      ? new ConnectionClosedError()
      : new StreamEndedError(rstCode)
  }

  #left(): void {
    if (--this.#inFlight === 0) {
      this.#session?.unref()
      if (this.#isLeaving) this.#end()
    }
    this.#owner.changed()
  }

  /**
   * Asks whether the other side is still there, after a call was given up: perhaps it is gone, which a
   * connection may not notice for long. If no answer comes, calls go to other connections after a moment.
   */
  #lookAfter(): void {
    if (this.#ping !== null || this.#isLeaving || this.#session === null) return
    this.#ping = setTimeout(() => {
      this.#isSilent = true
      this.#owner.changed()
      this.#ping = setTimeout(() => this.destroy(new ConnectionClosedError()), CLOSED_AFTER).unref()
    }, SILENT_AFTER).unref()
    try {
      this.#session.ping(() => {
        this.#forgetPing()
        if (!this.#isSilent) return
        this.#isSilent = false
        this.#owner.changed()
      })
    } catch (error) {
      this.destroy(error instanceof Error ? error : new Error(String(error)))
    }
  }

  #forgetPing(): void {
    if (this.#ping !== null) clearTimeout(this.#ping)
    this.#ping = null
  }

  #closed(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#isLeaving = true
    this.#connected()
    this.#forgetPing()
    this.#session?.destroy()
    this.#owner.closed(this, {
      error: this.#limit > 0 ? null : (this.#error ?? new ConnectionClosedError()),
      tookCall: this.#wasUsed,
      wasUseful: this.#wasUseful,
    })
  }
}

/** Checks the size of header fields. Node.js has a limit of its own, of 64 KiB. */
function checkSize(headers: IncomingHttpHeaders): void {
  let size = 0
  for (const name in headers) size += name.length + String(headers[name]).length
  if (size > MAX_HEAD_SIZE)
    throw new MalformedAnswerError(`has header fields of more than ${MAX_HEAD_SIZE} bytes`)
}

/** Returns the header fields without those that begin with a colon. */
function fieldsOf(headers: IncomingHttpHeaders): Record<string, string | string[]> {
  const fields: Record<string, string | string[]> = Object.create(null)
  for (const name in headers) {
    const value = headers[name]
    if (value !== undefined && !name.startsWith(':')) fields[name] = value
  }
  return fields
}
