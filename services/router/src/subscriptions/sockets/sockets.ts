/** WebSockets of clients: who may open one, and how it is opened. */
import type { IncomingMessage } from 'node:http'
import type { ClientResponse } from '../../http/client-response.ts'
import type { ClientRequest } from '../../http/virtual-request.ts'
import type { ServerOptions, WebSocketServer } from 'ws'
import { ClientIdentification } from '../../concerns/client-names/client-identification.ts'
import { HttpError } from '../../errors/http-error.ts'
import type { ByteShares } from '../../fairness/byte-shares.ts'
import { hostFault, repetitionFault } from '../../http/message-checks.ts'
import type { Connections } from '../../listen/connections.ts'
import { mayUpgrade, type UpgradedConnection, type Upgrades } from '../../listen/upgrades.ts'
import type { UnsentAnswers } from '../../listen/unsent-answers.ts'
import { ClientSocket, type SocketParts } from './client-socket.ts'
import type { SocketEvents } from './events.ts'
import {
  asksForSocket,
  handshakeFault,
  isFor,
  speaksSubprotocol,
  subprotocolRefused,
  switchedOff,
} from './handshake.ts'
import { SUBPROTOCOL } from '../../http/subprotocol.ts'
import { OpenSockets } from './open-sockets.ts'
import { originFault, type OriginRules } from '../pages/origin.ts'
import type { SocketsConfig } from './settings.ts'
import { checkToken, type Identifying } from '../tokens/token-check.ts'

/** The settings that WebSockets depend on. */
export type SocketsSettings = OriginRules & {
  readonly basePath: string
  readonly subscriptions: { readonly enabled: boolean; readonly sockets: SocketsConfig }
  readonly limits: { readonly bodySize: number }
  readonly traffic: { readonly requestTimeout: number; readonly writeTimeout: number }
  readonly requestId: { readonly header: string }
  readonly clientIdentification: {
    readonly nameHeaders: readonly string[]
    readonly versionHeaders: readonly string[]
  }
}

/** The parts of a router that WebSockets are opened with. */
export type SocketsOptions = {
  /** The settings in force. */
  readonly settings: () => SocketsSettings
  /** Answers one operation by the settings in force. */
  readonly serve: (request: ClientRequest, response: ClientResponse) => void
  /** Null if the router takes no tokens. */
  readonly authentication: () => Identifying | null
  readonly connections: Connections
  /** Bytes that clients have not read, and bytes of messages that are not whole. */
  readonly unsent: UnsentAnswers
  readonly unanswered: ByteShares
  readonly isDraining: () => boolean
  readonly events: SocketEvents
  readonly onDefect: (error: unknown) => void
}

/** Milliseconds that clients have to read a close frame when the router stops. */
const LAST_WORDS = 1000
/** Milliseconds that clients have to answer a close frame. */
const CLOSE_TIMEOUT = 5000
/** Pieces that a message of any size may come in, and bytes for each further piece. */
const PIECES = { fragments: { least: 1024, bytes: 1024 }, chunks: { least: 16_384, bytes: 256 } }
/** Bytes of a message around its payload. */
const ENVELOPE = 4096
const LARGEST = 2 ** 31 - 1

/** Opens WebSockets, and knows those that are open. */
export class Sockets implements Upgrades {
  readonly #options: SocketsOptions
  readonly #open: OpenSockets
  readonly #parts: SocketParts
  /** The class of the library; null before `prepare`. */
  #Server: typeof WebSocketServer | null = null
  #server: { readonly bodySize: number; readonly server: WebSocketServer } | null = null

  constructor(options: SocketsOptions) {
    this.#options = options
    this.#open = new OpenSockets(options.onDefect)
    this.#parts = partsOf(options)
  }

  /**
   * Loads the library, which takes 40 ms of CPU and 2 MB. To be called before settings are in force that
   * switch WebSockets on.
   */
  async prepare(): Promise<void> {
    const { WebSocketServer: Server } = await import('ws')
    this.#Server = Server
  }

  get size(): number {
    return this.#open.size
  }

  /** The number of operations in progress. */
  get operations(): number {
    return this.#open.operations
  }

