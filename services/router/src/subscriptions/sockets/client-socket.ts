/**
 * One WebSocket of a client, by the protocol `graphql-transport-ws`: it is initialised once, and then each
 * `subscribe` is an operation, which goes through all stages as a request of its own.
 */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { ClientResponse } from '../../http/client-response.ts'
import type { ClientRequest } from '../../http/virtual-request.ts'
import type { Socket } from 'node:net'
import type { WebSocket } from 'ws'
import type { ByteHolder, HeldBytes } from '../../fairness/byte-shares.ts'
import { type ClientMessage, readMessage } from './client-messages.ts'
import { CLOSE_CODES, closeReason, type ClosingReason, type EndReason } from './closing.ts'
import { readInitPayload } from './init-payload.ts'
import { type CountedWork, Intake } from './intake.ts'
import { Operations } from './operations.ts'
import { Outlet } from './outlet.ts'
import type { SocketsConfig } from './settings.ts'
import { headersOfOperations } from './socket-request.ts'
import { SocketTimes } from './times.ts'
import type { TokenCheck } from '../tokens/token-check.ts'

/** The parts that all WebSockets of a router share. */
export type SocketParts = {
  readonly limits: () => SocketsConfig & { readonly requestTimeout: number; readonly writeTimeout: number }
  /** The header that names the id of a request, in lower case. */
  readonly requestIdHeader: () => string
  /** Answers one operation. */
  readonly serve: (request: ClientRequest, response: ClientResponse) => void
  /** Verifies the token in these headers. */
  readonly checkToken: (headers: IncomingHttpHeaders, client: string) => Promise<TokenCheck>
  /** Opens an account for the bytes that the client has not read. */
  readonly unread: (request: IncomingMessage, holder: ByteHolder) => HeldBytes
  /** Opens an account for the bytes of messages that are not whole. */
  readonly unanswered: (client: string, holder: ByteHolder) => HeldBytes
  readonly defect: (error: unknown) => void
}

/** A WebSocket whose handshake is done. */
export type OpenedSocket = {
  readonly ws: WebSocket
  readonly socket: Socket
  readonly handshake: IncomingMessage
  /** The address that the WebSocket counts for. */
  readonly client: string
  readonly work: CountedWork
  readonly onEnd: (ended: SocketEnd) => void
}

/** The end of a WebSocket. */
export type SocketEnd = {
  readonly reason: EndReason
  /** The code of the close frame; null if there was none. */
  readonly code: number | null
  /** Words about the reason; empty if there are none. */
  readonly detail: string
  readonly milliseconds: number
  readonly operations: number
  readonly headers: IncomingHttpHeaders
}

type Phase = 'new' | 'initialising' | 'ready' | 'leaving' | 'over'

/** Speaks with one client. */
export class ClientSocket {
  readonly #opened: OpenedSocket
  readonly #parts: SocketParts
  readonly #outlet: Outlet
  readonly #intake: Intake
  readonly #operations: Operations
  readonly #times = new SocketTimes()
  #phase: Phase = 'new'
  /** The headers of all operations; those of the handshake until the client has said `connection_init`. */
  #headers: IncomingHttpHeaders
  #takesParts = false

