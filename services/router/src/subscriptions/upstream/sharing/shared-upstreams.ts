/**
 * Opens subscriptions at subgraphs, of which equal ones share a source. Sources over WebSockets share a
 * connection if their handshakes are equal; each event stream has a connection of its own.
 */
import type { Logger } from '@switchyard/service-kit'
import type { Origins } from '../../../call/origins.ts'
import { httpOriginOf } from '../../../call/subscription-settings.ts'
import type { CircuitBreakers } from '../../../call/policies/circuit/circuit-breakers.ts'
import { EventStream } from '../event-streams/event-stream.ts'
import type { FanOut } from '../../turns/fan-out.ts'
import { UpstreamEvents } from '../events.ts'
import { failedSource } from '../failed-source.ts'
import { refusedByCircuit, stopping } from '../failures.ts'
import { OpeningAttempts } from '../opening-attempts.ts'
import { EventTurns } from '../reading/event-turns.ts'
import { headersByName, ruledHeaders } from '../request-headers.ts'
import type { UpstreamConfig } from '../settings.ts'
import { digest, SharedSources } from './shared-sources.ts'
import type {
  OpenSource,
  UpstreamListener,
  UpstreamOptions,
  UpstreamRequest,
  Upstreams,
} from '../upstream.ts'
import { SharedSocket } from '../web-sockets/shared-socket.ts'

export type SharedUpstreamsOptions = {
  readonly config: UpstreamConfig
  /** Must be prepared, and be disposed later than the subscriptions. */
  readonly origins: Pick<Origins, 'connect' | 'leaseForStreams'>
  /** The circuit breakers of calls, which hold for subscriptions as well. */
  readonly circuits: Pick<CircuitBreakers, 'lease'>
  readonly logger: Logger
  readonly fanOut: FanOut
}

/** The subscriptions of a router at its subgraphs. */
export class SharedUpstreams implements Upstreams, AsyncDisposable {
  readonly #options: SharedUpstreamsOptions
  readonly #events: UpstreamEvents
  readonly #turns = new EventTurns()
  readonly #sources: SharedSources
  readonly #sockets = new Map<string, SharedSocket>()
  #isOver = false

  constructor(options: SharedUpstreamsOptions) {
    this.#options = options
    this.#events = new UpstreamEvents(options.logger)
    this.#sources = new SharedSources({ turns: this.#turns, events: this.#events, fanOut: options.fanOut })
  }

  open(request: UpstreamRequest, options: UpstreamOptions, listener: UpstreamListener): OpenSource {
    const { subgraph } = request
    if (this.#isOver) return failedSource(stopping(subgraph).failure, listener)
    const open = (own: UpstreamListener): OpenSource =>
      options.protocol === 'sse'
        ? this.#openStream(request, options, own)
        : this.#openOnSocket(request, options, own)
    return this.#sources.join(keyOf(request, options), { subgraph, open }, listener)
  }

  /** Closes everything. Nobody is told. Resolves when the connections are gone. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true
    this.#sources.close()
    await Promise.all([...this.#sockets.values()].map((socket) => socket.close()))
  }

  #openStream(request: UpstreamRequest, { exactNumbers }: UpstreamOptions, listener: UpstreamListener) {
    const { config, origins } = this.#options
    const { url, subgraph } = request
    const attempts = this.#begin(subgraph, httpOriginOf(url))
    if (attempts === null) return failedSource(refusedByCircuit(subgraph).failure, listener)
    return new EventStream({
      request,
      listener,
      exactNumbers,
      config,
      attempts,
      pool: origins.leaseForStreams(url.origin, subgraph, config.maxEventStreams),
      turns: this.#turns,
      events: this.#events,
    })
  }

  #openOnSocket(request: UpstreamRequest, { exactNumbers }: UpstreamOptions, listener: UpstreamListener) {
    const socket = this.#socketFor(request)
    if (socket === null) return failedSource(refusedByCircuit(request.subgraph).failure, listener)
    return socket.subscribe(request.body, exactNumbers, listener)
  }

  /** Returns the WebSocket for a subscription. Null if it would have to be made, and the circuit is open. */
  #socketFor({ subgraph, url, headers, initPayload }: UpstreamRequest): SharedSocket | null {
    const { config, origins } = this.#options
    const sent = ruledHeaders(headers)
    const key = digest([subgraph, url.href, sent, initPayload])
    const known = this.#sockets.get(key)
    if (known !== undefined) return known
    const origin = httpOriginOf(url)
    const attempts = this.#begin(subgraph, origin)
    if (attempts === null) return null
    const socket: SharedSocket = new SharedSocket({
      subgraph,
      url,
      headers: headersByName(sent),
      init: JSON.stringify({ type: 'connection_init', payload: initPayload ?? undefined }),
      config,
      attempts,
      turns: this.#turns,
      events: this.#events,
      connect: () => origins.connect(origin, subgraph),
      onOver: () => void (this.#sockets.get(key) === socket && this.#sockets.delete(key)),
    })
    this.#sockets.set(key, socket)
    return socket
  }

  /** Begins the first attempt to open a connection. Returns null if the circuit of the subgraph is open. */
  #begin(subgraph: string, origin: string): OpeningAttempts | null {
    const attempts = new OpeningAttempts(this.#options.circuits.lease(subgraph, origin))
    if (attempts.begin()) return attempts
    attempts[Symbol.dispose]()
    return null
  }
}

function keyOf(request: UpstreamRequest, { protocol, exactNumbers }: UpstreamOptions): string {
  const { subgraph, url, headers, initPayload, body } = request
  const init = protocol === 'sse' ? null : initPayload
  return digest([protocol, exactNumbers, subgraph, url.href, ruledHeaders(headers), init, body])
}
