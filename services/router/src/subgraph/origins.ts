/**
 * One connection pool per origin, shared by all generations: a swap keeps the warm connections of every
 * subgraph that stays where it is. A pool is closed when the last generation that names its origin is gone.
 */
import { buildConnector, Pool } from 'undici'
import type { SubgraphsConfig } from '../config/router-config.ts'
import type { LoadWatch } from './load/load-watch.ts'
import { type AddressGuard, createAddressGuard, type Resolve } from '../addresses/address-guard.ts'

/** A pool that stays open until the lease is disposed. */
export type OriginLease = Disposable & { readonly pool: Pool }

/** The connection pools of a router, by origin. */
export class Origins implements AsyncDisposable {
  readonly #pools = new Map<string, { readonly pool: Pool; holders: number }>()
  readonly #closing = new Set<Promise<unknown>>()
  readonly #options: Pool.Options

  readonly #guard: AddressGuard

  /** `resolve`: for tests, in place of the system's. */
  constructor(config: SubgraphsConfig, loads: LoadWatch, resolve?: Resolve) {
    const guard = createAddressGuard(config, resolve)
    this.#guard = guard
    const connect = buildConnector({ allowH2: false, timeout: config.connectTimeout, lookup: guard.lookup })
    this.#options = {
      connections: config.maxConnections,
      pipelining: 1,
      // The router's own deadline covers the whole call.
      headersTimeout: 0,
      bodyTimeout: 0,
      allowH2: false,
      connect(options, callback) {
        // An address in the URL is never looked up.
        const objection = guard.objectionTo(options.hostname)
        if (objection !== null) return callback(objection, null)
        const socket: unknown = connect(options, callback)
        loads.connecting(socket, options.hostname)
      },
    }
  }

  /** Why nothing at `origin` will ever be called; null: that will be seen when it is connected to. */
  objectionTo(origin: string): Error | null {
    return this.#guard.objectionTo(new URL(origin).hostname)
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