  constructor(opened: OpenedSocket, parts: SocketParts) {
    const { ws, socket, handshake, client, work } = opened
    this.#opened = opened
    this.#parts = parts
    this.#headers = handshake.headers
    this.#outlet = new Outlet(ws, socket, {
      account: (holder) => parts.unread(handshake, holder),
      writeTimeout: () => parts.limits().writeTimeout,
      onFull: () => this.#intake.pause('unread'),
      onRoom: () => this.#intake.resume('unread'),
      onStalled: () => this.#cut('stalled'),
    })
    this.#intake = new Intake(ws, socket, {
      perSecond: () => parts.limits().maxMessagesPerSecond,
      account: (holder) => parts.unanswered(client, holder),
      work,
      onText: (text) => this.#read(text),
      onBinary: () => this.close('bad-message', 'Invalid message: expected text'),
      onPing: (data) => this.#outlet.pong(data),
      onPong: () => this.#times.ponged(),
      onGiveWay: () => this.#cut('half-message'),
    })
    this.#operations = new Operations({
      outlet: this.#outlet,
      serve: parts.serve,
      onOver: (code) => this.#operationOver(code),
    })
    ws.on('error', (error: Error & { readonly code?: string }) =>
      this.#end('frame', null, error.code ?? error.message),
    )
    ws.on('close', (code: number) => {
      if (code === NO_CLOSE_FRAME) this.#end('lost', null, '')
      else this.#end('client', code, '')
    })
  }

  /** The number of operations in progress. */
  get operations(): number {
    return this.#operations.size
  }

  /** Does what is due. */
  look(now: number): void {
    if (this.#phase === 'over') return
    const due = this.#times.due(now, this.#parts.limits(), {
      isReady: this.#phase === 'ready',
      isBusy: this.operations > 0,
      messageSince: this.#intake.waitsSince,
    })
    if (due === 'ping') {
      this.#times.pinged(now)
      this.#opened.ws.ping()
    } else if (due === 'no-pong' || due === 'half-message') this.#cut(due)
    else if (due !== null) this.close(due, DETAILS[due])
    else if (now >= this.#times.tokenCheck) {
      this.#times.tokenChecked(now, null)
      this.#checkToken((check) => check)
    }
  }

  /**
   * Closes the WebSocket as soon as the queries and mutations in progress are answered. Subscriptions end
   * without a message, since clients go on with them elsewhere.
   */
  leave(): void {
    if (this.#phase === 'over') return
    this.#phase = 'leaving'
    this.#operations.leave()
    this.#closeIfLeft()
  }

  /** Closes the WebSocket with the code of the reason. Operations in progress end without a message. */
  close(reason: ClosingReason, detail: string): void {
    if (this.#phase === 'over') return
    const code = CLOSE_CODES[reason]
    this.#end(reason, code, detail)
    this.#opened.ws.close(code, closeReason(detail))
  }

  #read(text: string): void {
    // A router that leaves begins nothing more: the client asks again at another one.
    if (this.#phase === 'over' || this.#phase === 'leaving') return
    const message = readMessage(text)
    if (message.type === 'invalid') this.close('bad-message', message.reason)
    else this.#answer(message)
  }

  #answer(message: ClientMessage): void {
    switch (message.type) {
      case 'connection_init':
        return this.#initialise(message.payload)
      case 'ping':
        return this.#outlet.text(pongWith(message.payload))
      case 'pong':
        return
      case 'subscribe':
        return this.#subscribe(message)
      case 'complete':
        return this.#operations.cancel(message.id)
      default:
        message satisfies never
    }
  }

  #initialise(payload: Readonly<Record<string, unknown>> | null): void {
    if (this.#phase !== 'new') return this.close('initialised-twice', 'Too many initialisation requests')
    const said = readInitPayload(payload, this.#parts.limits().initHeaders)
    if (said.kind === 'invalid') return this.close('bad-message', said.reason)
    this.#phase = 'initialising'
    this.#takesParts = said.takesParts
    this.#headers = headersOfOperations(
      this.#opened.handshake.headers,
      said.headers,
      this.#parts.requestIdHeader(),
    )
    this.#checkToken(() => {
      this.#phase = 'ready'
      this.#outlet.text('{"type":"connection_ack"}')
    })
  }

  /** Calls `good` if the token is good and the WebSocket is still there. */
  #checkToken(good: (check: TokenCheck) => void): void {
    const { client } = this.#opened
    this.#parts.checkToken(this.#headers, client).then(
      (check) => {
        const isFirst = this.#phase === 'initialising'
        if (this.#phase === 'over') return
        if (check.kind === 'bad') return this.close('forbidden', check.detail)
        if (check.kind === 'unknown' && isFirst) return this.close('unavailable', check.detail)
        this.#times.tokenChecked(performance.now(), check.kind === 'good' ? check.expires : null)
        if (this.#phase !== 'leaving') good(check)
      },
      (error: unknown) => {
        this.#parts.defect(error)
        this.close('unavailable', 'The router failed to check the token')
      },
    )
  }

  #subscribe({ id, payload }: { readonly id: string; readonly payload: string }): void {
    if (this.#phase !== 'ready') return this.close('not-initialised', 'Unauthorized')
    if (this.#operations.has(id)) return this.close('id-in-use', `Subscriber for ${id} already exists`)
    const { maxOperations } = this.#parts.limits()
    if (this.operations < maxOperations) {
      const { handshake } = this.#opened
      const client = { handshake, headers: this.#headers, takesParts: this.#takesParts }
      return this.#operations.begin(id, payload, client)
    }
    const message = `This WebSocket has the ${maxOperations} operations in progress that are allowed. Complete one, or open another WebSocket.`
    const errors = [{ message, extensions: { code: 'OVERLOADED' } }]
    this.#outlet.text(JSON.stringify({ id, type: 'error', payload: errors }))
  }

  #operationOver(code: string | null): void {
    this.#times.idleSince = performance.now()
    // All operations have the same token.
    if (code === 'TOKEN_INVALID') this.close('forbidden', 'The token is not valid any more')
    this.#closeIfLeft()
  }

  #closeIfLeft(): void {
    if (this.#phase === 'leaving' && this.operations === 0) this.close('draining', DETAILS.draining)
  }

  #cut(reason: 'stalled' | 'no-pong' | 'half-message'): void {
    this.#end(reason, null, '')
    this.#opened.ws.terminate()
  }

  #end(reason: EndReason, code: number | null, detail: string): void {
    if (this.#phase === 'over') return
    this.#phase = 'over'
    this.#operations.cancelAll()
    this.#intake[Symbol.dispose]()
    const { begun: operations } = this.#operations
    const milliseconds = performance.now() - this.#times.opened
    this.#opened.onEnd({ reason, code, detail, milliseconds, operations, headers: this.#headers })
  }
}

/** The code that `ws` gives a connection that ended without a close frame. */
const NO_CLOSE_FRAME = 1006

const DETAILS = {
  'init-timeout': 'Connection initialisation timeout',
  idle: 'No operation is in progress',
  age: 'The WebSocket is as old as it may become',
  draining: 'The router is stopping',
} as const

function pongWith(payload: string | null): string {
  return payload === null ? '{"type":"pong"}' : `{"type":"pong","payload":${payload}}`
}
