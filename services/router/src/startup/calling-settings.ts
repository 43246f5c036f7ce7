/** The settings on which parts depend that are kept when others change. */
import { isDeepStrictEqual } from 'node:util'
import type { RouterConfig } from '../config/router-config.ts'
import type { ConnectionSettings } from '../call/origins.ts'
import type { SubgraphConfig } from '../call/settings.ts'
import type { TlsSettings } from '../transport/tls/subgraph-tls.ts'

/** The settings of health checks of subgraphs' addresses; null if there are no health checks. */
export type AddressSettings =
  | (Pick<RouterConfig, 'headers' | 'requestId'> & {
      readonly connections: ConnectionSettings & TlsSettings
      readonly healthCheck: RouterConfig['subgraphs']['healthCheck']
    })
  | null

/** Returns these settings. The known state of the addresses is dropped when they change. */
export function addressSettings(config: RouterConfig): AddressSettings {
  const { headers, requestId, subgraphs } = config
  const { healthCheck } = subgraphs
  if (!healthCheck.enabled) return null
  return { headers, requestId, healthCheck, connections: connectionSettings(config) }
}

/** Returns the settings that connections to subgraphs are made with. */
export function connectionSettings({ subgraphs }: RouterConfig): ConnectionSettings & TlsSettings {
  const { maxConnections, connectTimeout, allowedNetworks, allowedHosts } = subgraphs
  const all = connectionOf(subgraphs.all)
  // Only those that differ, so that another time limit of one subgraph leaves the connections open.
  const bySubgraph = [...subgraphs.bySubgraph]
    .map(([name, own]) => [name, connectionOf(own)] as const)
    .filter(([, own]) => !isDeepStrictEqual(own, all))
  return {
    maxConnections,
    connectTimeout,
    allowedNetworks,
    allowedHosts,
    all,
    bySubgraph: new Map(bySubgraph),
    tlsReloadInterval: subgraphs.tlsReloadInterval,
  }
}

function connectionOf({ socketPath, http2, tls }: SubgraphConfig) {
  return { socketPath, http2, tls }
}
