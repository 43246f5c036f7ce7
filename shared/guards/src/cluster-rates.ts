/**
 * Rates of a group, with a variance that is taken between clusters of keys. Requests of one user hang
 * together, so a thousand requests may tell no more than ten; clusters are independent, since each user is in
 * one of them.
 */
import { CLUSTERS } from './clusters.ts'

/** How often something happens among the requests of a group. */
export type ClusterRate = {
  readonly requests: number
  readonly events: number
  readonly rate: number
  /** The variance of the rate, multiplied by the requests: what one request contributes. */
  readonly perRequest: number
  /** How many times larger it is than if all requests were independent; at least 1. */
  readonly designEffect: number
  /** The number of equally large clusters that would tell as much. */
  readonly effectiveClusters: number
}

/**
 * Events that are added to a variance: after none, their number is unknown all the same. Four are within the
 * bound for none at the levels that are used here.
 */
export const ADDED_EVENTS = 4

/**
 * Returns the rate of events, from requests and events by cluster. The variance is the jackknife's, which
 * leaves out one cluster after the other: it is rather too high than too low where a few clusters have most
 * requests. It is never lower than that of independent requests.
 */
export function clusterRate(requestsOf: readonly number[], eventsOf: readonly number[]): ClusterRate {
  let requests = 0
  let events = 0
  let squares = 0
  for (let cluster = 0; cluster < CLUSTERS; cluster += 1) {
    const ofCluster = requestsOf[cluster] ?? 0
    requests += ofCluster
    events += eventsOf[cluster] ?? 0
    squares += ofCluster ** 2
  }
  if (requests === 0)
    return { requests: 0, events: 0, rate: 0, perRequest: 0, designEffect: 1, effectiveClusters: 0 }
  const rate = events / requests
  let jackknife = 0
  for (let cluster = 0; cluster < CLUSTERS; cluster += 1) {
    const ofCluster = requestsOf[cluster] ?? 0
    // A cluster with all requests leaves none to compare with; such a group is too few clusters anyway.
    if (ofCluster === 0 || ofCluster === requests) continue
    jackknife += (((eventsOf[cluster] ?? 0) - rate * ofCluster) / (requests - ofCluster)) ** 2
  }
  const between = ((CLUSTERS - 1) / CLUSTERS) * jackknife * requests
  const plain = rate * (1 - rate)
  return {
    requests,
    events,
    rate,
    perRequest: Math.max(between, independentVariance(events, requests)),
    designEffect: plain > 0 ? Math.max(1, between / plain) : 1,
    effectiveClusters: requests ** 2 / squares,
  }
}

/** Returns the variance that one of independent requests contributes. It is above 0 even without events. */
function independentVariance(events: number, requests: number): number {
  const rate = (events + ADDED_EVENTS) / (requests + 2 * ADDED_EVENTS)
  return rate * (1 - rate)
}

/**
 * Returns the variances of both rates, per request. None is lower than that of both groups together: a small
 * group may by chance have none of the users whose requests fail, and would look more certain than it is.
 */
export function variancesOf(inside: ClusterRate, control: ClusterRate): readonly [number, number] {
  const pooled =
    (inside.requests * inside.perRequest + control.requests * control.perRequest) /
    (inside.requests + control.requests)
  return [Math.max(inside.perRequest, pooled), Math.max(control.perRequest, pooled)]
}

/** Returns the degrees of freedom of a sum of two variances (Welch and Satterthwaite). */
export function degreesOfFreedom(
  [first, firstClusters]: readonly [variance: number, clusters: number],
  [second, secondClusters]: readonly [variance: number, clusters: number],
): number {
  const ofFirst = Math.max(1, firstClusters - 1)
  const ofSecond = Math.max(1, secondClusters - 1)
  return (first + second) ** 2 / (first ** 2 / ofFirst + second ** 2 / ofSecond)
}
