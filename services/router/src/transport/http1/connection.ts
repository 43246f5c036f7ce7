/**
 * One connection to an origin, on which one request is in progress at a time.
 *
 * All connections of a router read into one buffer: bytes are handed on before the next read begins, and
 * nothing is allocated for a connection that waits.
 */
import type { OnReadOpts, Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { ConnectionClosedError, ConnectTimeoutError } from './connection-errors.ts'
import type { Http1Call, ExchangeCarrier } from './exchange.ts'
import { KEEP_ALIVE, KEEP_ALIVE_MARGIN, MAX_KEEP_ALIVE } from './limits.ts'
import type { ResponseHead } from './response-head.ts'
import { sendInChunks } from './send-in-chunks.ts'
import { ResponseParser, type ResponseSink } from './response-parser.ts'
import { handOnBody } from '../dispatch/call-pool.ts'

/** Receives the events of a connection. */
export interface ConnectionOwner {
  /** The connection was made, and nothing was sent on it. */
  connected(connection: Connection): void
  /** The exchange on the connection is complete, and the connection may carry another one. */
  released(connection: Connection): void
  /** The connection is closed. `error` is given if it could not be made, and null otherwise. */
  closed(connection: Connection, error: Error | null): void
  /** An exchange is about to be sent on the connection. */
  sending(socket: Socket, exchange: Http1Call): void
}

export type ConnectionOptions = {
  readonly owner: ConnectionOwner
  /** Begins to connect. */
  readonly open: (onread: OnReadOpts) => Socket
  /** The buffer that this connection shares with others. */
  readonly readBuffer: Buffer
  /** The limit for connecting, in milliseconds. 0 means none. */
  readonly connectTimeout: number
}

/** A connection that is being made, waits for a request, or carries one. */
export class Connection implements ExchangeCarrier, ResponseSink {
  readonly #owner: ConnectionOwner
  readonly #socket: Socket
  readonly #parser = new ResponseParser(this)
  #connectTimer: NodeJS.Timeout | undefined
  #exchange: Http1Call | null = null
  #head: ResponseHead | null = null
  #answerBegan = false
  #isConnected = false
  #keepsProcess = true
  #error: Error | null = null
  /** Milliseconds for which the connection may wait for its next request. */
  #keptFor = KEEP_ALIVE
  /** The time until which the connection may wait, by the clock of its owner. */
  keptUntil = 0

  constructor({ owner, open, readBuffer, connectTimeout }: ConnectionOptions) {
    this.#owner = owner
    this.#socket = open({ buffer: readBuffer, callback: (length) => this.#read(readBuffer, length) })
    if (connectTimeout > 0)
      this.#connectTimer = setTimeout(() => this.#timeOut(connectTimeout), connectTimeout)
    this.#socket
      // Once: a TLS connection says it again after each further handshake.
      .once(this.#socket instanceof TLSSocket ? 'secureConnect' : 'connect', () => this.#connect())
      .on('error', (error) => (this.#error ??= error))
      .on('end', () => this.#finish())
      .on('close', () => this.#close())
  }

  /** True if the connection is open, as far as is known. */
  get isUsable(): boolean {
    return this.#isConnected && !this.#socket.destroyed
  }

  get socket(): Socket {
    return this.#socket
  }

  /**
   * Waits for the next request. `now` is the time by the clock of the owner. Returns false if a part of the
   * last request is still unsent, so that the connection must not carry another one: a server that answers
   * before it has read all of a request may take the rest for the next one. With TLS it is known at the end
   * of the turn that something was sent.
   */
  rest(now: number): boolean {
    this.keptUntil = now + this.#keptFor
    return this.#socket.writableLength === 0
  }

  /** Lets the process end while the connection waits. */
  unref(): void {
    this.#keepsProcess = false
    this.#socket.unref()
  }

  /** Sends a request. Returns false if it was given up before; then the connection can carry another one. */
  start(exchange: Http1Call): boolean {
    if (!exchange.begin(this)) return false
    this.#exchange = exchange
    this.#answerBegan = false
    if (!this.#keepsProcess) this.#socket.ref()
    this.#keepsProcess = true
    this.#owner.sending(this.#socket, exchange)
    const { head, body } = exchange
    if (typeof body === 'string') {
      this.#write(head, body)
      exchange.handler.onRequestSent?.()
    } else sendInChunks(this.#socket, exchange, body)
    return true
  }

  pause(): void {
    this.#socket.pause()
  }

  resume(): void {
    this.#socket.resume()
  }

  giveUp(): void {
    this.#exchange = null
    this.destroy()
  }

  /** Closes the connection. `error` is the error of an exchange that is in progress on it. */
  destroy(error?: Error): void {
    this.#socket.destroy(error)
  }

  head(head: ResponseHead): void {
    this.#head = head
    const exchange = this.#exchange
    exchange?.handler.onResponseStart(exchange, head.status, head.fields)
  }

  data(bytes: Buffer, isWhole: boolean): void {
    const exchange = this.#exchange
    if (exchange === null) return
    if (isWhole) handOnBody(exchange.handler, exchange, bytes)
    else exchange.handler.onResponseData(exchange, Buffer.from(bytes))
  }

  end(): void {
    const exchange = this.#exchange
    const head = this.#head
    this.#exchange = null
    this.#head = null
    if (exchange === null || head === null) return
    // The rest of a body that was answered early could be taken for the next request.
    if (exchange.isRepeatable && this.#mayBeKept(head)) {
      if (exchange.paused) this.#socket.resume()
      this.#owner.released(this)
    } else this.destroy()
    exchange.end()
  }

  /** Writes a request at once, and as one text if it is ASCII, so that nothing is encoded twice or copied. */
  #write(head: string, body: string): void {
    const length = Buffer.byteLength(body)
    const wholeHead = `${head}content-length: ${length}\r\n\r\n`
    if (length === body.length) {
      this.#socket.write(wholeHead + body, 'latin1')
      return
    }
    const bytes = Buffer.allocUnsafe(wholeHead.length + length)
    bytes.write(wholeHead, 'latin1')
    bytes.write(body, wholeHead.length)
    this.#socket.write(bytes)
  }

  /** Reads bytes of the socket. Always returns true, so that the socket goes on reading; `pause` stops it. */
  #read(buffer: Buffer, length: number): boolean {
    const exchange = this.#exchange
    // Nobody asked for these bytes: they could be taken for the answer to the next request.
    if (exchange === null) this.destroy()
    else this.#readAnswer(exchange, buffer, length)
    return true
  }

  #readAnswer(exchange: Http1Call, buffer: Buffer, length: number): void {
    if (!this.#answerBegan) {
      this.#answerBegan = true
      exchange.handler.onResponseStarted?.()
    }
    try {
      if (this.#parser.read(buffer, length) < length) this.destroy()
    } catch (error) {
      this.#break(exchange, error)
    }
  }

  /**
   * Fails the exchange and closes the connection, because its answer breaks the rules or a handler has
   * thrown.
   */
  #break(exchange: Http1Call, thrown: unknown): void {
    this.giveUp()
    exchange.failWith(thrown)
  }

  /** Returns whether the other side keeps the connection for another request. */
  #mayBeKept({ keepAlive, keptFor }: ResponseHead): boolean {
    this.#keptFor = keptFor === null ? KEEP_ALIVE : Math.min(keptFor - KEEP_ALIVE_MARGIN, MAX_KEEP_ALIVE)
    return keepAlive && this.#keptFor > 0
  }

  #connect(): void {
    clearTimeout(this.#connectTimer)
    this.#isConnected = true
    this.#owner.connected(this)
  }

  #timeOut(milliseconds: number): void {
    this.#socket.destroy(new ConnectTimeoutError(milliseconds))
  }

  /** Ends the exchange, because the other side sends nothing more. */
  #finish(): void {
    const exchange = this.#exchange
    try {
      if (exchange !== null) this.#parser.finish()
      this.destroy()
    } catch (error) {
      if (exchange !== null) this.#break(exchange, error)
    }
  }

  #close(): void {
    clearTimeout(this.#connectTimer)
    const exchange = this.#exchange
    const error = this.#error ?? new ConnectionClosedError()
    this.#exchange = null
    exchange?.fail(error)
    this.#owner.closed(this, this.#isConnected ? null : error)
  }
}
