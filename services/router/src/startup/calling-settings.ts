/** The settings on which parts depend that are kept when others change. */
import { isDeepStrictEqual } from 'node:util'
import type { RouterConfig } from '../config/router-config.ts'
import type { ConnectionSettings } from '../subgraph/origins.ts'
import type { SubgraphConfig } from '../subgraph/settings.ts'
import type { TlsSettings } from '../subgraph/tls/subgraph-tls.ts'

/** With what addresses are asked whether they are well; null: nobody asks. */
export type AddressSettings =
  | (Pick<RouterConfig, 'headers' | 'requestId'> & {
      readonly connections: ConnectionSettings & TlsSettings
      readonly healthCheck: RouterConfig['subgraphs']['healthCheck']
    })
  | null

/** What is known of addresses begins anew where they are asked in another way. */
export function addressSettings(config: RouterConfig): AddressSettings {
  const { headers, requestId, subgraphs } = config
  const { healthCheck } = subgraphs
  if (!healthCheck.enabled) return null
  return { headers, requestId, healthCheck, connections: connectionSettings(config) }
}

/** With what connections to subgraphs are made. */
export function connectionSettings({ subgraphs }: RouterConfig): ConnectionSettings & TlsSettings {
  const { maxConnections, connectTimeout, httpClient, allowedNetworks, allowedHosts } = subgraphs
  const all = connectionOf(subgraphs.all)
  // Only those that differ, so that another time limit of one subgraph leaves the connections open.
  const bySubgraph = [...subgraphs.bySubgraph]
    .map(([name, own]) => [name, connectionOf(own)] as const)
    .filter(([, own]) => !isDeepStrictEqual(own, all))
  return {
    maxConnections,
    connectTimeout,
    httpClient,
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
