/**
 * One connection pool per origin, shared by all generations: a swap keeps the warm connections of every
 * subgraph that stays where it is. A pool is closed when the last generation that names its origin is gone.
 * Subgraphs at one origin share its pool, unless their connections are secured in different ways, or the
 * settings say that one of them listens on a Unix socket.
 */
import { connect, type OnReadOpts, type Socket } from 'node:net'
import type { SubgraphsConfig } from '../config/router-config.ts'
import { type AddressGuard, createAddressGuard, type Resolve } from '../addresses/address-guard.ts'
import type { CallPool } from './call-pool.ts'
import { ConnectionPool } from './http1/connection-pool.ts'
import { READ_SIZE } from './http1/limits.ts'
import { type Lease, LeasedValues } from './leased-values.ts'
import type { LoadWatch } from './load/load-watch.ts'
import { RenewedPool } from './tls/renewed-pool.ts'
import { SubgraphTls } from './tls/subgraph-tls.ts'
import type { SecureOptions, TlsProfile } from './tls/tls-profile.ts'

/** The settings of connections. */
export type ConnectionSettings = Pick<
  SubgraphsConfig,
  | 'maxConnections'
  | 'connectTimeout'
  | 'httpClient'
  | 'allowedNetworks'
  | 'allowedHosts'
  | 'socketPathBySubgraph'
>

/** What pools are made with. */
export type OriginsOptions = {
  readonly loads: LoadWatch
  /** Absent: connections are secured as Node.js does it by itself. */
  readonly tls?: SubgraphTls
  /** For tests, in place of the system's. */
  readonly resolve?: Resolve
}

/** The connections to one origin. */
export type LeasedPool = Lease<CallPool> & {
  /** Equal for pools that reach the same by the same right. */
  readonly key: string
}

/** When TCP begins to ask whether the other side of a silent connection is still there. Milliseconds. */
const KEEP_ALIVE_PROBE = 60_000

/** The connection pools of a router, by origin. */
export class Origins implements AsyncDisposable {
  readonly #pools = new LeasedValues<CallPool>((pool) => this.#close(pool))
  readonly #closing = new Set<Promise<unknown>>()
  readonly #config: ConnectionSettings
  readonly #loads: LoadWatch
  readonly #tls: SubgraphTls
  readonly #guard: AddressGuard
  readonly #readBuffer = Buffer.allocUnsafeSlow(READ_SIZE)
  #undici: typeof import('./undici-pool.ts') | null = null

  constructor(config: ConnectionSettings, { loads, tls = SubgraphTls.none, resolve }: OriginsOptions) {
    this.#config = config
    this.#loads = loads
    this.#tls = tls
    this.#guard = createAddressGuard(config, resolve)
  }

  /**
   * Why a subgraph at `origin` will never be called; null: that will be seen when it is connected to. Of a
   * Unix socket the settings say themselves that it may be connected to, and the host is not.
   */
  objectionTo(origin: string, subgraph: string): Error | null {
    if (this.#config.socketPathBySubgraph.has(subgraph)) return null
    return this.#guard.objectionTo(new URL(origin).hostname)
  }

  /**
   * Loads what these origins are called with, unless that was done. Undici takes 5 MB of memory and 40 ms,
   * and a router whose subgraphs all speak plain HTTP does without it.
   */
  async prepare(origins: readonly string[]): Promise<void> {
    if (origins.every((origin) => this.#isLean(new URL(origin)))) return
    this.#undici ??= await import('./undici-pool.ts')
  }

  /** For calls of a subgraph. The origin must have been prepared. */
  lease(origin: string, subgraph: string): LeasedPool {
    const url = new URL(origin)
    const tls = url.protocol === 'https:' ? this.#tls.of(subgraph) : null
    const socketPath = this.#config.socketPathBySubgraph.get(subgraph) ?? null
    const key = keyOf(origin, tls, socketPath)
    return { ...this.#pools.lease(key, () => this.#open(url, tls, socketPath)), key }
  }

  #open(origin: URL, tls: TlsProfile | null, socketPath: string | null): CallPool {
    if (this.#isLean(origin)) return this.#openLean(origin, socketPath)
    if (tls === null) return this.#openUndici(origin, {}, socketPath)
    return new RenewedPool(
      () => this.#openUndici(origin, tls.current, socketPath),
      (listener) => tls.onRenewed(listener),
    )
  }

  #isLean({ protocol }: URL): boolean {
    return protocol === 'http:' && this.#config.httpClient === 'lean'
  }

  #openLean(origin: URL, socketPath: string | null): CallPool {
    const { maxConnections, connectTimeout } = this.#config
    const host = origin.hostname.replace(/^\[|\]$/g, '')
    const port = Number(origin.port || 80)
    return new ConnectionPool({
      origin,
      maxConnections,
      connectTimeout,
      readBuffer: this.#readBuffer,
      open: (onread, handler) => {
        const socket =
          socketPath === null ? this.#connectTo(host, port, onread) : connect({ path: socketPath, onread })
        this.#loads.connecting(socket, socketPath === null ? host : null, handler)
        return socket
      },
      sending: (socket, handler) => this.#loads.sending(socket, handler),
    })
  }

  /** Throws if the settings do not allow it. */
  #connectTo(host: string, port: number, onread: OnReadOpts): Socket {
    // An address in the URL is never looked up.
    const objection = this.#guard.objectionTo(host)
    if (objection !== null) throw objection
    return connect({
      host,
      port,
      lookup: this.#guard.lookup,
      onread,
      noDelay: true,
      keepAlive: true,
      keepAliveInitialDelay: KEEP_ALIVE_PROBE,
    })
  }

  #openUndici(origin: URL, secure: SecureOptions, socketPath: string | null): CallPool {
    if (this.#undici === null) throw new Error(`${origin.origin} was leased before its client was loaded`)
    return this.#undici.openUndiciPool(origin, {
      config: this.#config,
      guard: this.#guard,
      loads: this.#loads,
      secure,
      socketPath,
    })
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
 * Of the connections to an origin. An origin has no space in it, and JSON tells its own end, so that a path
 * of a URL can follow.
 */
function keyOf(origin: string, tls: TlsProfile | null, socketPath: string | null): string {
  const parts = [origin]
  if (tls !== null) parts.push(tls.key)
  if (socketPath !== null) parts.push(`unix:${JSON.stringify(socketPath)}`)
  return parts.join(' ')
}
