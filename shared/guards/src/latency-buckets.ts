/**
 * Buckets of latencies, in milliseconds. Sixteen of them double the latency, so each is 4.4 % wider than the
 * one before. The same bounds hold in every router, so counts of several routers can be added.
 */

const BUCKETS_PER_OCTAVE = 16
/** The lower bound of bucket 1; bucket 0 has all that took less. */
const FIRST_BOUND_MS = 0.25
const OCTAVES = 18
/** The number of buckets. The last one has all that took 65.536 s and longer. */
export const LATENCY_BUCKETS = OCTAVES * BUCKETS_PER_OCTAVE + 2

const BOUNDS: readonly number[] = [
  0,
  ...Array.from(
    { length: LATENCY_BUCKETS - 1 },
    (_, step) => FIRST_BOUND_MS * 2 ** (step / BUCKETS_PER_OCTAVE),
  ),
]

/** Bounds, in milliseconds, for which each cluster counts the requests that took as long or longer. */
export const SLOWNESS_BOUNDS_MS: readonly number[] = Array.from({ length: 11 }, (_, step) => 2 * 2 ** step)
/** The bucket that begins with the first of these bounds. Each further one begins an octave later. */
const FIRST_SLOW_BUCKET = BOUNDS.indexOf(2)

/**
 * Returns the bucket of a latency: the last one whose lower bound is not above it. A latency below zero, and
 * one that is not a number, is in bucket 0.
 */
export function latencyBucket(milliseconds: number): number {
  if (!(milliseconds >= FIRST_BOUND_MS)) return 0
  const last = LATENCY_BUCKETS - 1
  if (milliseconds >= lowerBound(last)) return last
  const computed = 1 + Math.floor(Math.log2(milliseconds / FIRST_BOUND_MS) * BUCKETS_PER_OCTAVE)
  // The logarithm may be one unit of the last place off, just at a bound.
  if (milliseconds < lowerBound(computed)) return computed - 1
  return milliseconds >= lowerBound(computed + 1) ? computed + 1 : computed
}

/** Returns the lowest latency of a bucket, in milliseconds; infinity behind the last bucket. */
export function lowerBound(bucket: number): number {
  return BOUNDS[bucket] ?? Number.POSITIVE_INFINITY
}

/**
 * Returns the first bucket all of whose latencies are at least `factor` times those of this bucket's lower
 * bound. The number of buckets if there is none.
 */
export function bucketAtLeast(bucket: number, factor: number): number {
  const bound = lowerBound(bucket) * factor
  const found = latencyBucket(bound)
  return lowerBound(found) >= bound * (1 - 1e-12) ? found : found + 1
}

/** Returns the last bucket whose lower bound is at most `factor` times the lower bound of this one. */
export function bucketAtMost(bucket: number, factor: number): number {
  return latencyBucket(lowerBound(bucket) * factor * (1 + 1e-12))
}

/** Returns how many of the bounds of slowness a latency of this bucket reaches. */
export function slownessOf(bucket: number): number {
  const octaves = Math.floor((bucket - FIRST_SLOW_BUCKET) / BUCKETS_PER_OCTAVE) + 1
  return Math.min(Math.max(octaves, 0), SLOWNESS_BOUNDS_MS.length)
}
