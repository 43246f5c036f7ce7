/**
 * One connection pool per origin, shared by all generations: a swap keeps the warm connections of every
 * subgraph that stays where it is. A pool is closed when the last generation that names its origin is gone.
 */
import { connect } from 'node:net'
import type { SubgraphsConfig } from '../config/router-config.ts'
import { type AddressGuard, createAddressGuard, type Resolve } from '../addresses/address-guard.ts'
import type { CallPool } from './call-pool.ts'
import { ConnectionPool } from './http1/connection-pool.ts'
import { READ_SIZE } from './http1/limits.ts'
import { type Lease, LeasedValues } from './leased-values.ts'
import type { LoadWatch } from './load/load-watch.ts'

/** When TCP begins to ask whether the other side of a silent connection is still there. Milliseconds. */
const KEEP_ALIVE_PROBE = 60_000

/** The connection pools of a router, by origin. */
export class Origins implements AsyncDisposable {
  readonly #pools = new LeasedValues<CallPool>((pool) => this.#close(pool))
  readonly #closing = new Set<Promise<unknown>>()
  readonly #config: SubgraphsConfig
  readonly #loads: LoadWatch
  readonly #guard: AddressGuard
  readonly #readBuffer = Buffer.allocUnsafeSlow(READ_SIZE)
  #undici: typeof import('./undici-pool.ts') | null = null

  /** `resolve`: for tests, in place of the system's. */
  constructor(config: SubgraphsConfig, loads: LoadWatch, resolve?: Resolve) {
    this.#config = config
    this.#loads = loads
    this.#guard = createAddressGuard(config, resolve)
  }

  /** Why nothing at `origin` will ever be called; null: that will be seen when it is connected to. */
  objectionTo(origin: string): Error | null {
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

  /** The origin must have been prepared. */
  lease(origin: string): Lease<CallPool> {
    return this.#pools.lease(origin, () => this.#open(new URL(origin)))
  }

  #open(origin: URL): CallPool {
    return this.#isLean(origin) ? this.#openLean(origin) : this.#openUndici(origin)
  }

  #isLean({ protocol }: URL): boolean {
    return protocol === 'http:' && this.#config.httpClient === 'lean'
  }

  #openLean(origin: URL): CallPool {
    const { maxConnections, connectTimeout } = this.#config
    const host = origin.hostname.replace(/^\[|\]$/g, '')
    const port = Number(origin.port || 80)
    const socketOptions = { noDelay: true, keepAlive: true, keepAliveInitialDelay: KEEP_ALIVE_PROBE }
    return new ConnectionPool({
      origin,
      maxConnections,
      connectTimeout,
      readBuffer: this.#readBuffer,
      open: (onread, handler) => {
        // An address in the URL is never looked up.
        const objection = this.#guard.objectionTo(host)
        if (objection !== null) throw objection
        const socket = connect({ host, port, lookup: this.#guard.lookup, onread, ...socketOptions })
        this.#loads.connecting(socket, host, handler)
        return socket
      },
      sending: (socket, handler) => this.#loads.sending(socket, handler),
    })
  }

  #openUndici(origin: URL): CallPool {
    if (this.#undici === null) throw new Error(`${origin.origin} was leased before its client was loaded`)
    return this.#undici.openUndiciPool(origin, this.#config, this.#guard, this.#loads)
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
