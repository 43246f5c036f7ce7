/**
 * Quantiles of latency with bounds that hold at any time: a confidence sequence for a fixed quantile (S.
 * Howard and A. Ramdas, Sequential estimation of quantiles with applications to A/B testing and best-arm
 * identification, 2022). A bound of the 99th percentile is a latency that surely more, or surely fewer, than
 * 1 % of requests reach, so nothing is assumed of how latencies are distributed.
 *
 * Histograms are not reported by cluster. What requests of the same users add to the variance comes from
 * coarser counts that are: the variance of independent requests is multiplied by their design effect (J. Rao
 * and A. Scott, A simple method for the analysis of clustered binary data, 1992).
 */
import { type ClusterRate, clusterRate } from './cluster-rates.ts'
import { anytimeMargin, type Estimate, singleMargin } from './confidence.ts'
import type { Figures, GroupFigures } from './figures.ts'
import { QUANTILES, type Quantile } from './quantiles.ts'
import type { GuardJudgement } from './judgement.ts'
import { LATENCY_BUCKETS, lowerBound, SLOWNESS_BOUNDS_MS } from './latency-buckets.ts'

/** Limits below this many milliseconds count as this one: a router takes about as long by itself. */
export const LEAST_LATENCY_MS = 2

/** The test of one quantile. */
export type LatencyTest = {
  /** The share of requests that reach the quantile. */
  readonly share: number
  /** The latency inside may be as many times that of the control group. */
  readonly ratio: number
  /** The probability of a false abort that it may have. */
  readonly alpha: number
  /** The probability of going on wrongly that the test may have. */
  readonly goingOn: number
}

/** A quantile of both groups in milliseconds, and by which part of its limit it exceeds that. */
export type LatencyExcess = {
  readonly inside: number | null
  readonly control: number | null
  readonly excess: GuardJudgement['excess']
}

/** Returns each quantile of a group's latencies in milliseconds; null without requests. */
export function quantilesOf({ requests, latency }: GroupFigures): Readonly<Record<Quantile, number | null>> {
  const group = { requests, reached: reachedOf(latency) }
  const of = (quantile: Quantile): number | null => quantileOf(group, QUANTILES[quantile])
  return { p50: of('p50'), p90: of('p90'), p95: of('p95'), p99: of('p99') }
}

/** Returns how a quantile of latency inside compares with its limit. */
export function excessOfLatency(figures: Figures, test: LatencyTest): LatencyExcess {
  const { share, ratio, alpha, goingOn } = test
  const inside = latencyGroup(figures.inside)
  const control = latencyGroup(figures.control)
  // Users of both groups are alike. Where one group happens to show less of how they differ, the other tells.
  const designEffect = Math.max(designEffectAt(share, inside), designEffectAt(share, control))
  const both = (marginOf: MarginOf): readonly QuantileBounds[] =>
    [inside, control].map((group) => boundsOf(group, share, { designEffect, marginOf }))
  // Two bounds have to hold at once, one of each group.
  const [insideToAbort = UNKNOWN, controlToAbort = UNKNOWN] = both((rate) => anytimeMargin(rate, alpha / 2))
  const [insideToGoOn = UNKNOWN, controlToGoOn = UNKNOWN] = both((rate) => singleMargin(rate, goingOn / 2))
  const [ofInside, ofControl] = [quantileOf(inside, share), quantileOf(control, share)]
  const beyond = (milliseconds: number | null, ofControlGroup: number | null): number | null => {
    if (milliseconds === null || ofControlGroup === null) return null
    return milliseconds / Math.max(ratio * ofControlGroup, LEAST_LATENCY_MS) - 1
  }
  return {
    inside: ofInside,
    control: ofControl,
    excess: {
      value: beyond(ofInside, ofControl),
      atLeast: beyond(insideToAbort.atLeast, controlToAbort.atMost),
      atMost: beyond(insideToGoOn.atMost, controlToGoOn.atLeast),
    },
  }
}

