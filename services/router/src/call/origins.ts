/**
 * Keeps one connection pool per origin, shared by all generations: a swap keeps the warm connections of every
 * subgraph that stays where it is. A pool is closed when the last generation that names its origin is gone.
 * Subgraphs at one origin share its pool, unless they differ in their TLS settings, in HTTP/2, or in the Unix
 * socket that they listen on.
 */
import type { OnReadOpts, Socket } from 'node:net'
import { SocketTurns } from '@switchyard/service-kit'
import { FairConnectionLine } from '../fairness/connection-line.ts'
import { subgraphConfigOf } from '../settings/per-subgraph.ts'
import type { SubgraphConfig, SubgraphsConfig } from './settings.ts'
import { type AddressGuard, createAddressGuard, type Resolve } from '../addresses/address-guard.ts'
import { Connector } from '../transport/connector.ts'
import type { CallHandler, CallPool } from '../transport/dispatch/call-pool.ts'
import { ConnectionPool } from '../transport/http1/connection-pool.ts'
import { READ_SIZE } from '../transport/http1/limits.ts'
import { type Lease, LeasedValues } from '../memory/leased-values.ts'
import type { LoadWatch } from '../transport/load/load-watch.ts'
import { RenewedPool } from '../transport/tls/renewed-pool.ts'
import { SubgraphTls } from '../transport/tls/subgraph-tls.ts'
import type { SecureOptions, TlsProfile } from '../transport/tls/tls-profile.ts'

/** The settings of connections to one subgraph. */
export type ConnectionWay = Pick<SubgraphConfig, 'socketPath' | 'http2'>

/** The settings of connections. */
export type ConnectionSettings = Pick<
  SubgraphsConfig,
  'maxConnections' | 'connectTimeout' | 'allowedNetworks' | 'allowedHosts'
> & {
  readonly all: ConnectionWay
  readonly bySubgraph: ReadonlyMap<string, ConnectionWay>
}

/** The options of a router's pools. */
export type OriginsOptions = {
  readonly loads: LoadWatch
  /** How connections are secured. Absent, Node.js uses its defaults. */
  readonly tls?: SubgraphTls
  /** Looks names up; tests replace the system's. */
  readonly resolve?: Resolve
}

/**
 * Connectors that are kept for further WebSockets. Each has a TLS session and the certificates as OpenSSL has
 * them, so that the next connection is made faster.
 */
const MAX_CONNECTORS = 256

/** The connections to one origin. */
export type LeasedPool = Lease<CallPool> & {
  /** A key that is equal only for pools that reach the same server with the same credentials. */
  readonly key: string
}

/** How an origin is called. */
type Way = {
  readonly tls: TlsProfile | null
  readonly socketPath: string | null
  readonly http2: boolean
}

/** The connection pools of a router, by origin. */
export class Origins implements AsyncDisposable {
  readonly #pools = new LeasedValues<CallPool>((pool) => this.#close(pool))
  readonly #closing = new Set<Promise<unknown>>()
  /** The connectors for WebSockets, whose connections are no part of a pool. */
  readonly #connectors = new Map<
    string,
    { readonly secure: SecureOptions | null; readonly connector: Connector }
  >()
  readonly #config: ConnectionSettings
  readonly #loads: LoadWatch
  readonly #tls: SubgraphTls
  readonly #guard: AddressGuard
  /** The turns in which HTTP/2 connections are read, because Node.js reads those by itself. */
  readonly #turns = new SocketTurns(new FairConnectionLine())
  readonly #readBuffer = Buffer.allocUnsafeSlow(READ_SIZE)
  #http2: typeof import('../transport/http2/http2-pool.ts') | null = null

  constructor(config: ConnectionSettings, { loads, tls = SubgraphTls.none, resolve }: OriginsOptions) {
    this.#config = config
    this.#loads = loads
    this.#tls = tls
    this.#guard = createAddressGuard(config, resolve)
  }

