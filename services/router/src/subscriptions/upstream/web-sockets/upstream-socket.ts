/**
 * One WebSocket to a subgraph, from connecting to its end, in the protocol graphql-transport-ws.
 *
 * Messages are read in turns, in their order, and the end of the connection comes after the last message. A
 * message that breaks the protocol is counted and skipped; a server that sends many of them is left.
 */
import type { Socket } from 'node:net'
import { WebSocket } from 'ws'
import { brokenProtocol, type Fault, fellSilent, openedTooLate, refusedByStatus } from '../failures.ts'
import { MessageQueue } from '../reading/message-queue.ts'
import type { EventTurns } from '../reading/event-turns.ts'
import { MOST_NONSENSE, NonsenseCount } from '../reading/nonsense-count.ts'
import { readLarge, readSmall, SMALL_MESSAGE } from '../reading/read-message.ts'
import type { Nonsense, UpstreamEvents } from '../events.ts'
import type { UpstreamConfig } from '../settings.ts'
import { LifeSigns } from './life-signs.ts'
import { CLOSE, faultOfBeginning, faultOfClose, faultOfError, HandshakeError } from './socket-faults.ts'
import { SUBPROTOCOL } from '../../../http/subprotocol.ts'
import { type ServerMessage, serverMessageOf } from './server-messages.ts'

/** Bytes that the server has not taken, beyond which its pings are not answered. */
const MOST_UNSENT = 64 * 1024

/** Bytes that may come while the connection is being closed. */
const MOST_UNREAD = 64 * 1024

/** Milliseconds that the server has to answer a close frame. */
const CLOSE_TIMEOUT = 1000

/** Receives what comes on a WebSocket. */
export interface SocketOwner {
  /** The server has accepted the connection. */
  acknowledged(): void
  /** Returns whether the message belongs to a subscription that the socket has, or had. */
  received(message: ServerMessage & { readonly id: string }, bytes: number): boolean
  /** Returns whether numbers of this subscription are read as they are written. */
  isExact(id: string): boolean
  /** The connection is over. Called once, unless the socket was closed by its owner. */
  ended(fault: Fault): void
}

export type UpstreamSocketOptions = {
  readonly subgraph: string
  /** The address, with `ws:` or `wss:`. */
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  /** The message `connection_init`. */
  readonly init: string
  readonly config: UpstreamConfig
  readonly turns: EventTurns
  readonly events: UpstreamEvents
  /** Begins to connect. Throws if that is not allowed. */
  readonly connect: () => Socket
  readonly owner: SocketOwner
}

/** The WebSocket. It begins to connect at once, and tells its owner nothing in the same turn. */
export class UpstreamSocket {
  readonly #options: UpstreamSocketOptions
  readonly #queue: MessageQueue<Buffer>
  readonly #life: LifeSigns
  readonly #nonsense: NonsenseCount
  readonly #closed = Promise.withResolvers<void>()
  #socket: WebSocket | null = null
  #isAcknowledged = false
  #isOver = false
  /** The reason for which the connection ends, as soon as it is known. */
  #fault: Fault | null = null
  /** Limits the time of opening the connection, and later the time of closing it. */
  #timer: NodeJS.Timeout | undefined
  /** Bytes that have come since the connection is being closed. Null before. */
  #afterClose: number | null = null

