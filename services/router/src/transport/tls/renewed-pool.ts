/**
 * A pool whose connections are replaced when certificates are renewed. Calls begin on new connections at
 * once; those in progress end on the connections on which they began, which are closed then.
 */
import type { CallHandler, CallPool, PoolRequest } from '../dispatch/call-pool.ts'

/** The pool. It stops listening to renewals when it is closed or destroyed. */
export class RenewedPool implements CallPool {
  readonly #open: () => CallPool
  readonly #renewals: Disposable
  /** Pools that were replaced, each with the promise of its end. */
  readonly #ending = new Map<CallPool, Promise<unknown>>()
  #pool: CallPool

  /** `onRenewed` registers a listener that is called whenever connections are to be replaced. */
  constructor(open: () => CallPool, onRenewed: (listener: () => void) => Disposable) {
    this.#open = open
    this.#pool = open()
    this.#renewals = onRenewed(() => this.#renew())
  }

  get stats(): { readonly free: number } {
    return this.#pool.stats
  }

  get isBusy(): boolean {
    return this.#pool.isBusy
  }

  dispatch(request: PoolRequest, handler: CallHandler): unknown {
    return this.#pool.dispatch(request, handler)
  }

  close(): Promise<unknown> {
    this.#renewals[Symbol.dispose]()
    return Promise.all([this.#pool.close(), ...this.#ending.values()])
  }

  destroy(): Promise<unknown> {
    this.#renewals[Symbol.dispose]()
    return Promise.all([this.#pool, ...this.#ending.keys()].map((pool) => pool.destroy()))
  }

  #renew(): void {
    const before = this.#pool
    this.#pool = this.#open()
    const ended = before
      .close()
      .catch(() => {})
      .finally(() => this.#ending.delete(before))
    this.#ending.set(before, ended)
  }
}
