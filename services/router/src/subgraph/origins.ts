/**
 * One connection pool per origin, shared by all generations: a swap keeps the warm connections of every subgraph that stays
 * where it is. A pool is closed when the last generation that names its origin is gone.
 */
import { buildConnector, Pool } from 'undici'
import type { SubgraphsConfig } from '../config.ts'
import type { LoadWatch } from '../tracing/load/load-watch.ts'
import { createAddressGuard } from './address-guard.ts'

export type OriginLease = Disposable & { readonly pool: Pool }

export class Origins implements AsyncDisposable {
  readonly #pools = new Map<string, { readonly pool: Pool; holders: number }>()
  readonly #closing = new Set<Promise<unknown>>()
  readonly #options: Pool.Options

  constructor(config: SubgraphsConfig, loads: LoadWatch) {
    const guard = createAddressGuard(config.allowedHosts)
    const connect = buildConnector({ allowH2: false, timeout: config.connectTimeout, lookup: guard.lookup })
    this.#options = {
      connections: config.maxConnections,
      pipelining: 1,
      // The router's own deadline covers the whole call.
      headersTimeout: 0,
      bodyTimeout: 0,
      allowH2: false,
      connect(options, callback) {
        try {
          // An address in the URL is never looked up.
          guard.checkHost(options.hostname)
        } catch (error) {
          return callback(error instanceof Error ? error : new Error(String(error)), null)
        }
        const socket: unknown = connect(options, callback)
        loads.connecting(socket, options.hostname)
      },
    }
  }

  lease(origin: string): OriginLease {
    let entry = this.#pools.get(origin)
    if (entry === undefined) {
      entry = { pool: new Pool(origin, this.#options), holders: 0 }
      this.#pools.set(origin, entry)
    }
    const held = entry
    held.holders++
    let released = false
    return {
      pool: held.pool,
      [Symbol.dispose]: () => {
        if (released) return
        released = true
        if (--held.holders > 0) return
        this.#pools.delete(origin)
        this.#close(held.pool)
      },
    }
  }

  get openOrigins(): readonly string[] {
    return [...this.#pools.keys()]
  }

  #close(pool: Pool): void {
    const closing = pool
      .close()
      .catch(() => {})
      .finally(() => this.#closing.delete(closing))
    this.#closing.add(closing)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const pools = [...this.#pools.values()]
    this.#pools.clear()
    await Promise.all([...pools.map(({ pool }) => pool.destroy()), ...this.#closing])
  }
}
