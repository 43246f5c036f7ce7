/**
 * Opens subscriptions at subgraphs, of which equal ones share a source. Sources over WebSockets share a
 * connection if their handshakes are equal; each event stream has a connection of its own.
 */
import { hash } from 'node:crypto'
import type { Logger } from '@switchyard/service-kit'
import type { Origins } from '../../../call/origins.ts'
import { EventStream } from '../event-streams/event-stream.ts'
import type { FanOut } from '../../turns/fan-out.ts'
import { UpstreamEvents } from '../events.ts'
import { stopping } from '../failures.ts'
import { EventTurns } from '../reading/event-turns.ts'
import { headersByName, ruledHeaders } from '../request-headers.ts'
import type { UpstreamConfig } from '../settings.ts'
import { SharedSource } from './shared-source.ts'
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
  readonly logger: Logger
  readonly fanOut: FanOut
}

/** The subscriptions of a router at its subgraphs. */
export class SharedUpstreams implements Upstreams, AsyncDisposable {
  readonly #options: SharedUpstreamsOptions
  readonly #events: UpstreamEvents
  readonly #turns = new EventTurns()
  readonly #sources = new Map<string, SharedSource>()
  readonly #sockets = new Map<string, SharedSocket>()
  #isOver = false

  constructor(options: SharedUpstreamsOptions) {
    this.#options = options
    this.#events = new UpstreamEvents(options.logger)
  }

  open(request: UpstreamRequest, options: UpstreamOptions, listener: UpstreamListener): OpenSource {
    if (this.#isOver) return refused(request, listener)
    const { subgraph } = request
    const key = keyOf(request, options)
    let source = this.#sources.get(key)
    if (source === undefined) {
      const opened = new SharedSource({
        subgraph,
        turns: this.#turns,
        fanOut: this.#options.fanOut,
        events: this.#events,
        open: (own) =>
          options.protocol === 'sse'
            ? this.#openStream(request, options, own)
            : this.#socketFor(request).subscribe(request.body, options.exactNumbers, own),
        onOver: () => void (this.#sources.get(key) === opened && this.#sources.delete(key)),
      })
      this.#sources.set(key, opened)
      source = opened
    }
    return source.join(listener)
  }

  /** Closes everything. Nobody is told. Resolves when the connections are gone. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true
    for (const source of this.#sources.values()) source.close()
    await Promise.all([...this.#sockets.values()].map((socket) => socket.close()))
  }

  #openStream(request: UpstreamRequest, { exactNumbers }: UpstreamOptions, listener: UpstreamListener) {
    const { config, origins } = this.#options
    const { url, subgraph } = request
    return new EventStream({
      request,
      listener,
      exactNumbers,
      config,
      pool: origins.leaseForStreams(url.origin, subgraph, config.maxEventStreams),
      turns: this.#turns,
      events: this.#events,
    })
  }

  #socketFor({ subgraph, url, headers, initPayload }: UpstreamRequest): SharedSocket {
    const { config, origins } = this.#options
    const sent = ruledHeaders(headers)
    const key = digest([subgraph, url.href, sent, initPayload])
    const known = this.#sockets.get(key)
    if (known !== undefined) return known
    const origin = `${url.protocol === 'wss:' ? 'https:' : 'http:'}//${url.host}`
    const socket: SharedSocket = new SharedSocket({
      subgraph,
      url,
      headers: headersByName(sent),
      init: JSON.stringify({ type: 'connection_init', payload: initPayload ?? undefined }),
      config,
      turns: this.#turns,
      events: this.#events,
      connect: () => origins.connect(origin, subgraph),
      onOver: () => void (this.#sockets.get(key) === socket && this.#sockets.delete(key)),
    })
    this.#sockets.set(key, socket)
    return socket
  }
}

function keyOf(request: UpstreamRequest, { protocol, exactNumbers }: UpstreamOptions): string {
  const { subgraph, url, headers, initPayload, body } = request
  const init = protocol === 'sse' ? null : initPayload
  return digest([protocol, exactNumbers, subgraph, url.href, ruledHeaders(headers), init, body])
}

/** Returns a short text that is equal only for equal values. */
function digest(values: readonly unknown[]): string {
  return hash('sha256', JSON.stringify(values), 'base64')
}

/** Fails a subscription that comes when the router stops. */
function refused({ subgraph }: UpstreamRequest, listener: UpstreamListener): OpenSource {
  const telling = setImmediate(() => listener.failed(stopping(subgraph).failure))
  return { close: () => clearImmediate(telling) }
}
