/** The settings on which parts depend that are kept when others change. */
import type { RouterConfig } from '../config/router-config.ts'
import type { ConnectionSettings } from '../subgraph/origins.ts'
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
  const { socketPathBySubgraph, http2, http2BySubgraph, tls, tlsBySubgraph, tlsReloadInterval } = subgraphs
  return {
    maxConnections,
    connectTimeout,
    httpClient,
    allowedNetworks,
    allowedHosts,
    socketPathBySubgraph,
    http2,
    http2BySubgraph,
    tls,
    tlsBySubgraph,
    tlsReloadInterval,
  }
}
