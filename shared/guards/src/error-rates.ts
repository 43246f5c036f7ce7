/** Compares the error rate inside with its limit: as a total, and operation by operation. */
import {
  ADDED_EVENTS,
  type ClusterRate,
  clusterRate,
  degreesOfFreedom,
  variancesOf,
} from './cluster-rates.ts'
import type { Estimate } from './confidence.ts'
import type { Figures, GroupFigures } from './figures.ts'
import type { ErrorsGuard } from './guards.ts'

/**
 * The limit as a line: the rate inside may be `factor` times that of the control group, plus `added`.
 */
export type ErrorsLimit = { readonly factor: number; readonly added: number }

/**
 * The share that a ratio allows on top. Where hardly anything fails, a ratio compares single errors: no
 * number of requests would ever show that none and none are within 1.5 times each other.
 */
const ADDED_TO_RATIO = 0.001

/** Returns the line of a guard. Rates are between 0 and 1. */
export function limitOf(guard: ErrorsGuard): ErrorsLimit {
  if ('points' in guard) return { factor: 1, added: guard.points / 100 }
  return { factor: guard.ratio, added: ADDED_TO_RATIO }
}

/** Returns the error rate of a group. */
export function errorRate({ clusterRequests, clusterErrors }: GroupFigures): ClusterRate {
  return clusterRate(clusterRequests, clusterErrors)
}

/** Returns by how much the error rate inside exceeds the limit; below 0 it keeps within. */
export function excessOfErrors(
  inside: ClusterRate,
  control: ClusterRate,
  { factor, added }: ErrorsLimit,
): Estimate {
  const [insidePerRequest, controlPerRequest] = variancesOf(inside, control)
  const ofInside = insidePerRequest / inside.requests
  const ofControl = (factor ** 2 * controlPerRequest) / control.requests
  // In this unit no error of either group counts more than one.
  const size = 1 / (1 / inside.requests + factor / control.requests)
  return {
    value: inside.rate - factor * control.rate - added,
    standardError: Math.sqrt(ofInside + ofControl),
    variance: size ** 2 * (ofInside + ofControl),
    degreesOfFreedom: degreesOfFreedom(
      [ofInside, inside.effectiveClusters],
      [ofControl, control.effectiveClusters],
    ),
  }
}

type Stratum = { readonly inside: RequestsAndErrors; readonly control: RequestsAndErrors }
type RequestsAndErrors = readonly [requests: number, errors: number]

/**
 * Returns by how much the error rates inside exceed the limit where each operation is compared with itself,
 * as one figure: the Mantel-Haenszel risk difference (N. Mantel and W. Haenszel 1959; S. Greenland and J.
 * Robins 1985). It does not change when a composition makes clients ask other operations. Null if the figures
 * name no two operations that both groups ask.
 *
 * The variance of independent requests is multiplied by the design effects of the totals (J. Rao and A.
 * Scott, A simple method for the analysis of clustered binary data, 1992), since routers do not report
 * operations by cluster.
 */
export function excessByOperation(
  figures: Figures,
  [inside, control]: readonly [ClusterRate, ClusterRate],
  { factor, added }: ErrorsLimit,
): Estimate | null {
  const strata = strataOf(figures).filter((stratum) => stratum.inside[0] > 0 && stratum.control[0] > 0)
  if (strata.length < 2) return null
  const [insideEffect, controlEffect] = designEffectsOf(inside, control)
  let size = 0
  let difference = 0
  let ofInside = 0
  let ofControl = 0
  for (const { inside: own, control: other } of strata) {
    const weight = 1 / (1 / own[0] + factor / other[0])
    const [ownVariance, otherVariance] = variancesOfStratum(own, other)
    size += weight
    difference += weight * (own[1] / own[0] - (factor * other[1]) / other[0])
    ofInside += (weight ** 2 * ownVariance * insideEffect) / own[0]
    ofControl += (weight ** 2 * factor ** 2 * otherVariance * controlEffect) / other[0]
  }
  ofInside += ADDED_EVENTS * insideEffect * (size / inside.requests) ** 2
  ofControl += ADDED_EVENTS * controlEffect * ((factor * size) / control.requests) ** 2
  return {
    value: difference / size - added,
    standardError: Math.sqrt(ofInside + ofControl) / size,
    variance: ofInside + ofControl,
    degreesOfFreedom: degreesOfFreedom(
      [ofInside, inside.effectiveClusters],
      [ofControl, control.effectiveClusters],
    ),
  }
}

/** Returns how many times larger the variances of the totals are than those of independent requests. */
function designEffectsOf(inside: ClusterRate, control: ClusterRate): readonly [number, number] {
  const [ofInside, ofControl] = variancesOf(inside, control)
  const [independentInside, independentControl] = variancesOfStratum(
    [inside.requests, inside.events],
    [control.requests, control.events],
  )
  const effect = (variance: number, independent: number): number =>
    independent > 0 ? Math.max(1, variance / independent) : 1
  return [effect(ofInside, independentInside), effect(ofControl, independentControl)]
}

/** Returns the operations that the figures name, and all others together as one more. */
function strataOf({ inside, control, operations }: Figures): readonly Stratum[] {
  const rest = (group: 'inside' | 'control', at: 0 | 1, total: number): number =>
    operations.reduce((left, operation) => left - operation[group][at], total)
  const others: Stratum = {
    inside: [rest('inside', 0, inside.requests), rest('inside', 1, inside.errors)],
    control: [rest('control', 0, control.requests), rest('control', 1, control.errors)],
  }
  return [...operations, others]
}

function variancesOfStratum(own: RequestsAndErrors, other: RequestsAndErrors): readonly [number, number] {
  const pooled = binomialVariance(own[0] + other[0], own[1] + other[1])
  return [Math.max(binomialVariance(...own), pooled), Math.max(binomialVariance(...other), pooled)]
}

function binomialVariance(requests: number, errors: number): number {
  return (errors / requests) * (1 - errors / requests)
}
