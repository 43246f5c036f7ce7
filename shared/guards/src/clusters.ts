/** Clusters of keys: all requests of one user are in one of them, so that clusters are independent. */
import { murmurHash3 } from '@switchyard/values'

/** The number of clusters, of each group. */
export const CLUSTERS = 64

/**
 * No salt of a rollout makes this prefix: the bucket's hash is that of `<salt>:<key>`, and this text does not
 * end with a colon. So no cluster has all keys that are inside a percentage.
 */
const PREFIX = 'cluster/'
const BITS_OF_CLUSTER = Math.log2(CLUSTERS)

/** Returns the cluster of a key, from 0 to 63: the highest bits of a hash of its own. */
export function clusterOf(key: string): number {
  return murmurHash3(Buffer.from(PREFIX + key)) >>> (32 - BITS_OF_CLUSTER)
}
