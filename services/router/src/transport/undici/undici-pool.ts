/** Makes the connections to one origin by undici: for TLS, and for plain HTTP if the settings ask for it. */
import { buildConnector, Pool } from 'undici'
import type { AddressGuard } from '../../addresses/address-guard.ts'
import type { CallHandler, CallPool, PoolRequest } from '../dispatch/call-pool.ts'
import { FinalAnswerHandler } from './interim-answers.ts'
import type { LoadWatch } from '../load/load-watch.ts'
import type { SecureOptions } from '../tls/tls-profile.ts'

/** The options of a pool of undici. */
export type UndiciPoolOptions = {
  /** Connections at most, and milliseconds until one is open. */
  readonly config: { readonly maxConnections: number; readonly connectTimeout: number }
  /** Objects to addresses that must not be connected to. */
  readonly guard: AddressGuard
  /** Is told of each connection that is opened. */
  readonly loads: LoadWatch
  readonly secure: SecureOptions
  /** The Unix socket to connect to. Null if the pool connects to the host of the origin. */
  readonly socketPath: string | null
}

export function openUndiciPool(
  origin: URL,
  { config: { maxConnections, connectTimeout }, guard, loads, secure, socketPath }: UndiciPoolOptions,
): CallPool {
  const connectTo = buildConnector({
    ...secure,
    socketPath,
    allowH2: false,
    timeout: connectTimeout,
    lookup: guard.lookup,
  })
  return new FinalAnswerPool(maxConnections, origin, {
    connections: maxConnections,
    pipelining: 1,
    // The router's own deadline covers the whole call.
    headersTimeout: 0,
    bodyTimeout: 0,
    allowH2: false,
    connect(options, callback) {
      const host = socketPath === null ? options.hostname : null
      // An address in the URL is never looked up.
      const objection = host === null ? null : guard.objectionTo(host)
      if (objection !== null) return callback(objection, null)
      const socket: unknown = connectTo(options, callback)
      loads.connecting(socket, host)
    },
  })
}

/** A pool of undici whose handlers are not told of interim answers. */
class FinalAnswerPool extends Pool implements CallPool {
  readonly #maxConnections: number

  constructor(maxConnections: number, ...pool: ConstructorParameters<typeof Pool>) {
    super(...pool)
    this.#maxConnections = maxConnections
  }

  get isBusy(): boolean {
    const { connected, free } = this.stats
    return connected >= this.#maxConnections && free === 0
  }

  override dispatch(request: PoolRequest, handler: CallHandler): boolean {
    return super.dispatch(request, new FinalAnswerHandler(handler))
  }
}
