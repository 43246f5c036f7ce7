/** The connections to one origin by undici: TLS, and plain HTTP where the settings ask for it. */
import { buildConnector, Pool } from 'undici'
import type { AddressGuard } from '../addresses/address-guard.ts'
import type { SubgraphsConfig } from '../config/router-config.ts'
import type { CallPool } from './call-pool.ts'
import type { LoadWatch } from './load/load-watch.ts'

/** Connects nowhere that `guard` objects to, and tells `loads` of each connection that is opened. */
export function openUndiciPool(
  origin: URL,
  { maxConnections, connectTimeout }: SubgraphsConfig,
  guard: AddressGuard,
  loads: LoadWatch,
): CallPool {
  const connectTo = buildConnector({ allowH2: false, timeout: connectTimeout, lookup: guard.lookup })
  return new Pool(origin, {
    connections: maxConnections,
    pipelining: 1,
    // The router's own deadline covers the whole call.
    headersTimeout: 0,
    bodyTimeout: 0,
    allowH2: false,
    connect(options, callback) {
      // An address in the URL is never looked up.
      const objection = guard.objectionTo(options.hostname)
      if (objection !== null) return callback(objection, null)
      const socket: unknown = connectTo(options, callback)
      loads.connecting(socket, options.hostname)
    },
  })
}