/** Bounds of a quantile, in milliseconds. */
type QuantileBounds = {
  readonly atLeast: number
  /** Null if nothing is sure. */
  readonly atMost: number | null
}

const UNKNOWN: QuantileBounds = { atLeast: 0, atMost: null }

/** A group with what its quantiles need. */
type LatencyGroup = {
  readonly requests: number
  readonly effectiveClusters: number
  /** Requests in each bucket or above it. */
  readonly reached: readonly number[]
  /** The shares of requests that reach each bound of slowness. */
  readonly slow: readonly ClusterRate[]
}

function latencyGroup({ requests, clusterRequests, clusterSlow, latency }: GroupFigures): LatencyGroup {
  const slow = SLOWNESS_BOUNDS_MS.map((_, bound) =>
    clusterRate(
      clusterRequests,
      clusterSlow.map((counts) => counts[bound] ?? 0),
    ),
  )
  return {
    requests,
    effectiveClusters: slow[0]?.effectiveClusters ?? 0,
    reached: reachedOf(latency),
    slow,
  }
}

/** Returns the requests in each bucket or above it. */
function reachedOf(latency: GroupFigures['latency']): readonly number[] {
  const reached = Array.from({ length: LATENCY_BUCKETS }, () => 0)
  for (const [bucket, count] of latency) reached[bucket] = count
  for (let bucket = LATENCY_BUCKETS - 2; bucket >= 0; bucket -= 1)
    reached[bucket] = (reached[bucket] ?? 0) + (reached[bucket + 1] ?? 0)
  return reached
}

/** Bounds of slowness tell of a quantile if between this many times fewer and more requests reach them. */
const NEARBY = 8

/**
 * Returns the largest design effect of the bounds of slowness near a quantile, or else of the nearest one.
 */
function designEffectAt(share: number, { slow }: LatencyGroup): number {
  const told = slow.filter(({ events }) => events > 0)
  const distance = ({ rate }: ClusterRate): number => Math.abs(Math.log(rate / share))
  const nearest = Math.min(...told.map(distance))
  const near = told.filter((rate) => distance(rate) <= Math.max(Math.log(NEARBY), nearest))
  return Math.max(1, ...near.map(({ designEffect }) => designEffect))
}

/** Returns the lower bound of the highest bucket that more than this share of requests reach. */
function quantileOf(
  { requests, reached }: Pick<LatencyGroup, 'requests' | 'reached'>,
  share: number,
): number | null {
  const bucket = reached.findLastIndex((count) => count > share * requests)
  return bucket === -1 ? null : lowerBound(bucket)
}

/** How far a rate may be from the truth, in one direction. */
type MarginOf = (rate: Estimate) => number

/** Returns bounds of the latency that a share of requests reaches. Each is as sure as the margin is. */
function boundsOf(
  { requests, effectiveClusters, reached }: LatencyGroup,
  share: number,
  { designEffect, marginOf }: { readonly designEffect: number; readonly marginOf: MarginOf },
): QuantileBounds {
  if (requests === 0) return UNKNOWN
  const marginAt = (rate: number): number => {
    // A rate near 1 has a small variance. That of the share, which is the hypothesis, is the larger one then.
    const variance = Math.max(rate * (1 - rate), share * (1 - share)) * designEffect
    const estimate = {
      value: rate,
      standardError: Math.sqrt(variance / requests),
      variance: variance * requests,
      degreesOfFreedom: Math.max(1, effectiveClusters - 1),
    }
    return marginOf(estimate)
  }
  const marginOfShare = marginAt(share)
  const atLeast = reached.findLastIndex((count) => {
    const rate = count / requests
    return rate > share && rate - marginAt(rate) > share
  })
  const atMost = reached.findIndex((count) => count / requests + marginOfShare <= share)
  return {
    atLeast: atLeast === -1 ? 0 : lowerBound(atLeast),
    atMost: atMost === -1 ? null : lowerBound(atMost),
  }
}
