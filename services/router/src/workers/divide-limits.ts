/**
 * The settings of one of several workers. Limits of the router as a whole are divided among the workers: what
 * clients may take, memory that waits, connections to subgraphs. What makes each worker fast stays whole,
 * since each needs all of it: plans and compiled feature flags.
 */
import type { RouterConfig } from '../config/router-config.ts'
import type { ByteLimits } from '../fairness/byte-shares.ts'

/** No limit becomes 0. */
export function divideLimits(config: RouterConfig, workers: number): RouterConfig {
  const share = (limit: number) => Math.ceil(limit / workers)
  const shares = ({ total, perClient }: ByteLimits) => ({ total: share(total), perClient: share(perClient) })
  const { traffic, planning, subgraphs, documents } = config
  return {
    ...config,
    traffic: {
      ...traffic,
      maxConcurrentRequests: share(traffic.maxConcurrentRequests),
      maxConnections: share(traffic.maxConnections),
      maxConnectionsPerClient: share(traffic.maxConnectionsPerClient),
      maxUnreadRequests: share(traffic.maxUnreadRequests),
      maxUnreadRequestsPerClient: share(traffic.maxUnreadRequestsPerClient),
      unsentSize: shares(traffic.unsentSize),
      unansweredSize: shares(traffic.unansweredSize),
    },
    documents: { ...documents, apq: { ...documents.apq, maxSize: share(documents.apq.maxSize) } },
    planning: { ...planning, threads: share(planning.threads) },
    subgraphs: {
      ...subgraphs,
      maxConnections: share(subgraphs.maxConnections),
      receivingSize: share(subgraphs.receivingSize),
    },
  }
}