  /**
   * Returns the reason why a subgraph at `origin` will never be called. Null if that is only known when the
   * router connects. A Unix socket is always allowed, because the settings name it themselves, and the host
   * is not connected to.
   */
  objectionTo(origin: string, subgraph: string): Error | null {
    if (subgraphConfigOf(this.#config, subgraph).socketPath !== null) return null
    return this.#guard.objectionTo(new URL(origin).hostname)
  }

  /** Loads the client of HTTP/2, unless no subgraph is called over it or it is loaded. */
  async prepare(): Promise<void> {
    const { all, bySubgraph } = this.#config
    if ([all, ...bySubgraph.values()].some(({ http2 }) => http2))
      this.#http2 ??= await import('../transport/http2/http2-pool.ts')
  }

  /** Leases the pool for calls of a subgraph. The origin must have been prepared. */
  lease(origin: string, subgraph: string): LeasedPool {
    const { url, way } = this.#wayTo(origin, subgraph)
    const key = keyOf(origin, way)
    const { maxConnections } = this.#config
    return { ...this.#pools.lease(key, () => this.#open(url, way, maxConnections)), key }
  }

  /**
   * Leases a pool for event streams of a subgraph, which last as long as their clients like. The pool is not
   * the one of calls, so that streams take no connections from them. The origin must have been prepared.
   */
  leaseForStreams(origin: string, subgraph: string, maxConnections: number): LeasedPool {
    const { url, way } = this.#wayTo(origin, subgraph)
    const key = `${keyOf(origin, way)} event streams`
    return { ...this.#pools.lease(key, () => this.#open(url, way, maxConnections)), key }
  }

  /** Begins to connect to a subgraph for a WebSocket. Throws if the settings do not allow the address. */
  connect(origin: string, subgraph: string): Socket {
    const { url, way } = this.#wayTo(origin, subgraph)
    const secure = url.protocol === 'https:' ? (way.tls?.current ?? {}) : null
    const key = keyOf(origin, way)
    let known = this.#connectors.get(key)
    // Renewed certificates are options of their own.
    if (known === undefined || (way.tls !== null && known.secure !== secure)) {
      const { socketPath } = way
      const options = { origin: url, socketPath, guard: this.#guard, secure, protocol: 'http/1.1' } as const
      known = { secure, connector: new Connector(options) }
      if (this.#connectors.size >= MAX_CONNECTORS) this.#connectors.clear()
      this.#connectors.set(key, known)
    }
    return known.connector.open()
  }

  #wayTo(origin: string, subgraph: string): { readonly url: URL; readonly way: Way } {
    const url = new URL(origin)
    const tls = url.protocol === 'https:' ? this.#tls.of(subgraph) : null
    const { socketPath, http2 } = subgraphConfigOf(this.#config, subgraph)
    return { url, way: { tls, socketPath, http2 } }
  }

  #open(origin: URL, way: Way, maxConnections: number): CallPool {
    const { tls } = way
    const open = (secure: SecureOptions | null) => this.#openPool(origin, way, secure, maxConnections)
    if (origin.protocol !== 'https:') return open(null)
    if (tls === null) return open({})
    return new RenewedPool(
      () => open(tls.current),
      (listener) => tls.onRenewed(listener),
    )
  }

  /** Opens a pool of connections. They are not secured if `secure` is null. */
  #openPool(
    origin: URL,
    { socketPath, http2 }: Way,
    secure: SecureOptions | null,
    maxConnections: number,
  ): CallPool {
    const { connectTimeout } = this.#config
    const protocol = http2 ? 'h2' : 'http/1.1'
    const connector = new Connector({ origin, socketPath, guard: this.#guard, secure, protocol })
    const open = (handler: CallHandler, onread?: OnReadOpts): Socket => {
      const socket = connector.open(onread)
      this.#loads.connecting(socket, connector.host, handler)
      return socket
    }
    const sending = (socket: Socket, handler: CallHandler, isFirst?: boolean) =>
      this.#loads.sending(socket, handler, isFirst)
    const options = { origin, maxConnections, connectTimeout, sending }
    if (!http2)
      return new ConnectionPool({
        ...options,
        readBuffer: this.#readBuffer,
        open: (onread, handler) => open(handler, onread),
      })
    if (this.#http2 === null) throw new Error(`${origin.origin} was leased before its client was loaded`)
    return new this.#http2.Http2Pool({ ...options, turns: this.#turns, open })
  }

  #close(pool: CallPool): void {
    const closing = pool
      .close()
      .catch(() => {})
      .finally(() => this.#closing.delete(closing))
    this.#closing.add(closing)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#pools.takeAll().map((pool) => pool.destroy()), ...this.#closing])
  }
}

/**
 * Returns the key of the pool. Its parts cannot run into each other, and a path of a URL can follow: an
 * origin has no space in it, and the end of a JSON text is known.
 */
function keyOf(origin: string, { tls, socketPath, http2 }: Way): string {
  const parts = [origin]
  if (http2) parts.push('HTTP/2')
  if (tls !== null) parts.push(tls.key)
  if (socketPath !== null) parts.push(`unix:${JSON.stringify(socketPath)}`)
  return parts.join(' ')
}