  accepts(request: IncomingMessage): boolean {
    if (!this.#isAsked(request) || !this.#isOn() || !mayUpgrade(request)) return false
    if (hostFault(request) !== null || repetitionFault(request) !== null) return false
    return this.#fault(request) === null
  }

  /** Returns why a request that was not accepted gets no WebSocket. Null if it asked for none. */
  refusal(request: IncomingMessage): HttpError | null {
    if (!this.#isAsked(request)) return null
    if (!this.#isOn()) {
      this.#options.events.switchedOff()
      return switchedOff()
    }
    const fault = this.#fault(request)
    if (!speaksSubprotocol(request) && handshakeFault(request) === null)
      this.#options.events.subprotocolRefused(request.headers['sec-websocket-protocol'] ?? '')
    return fault ?? new HttpError('BAD_REQUEST', NOT_ALONE)
  }

  open({ request, socket, head, work }: UpgradedConnection): void {
    const { connections, events } = this.#options
    this.#serverOf()?.handleUpgrade(request, socket, head, (ws) => {
      const client = connections.clientOf(request)
      // While it is open, the connection is not closed for others.
      const held = connections.hold(socket)
      const opened: ClientSocket = new ClientSocket(
        {
          ws,
          socket,
          handshake: request,
          client,
          work,
          onEnd: ({ headers, ...ended }) => {
            this.#open.delete(opened)
            held?.[Symbol.dispose]()
            events.ended({ ...ended, client: this.#nameIn(headers) })
          },
        },
        this.#parts,
      )
      this.#open.add(client, opened)
      if (this.#options.isDraining()) opened.leave()
    })
  }

  drain(): void {
    this.#open.each((socket) => socket.leave()).catch(this.#options.onDefect)
  }

  async close(): Promise<void> {
    const stopped = this.#open.each((socket) => socket.close('draining', 'The router is stopping'))
    await Promise.all([stopped, this.#open.empty(LAST_WORDS)])
    this.#open[Symbol.dispose]()
  }

  #isAsked(request: IncomingMessage): boolean {
    if (request.headers.upgrade === undefined || !asksForSocket(request)) return false
    return isFor(request, `${this.#options.settings().basePath}/graphql`)
  }

  #isOn(): boolean {
    return this.#Server !== null && this.#options.settings().subscriptions.enabled
  }

  #fault(request: IncomingMessage): HttpError | null {
    const { settings, isDraining, connections } = this.#options
    if (isDraining()) return new HttpError('DRAINING', LEAVING, RETRY)
    const invalid = handshakeFault(request)
    if (invalid !== null) return invalid
    const foreign = originFault(request, settings())
    if (foreign !== null) return new HttpError('CSRF_PREVENTED', foreign)
    if (!speaksSubprotocol(request)) return subprotocolRefused()
    const { max, maxPerClient } = settings().subscriptions.sockets
    if (this.#open.size >= max) return tooMany(`the ${max} WebSockets that are allowed together`)
    if (this.#open.countOf(connections.clientOf(request)) < maxPerClient) return null
    return tooMany(`the ${maxPerClient} WebSockets that are allowed for one client address`)
  }

  /** A server for the limit in force: WebSockets keep the limit that they were opened with. */
  #serverOf(): WebSocketServer | null {
    if (this.#Server === null) return null
    const { bodySize } = this.#options.settings().limits
    if (this.#server?.bodySize !== bodySize)
      this.#server = { bodySize, server: new this.#Server(optionsFor(bodySize)) }
    return this.#server.server
  }

  #nameIn(headers: IncomingMessage['headers']): string {
    const { nameHeaders, versionHeaders } = this.#options.settings().clientIdentification
    return new ClientIdentification(nameHeaders, versionHeaders).of(headers).name
  }
}

function optionsFor(bodySize: number): ServerOptions {
  const pieces = ({ least, bytes }: { least: number; bytes: number }): number =>
    Math.min(LARGEST, Math.max(least, Math.ceil(bodySize / bytes)))
  // The types of the library do not know `closeTimeout` yet.
  const options: ServerOptions & { readonly closeTimeout: number } = {
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    // Each message has a turn of the event loop, however many come at once.
    allowSynchronousEvents: false,
    autoPong: false,
    closeTimeout: CLOSE_TIMEOUT,
    maxPayload: Math.min(LARGEST, bodySize + ENVELOPE),
    maxFragments: pieces(PIECES.fragments),
    maxBufferedChunks: pieces(PIECES.chunks),
    handleProtocols: () => SUBPROTOCOL,
  }
  return options
}

function partsOf(options: SocketsOptions): SocketParts {
  const { settings, serve, authentication, unsent, unanswered, onDefect } = options
  return {
    limits: () => ({ ...settings().subscriptions.sockets, ...settings().traffic }),
    requestIdHeader: () => settings().requestId.header.toLowerCase(),
    serve,
    checkToken: (headers, client) =>
      checkToken(authentication(), headers, () => ({ address: client, name: '' })),
    unread: (request, holder) => unsent.open(request, holder),
    unanswered: (client, holder) => unanswered.open(client, holder),
    defect: onDefect,
  }
}

const RETRY = { 'Retry-After': '1' }
const LEAVING = 'This router is stopping. Try again: another one will answer.'
const NOT_ALONE =
  'A WebSocket cannot be opened on a connection on which an earlier request is not answered yet.'

function tooMany(what: string): HttpError {
  return new HttpError('OVERLOADED', `There are ${what} already. Close one, or try again later.`, RETRY)
}