  constructor(options: UpstreamSocketOptions) {
    const { subgraph, config, turns, events, connect } = options
    this.#options = options
    this.#nonsense = new NonsenseCount(subgraph, events)
    this.#queue = new MessageQueue({
      turns,
      sizeOf: (message) => message.length,
      read: (message) => this.#read(message),
      pause: () => this.#socket?.pause(),
      resume: () => this.#socket?.resume(),
    })
    this.#life = new LifeSigns({
      interval: config.pingInterval,
      isDeaf: () => this.#queue.isPaused,
      ping: () => this.#socket?.ping(),
      gone: () => this.#fail(fellSilent(subgraph)),
    })
    const { openTimeout } = config
    this.#timer = setTimeout(() => this.#fail(openedTooLate(subgraph, openTimeout)), openTimeout)
    try {
      this.#socket = this.#begin(connect())
    } catch (error) {
      setImmediate(() => this.#fail(faultOfBeginning(subgraph, error)))
    }
  }

  /** True if the server has accepted the connection, and it is open. */
  get isReady(): boolean {
    return this.#isAcknowledged && this.#fault === null && !this.#isOver
  }

  /** Resolves when the connection is gone. */
  get closed(): Promise<void> {
    return this.#closed.promise
  }

  send(message: string): void {
    if (this.isReady) this.#socket?.send(message)
  }

  /** Closes the connection. The owner is told nothing more. */
  close(code: number): void {
    if (this.#isOver) return
    this.#end()
    this.#queue[Symbol.dispose]()
    // A connection that is being made is just given up.
    this.#leave(this.#isAcknowledged ? code : null)
  }

  #begin(connection: Socket): WebSocket {
    const { config, events, subgraph, init } = this.#options
    const socket = openWebSocket(connection, this.#options)
    events.connected(SUBPROTOCOL)
    return socket
      .on('unexpected-response', (_request, { statusCode = 0 }) =>
        this.#fail(refusedByStatus(subgraph, statusCode)),
      )
      .on('open', () => {
        connection.on('data', ({ length }: Buffer) => this.#count(length))
        socket.send(init)
      })
      .on('message', (data, isBinary) => this.#arrived(data, isBinary))
      .on('ping', () => this.#life.heard())
      .on('pong', () => this.#life.heard())
      .on('error', (error) =>
        this.#fail(faultOfError(subgraph, this.#isAcknowledged, error, config.maxEventSize)),
      )
      .on('close', (code, reason) => this.#closedBy(code, reason.toString()))
  }

  /**
   * Counts bytes of the connection, whatever is in them. A server that goes on sending while the connection
   * is being closed is not waited for.
   */
  #count(bytes: number): void {
    if (this.#afterClose === null) return this.#queue.arrived(bytes)
    this.#afterClose += bytes
    if (this.#afterClose > MOST_UNREAD) this.#socket?.terminate()
  }

  #arrived(data: WebSocket.RawData, isBinary: boolean): void {
    this.#life.heard()
    if (this.#fault !== null) return
    if (isBinary || !Buffer.isBuffer(data)) this.#skip('binary')
    else this.#queue.push(data)
  }

  #read(message: Buffer): Promise<void> | undefined {
    if (message.length > SMALL_MESSAGE) return this.#readInTurns(message)
    this.#take(readSmall(message, this.#isExact), message.length)
    return undefined
  }

  async #readInTurns(message: Buffer): Promise<void> {
    this.#take(await readLarge(message, this.#isExact, this.#options.turns), message.length)
  }

  readonly #isExact = (value: unknown): boolean => {
    const message = serverMessageOf(value)
    if (message?.type === 'error') return true
    if (message?.type !== 'next') return false
    return 'errors' in message.payload || this.#options.owner.isExact(message.id)
  }

  #take(value: unknown, bytes: number): void {
    if (this.#isOver) return
    const message = serverMessageOf(value)
    if (message === null) return this.#skip(value === undefined ? 'not-json' : 'no-message')
    switch (message.type) {
      case 'connection_ack':
        return this.#isAcknowledged ? this.#skip('no-message') : this.#acknowledged()
      case 'ping':
        return answerPing(this.#socket)
      case 'pong':
        return
      case 'next':
      case 'error':
      case 'complete':
        if (!this.#isAcknowledged || !this.#options.owner.received(message, bytes)) this.#skip('unknown-id')
        return
      default:
        message satisfies never
    }
  }

  #acknowledged(): void {
    clearTimeout(this.#timer)
    this.#isAcknowledged = true
    this.#life.start()
    this.#options.owner.acknowledged()
  }

  #skip(kind: Nonsense): void {
    if (!this.#nonsense.isTooMuch(kind)) return
    const problem = `sent ${MOST_NONSENSE} messages that are none of ${SUBPROTOCOL}`
    this.#fail(brokenProtocol(this.#options.subgraph, problem, true), CLOSE.badRequest)
  }

  /** Ends the connection. */
  #fail(fault: Fault, code: number | null = null): void {
    if (this.#fault !== null || this.#isOver) return
    this.#fault = fault
    this.#leave(code)
    this.#tellEnd(fault)
  }

  /** Closes the WebSocket, with a close frame unless the code is null. */
  #leave(code: number | null): void {
    const socket = this.#socket
    clearTimeout(this.#timer)
    if (socket === null) return
    if (code === null) return socket.terminate()
    this.#afterClose = 0
    socket.close(code)
    // A paused socket would not see the answer.
    socket.resume()
    this.#timer = setTimeout(() => socket.terminate(), CLOSE_TIMEOUT)
  }

  #closedBy(code: number, reason: string): void {
    clearTimeout(this.#timer)
    this.#options.events.disconnected(SUBPROTOCOL)
    this.#closed.resolve()
    if (this.#fault !== null || this.#isOver) return
    this.#fault = faultOfClose(this.#options.subgraph, this.#isAcknowledged, code, reason)
    this.#tellEnd(this.#fault)
  }

  #tellEnd(fault: Fault): void {
    this.#life.stop()
    this.#queue.end(() => {
      if (this.#isOver) return
      this.#end()
      this.#options.owner.ended(fault)
    })
  }

  #end(): void {
    this.#isOver = true
    this.#life.stop()
    if (this.#socket === null) this.#closed.resolve()
  }
}

/** Begins the handshake on a connection. Throws HandshakeError. */
function openWebSocket(
  connection: Socket,
  { url, headers, config }: Pick<UpstreamSocketOptions, 'url' | 'headers' | 'config'>,
): WebSocket {
  // Until node:http listens, an error of the connection would have no listener.
  connection.on('error', () => {})
  try {
    return new WebSocket(url, SUBPROTOCOL, {
      headers,
      createConnection: () => connection,
      perMessageDeflate: false,
      followRedirects: false,
      maxPayload: config.maxEventSize,
    })
  } catch (error) {
    connection.destroy()
    throw new HandshakeError('The handshake cannot be sent.', { cause: error })
  }
}

/** Answers a ping, unless the server sends many and takes no answers. */
function answerPing(socket: WebSocket | null): void {
  if (socket === null || socket.bufferedAmount > MOST_UNSENT) return
  if (socket.readyState === WebSocket.OPEN) socket.send('{"type":"pong"}')
}
